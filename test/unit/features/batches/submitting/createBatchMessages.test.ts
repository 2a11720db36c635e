import assert from 'node:assert/strict';
import { ServiceError } from '../../../../../src/client/transport/errors';
import type { Problem } from '../../../../../src/contract/problem';
import { isForTheServiceToJudge } from '../../../../../src/features/batches/sheet/presentation/sheetFacts';
import { describeFailure, describeRepeat } from '../../../../../src/features/batches/submitting/createBatchMessages';
import type { Submission } from '../../../../../src/features/ledger/submission';
import { checkRequestLine } from '../../../../../src/jsonl/checking/requestRules';
import { contractRules } from '../../../../../src/jsonl/rules/ruleOptions';
import { english } from '../../requests/fillPlaceholders';
import { earlier } from '../sheet/sheetUnderTest';

describe('features/batches/submitting/createBatchMessages', () => {
  it('says that the same content was sent before, and as which batch', () => {
    assert.match(describeRepeat(earlier, english, earlier), /Already sent as msgbatch_7, May 4, 2026/);
    assert.match(describeRepeat({ ...earlier, state: 'unknown' }, english, earlier), /may have created a batch/);
    assert.match(describeRepeat({ ...earlier, state: 'sending' }, english, earlier), /^Another window started sending this file: May 4/);
  });

  it('names the other file with the same requests', () => {
    const say = (change: Partial<Submission>, source = 'file:///ws/tickets.jsonl') =>
      describeRepeat({ ...earlier, ...change }, english, { source });
    const link = { source: 'file:///ws/link.jsonl' };
    assert.match(say(link), /^The same requests were sent as link\.jsonl, May 4, 2026.* \(msgbatch_7\)\. You'll be charged again\.$/);
    assert.match(say({ ...link, state: 'unknown' }), /^The same requests were sent as link\.jsonl, May 4.*may have created a batch/);
    assert.match(say({ ...link, state: 'sending' }), /^Another window has been sending the same requests as link\.jsonl since May 4/);
    assert.match(say({ source: 'file:///other/tickets.jsonl' }), /requests were sent as tickets\.jsonl \(other\), May 4/);
  });

  it('names a damaged record that may belong to this file', () => {
    const text = describeRepeat({ ...earlier, sha256: '' }, english, earlier);
    assert.match(text, /The record of May 4, 2026, 10:00:00 AM is damaged\. .*: msgbatch_7$/);
  });

  it('says for every failure that no batch was created', () => {
    const error = new ServiceError('h answered 413 request_too_large to POST /v1/messages/batches (request-id req_1)', {
      kind: 'request_too_large',
      outcome: 'refused',
      method: 'POST',
      host: 'h',
      path: '/v1/messages/batches',
      requestId: 'req_1',
    });
    const say = (reason: 'refused' | 'not_sent' | 'incomplete' | 'canceled' | 'source_changed', cause: unknown = new Error('It broke')) =>
      describeFailure({ reason, error: cause, fileName: 'a.jsonl', bodyBytes: 300_000_000 }, english);
    for (const reason of ['refused', 'not_sent', 'incomplete', 'canceled', 'source_changed'] as const) {
      assert.match(say(reason), /no batch was created/i);
    }
    assert.match(say('incomplete'), /It broke\.$/);
    const tooLarge = say('refused', error);
    assert.match(tooLarge, /too large \(300 MB\)/);
    assert.match(tooLarge, /maxBytes/);
    assert.equal(tooLarge.match(/req_1/g)?.length, 1);
  });
});

const good = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'x' }] };

function judges(problems: readonly Problem[], hidden: readonly string[] = []): boolean {
  const counts = new Map<string, number>();
  for (const rule of [...problems.map(problem => problem.rule), ...hidden]) {
    counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  const error = problems.filter(({ severity }) => severity === 'error').length + hidden.length;
  const ruleCounts = [...counts].map(([rule, count]) => ({ rule, count, firstLine: 0 }));
  return isForTheServiceToJudge({ problems, problemCounts: { error, warning: 0, information: 0, hint: 0 }, ruleCounts });
}

function judgesLine(line: object | string): boolean {
  return judges(checkRequestLine(typeof line === 'string' ? line : JSON.stringify(line), 0, contractRules()).problems);
}

describe('features/batches/submitting/createBatchMessages createBatchProblems', () => {
  it('leaves values inside params to the service', () => {
    assert.equal(judgesLine({ custom_id: 'a', params: { ...good, max_tokens: -1 } }), true);
    assert.equal(judgesLine({ custom_id: 'a', params: { ...good, new_field: 1 } }), true);
    assert.equal(judgesLine({ custom_id: 'a', params: { max_tokens: 1, messages: [] } }), true);
    assert.equal(judgesLine({ ...good, max_tokens: 'many' }), true);
  });

  it("never sends a line that isn't a request, or with an invalid ID or shape", () => {
    assert.equal(judgesLine('{"custom_id":"a","params":'), false);
    assert.equal(judgesLine('{"custom_id":"a","params":{"model":"m","model":"n","max_tokens":1,"messages":[]}}'), false);
    assert.equal(judgesLine('[]'), false);
    assert.equal(judgesLine({ custom_id: 'not allowed', params: good }), false);
    assert.equal(judgesLine({ custom_id: 'a', params: 5 }), false);
    assert.equal(judgesLine({ custom_id: 'a', prams: good }), false);
  });

  it("can't override unlisted errors, or a file without requests", () => {
    const { problems } = checkRequestLine(JSON.stringify({ custom_id: 'a', params: { ...good, max_tokens: -1 } }), 0, contractRules());
    assert.equal(judges(problems, ['unknown-field']), false);
    assert.equal(judges([]), false);
  });

  it('can override any number of errors about params alone', () => {
    const line = JSON.stringify({ custom_id: 'a', params: { ...good, model: 'vendor-opus-5', temperature: 0.2 } });
    const { problems } = checkRequestLine(line, 0, contractRules());
    assert.equal(judges(problems, ['sampling-rejected']), true);
    assert.equal(judges(problems, ['sampling-rejected', 'duplicate-id']), false);
  });
});
