import assert from 'node:assert/strict';
import type { Problem } from '../../../../../src/contract/problem';
import { isForTheServiceToJudge } from '../../../../../src/features/batches/submitting/createBatchProblems';
import { checkRequestLine } from '../../../../../src/jsonl/checking/requestRules';
import { contractRules } from '../../../../../src/jsonl/rules/ruleOptions';

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

describe('features/batches/submitting/createBatchProblems', () => {
  it('leaves values inside params to the service', () => {
    assert.equal(judgesLine({ custom_id: 'a', params: { ...good, max_tokens: -1 } }), true);
    assert.equal(judgesLine({ custom_id: 'a', params: { ...good, new_field: 1 } }), true);
    assert.equal(judgesLine({ custom_id: 'a', params: { max_tokens: 1, messages: [] } }), true);
    assert.equal(judgesLine({ ...good, max_tokens: 'many' }), true);
  });

  it('never sends a line that is no request, or whose id or shape is wrong', () => {
    assert.equal(judgesLine('{"custom_id":"a","params":'), false);
    assert.equal(judgesLine('{"custom_id":"a","params":{"model":"m","model":"n","max_tokens":1,"messages":[]}}'), false);
    assert.equal(judgesLine('[]'), false);
    assert.equal(judgesLine({ custom_id: 'not allowed', params: good }), false);
    assert.equal(judgesLine({ custom_id: 'a', params: 5 }), false);
    assert.equal(judgesLine({ custom_id: 'a', prams: good }), false);
  });

  it('does not speak for errors that the report does not list, nor for a file without any', () => {
    const { problems } = checkRequestLine(JSON.stringify({ custom_id: 'a', params: { ...good, max_tokens: -1 } }), 0, contractRules());
    assert.equal(judges(problems, ['unknown-field']), false);
    assert.equal(judges([]), false);
  });

  it('speaks for any number of errors of rules that are about params alone', () => {
    const line = JSON.stringify({ custom_id: 'a', params: { ...good, model: 'vendor-opus-5', temperature: 0.2 } });
    const { problems } = checkRequestLine(line, 0, contractRules());
    assert.equal(judges(problems, ['sampling-rejected']), true);
    assert.equal(judges(problems, ['sampling-rejected', 'duplicate-id']), false);
  });
});
