import assert from 'node:assert/strict';
import type { MessageBatch } from '../../../../../src/client/schemas/messageBatches';
import type { PresentationContext } from '../../../../../src/common/text/presentation';
import type { RequestCounts } from '../../../../../src/contract/requestCounts';
import { toBatchHover, toBatchPage } from '../../../../../src/features/batches/details/batchDetails';
import type { Submission } from '../../../../../src/features/ledger/submission';

const now = Date.parse('2026-11-21T12:00:00Z');
const context: PresentationContext = {
  translate: (message, ...args) => message.replace(/\{(\d)\}/g, (_, index) => String(args[Number(index)])),
  locale: 'en',
  now,
};

function batch(status: string, counts: Partial<RequestCounts>, change: Partial<MessageBatch> = {}): MessageBatch {
  return {
    id: 'msgbatch_1',
    type: 'message_batch',
    processing_status: status,
    request_counts: { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0, ...counts },
    created_at: '2026-11-21T11:57:00Z',
    expires_at: '2026-11-22T11:57:00Z',
    ...change,
  };
}

const submission: Submission = {
  id: 's1',
  connection: 'A',
  origin: 'http://h',
  source: 'file:///data/my%20questions.jsonl',
  fileBytes: 1234,
  sha256: 'ab',
  requestCount: 12,
  bodyBytes: 1,
  state: 'created',
  startedAt: '2026-11-21T11:57:00Z',
};

describe('features/batches/details/batchDetails', () => {
  const connection = { name: 'A', host: 'h:1' };

  it('keeps a field it does not know on the page', () => {
    const page = toBatchPage({ ...batch('ended', { succeeded: 1 }), billing: { tier: 'x' } }, undefined, connection, context);
    assert.match(page, /billing/);
    assert.match(page, /\| billing \| \\\{"tier":"x"\\\} \|/);
  });

  it('lets nothing of the service or the file become markup', () => {
    const evil = { ...batch('ended', { succeeded: 1 }), id: '[x](command:evil) <img src=x> `a` |' };
    for (const text of [toBatchPage(evil, undefined, connection, context), toBatchHover(evil, undefined, connection, context)]) {
      assert.doesNotMatch(text, /(?<!\\)\[x/);
      assert.doesNotMatch(text, /(?<!\\)<img/);
      assert.doesNotMatch(text, /(?<!\\)`a/);
    }
  });

  it('says of a running batch that outcomes are counted at its end', () => {
    assert.match(
      toBatchPage(batch('in_progress', { processing: 2 }), submission, connection, context),
      /only when the whole batch has ended/,
    );
  });

  it('says which run it is, what can be done, and the runs around it', () => {
    const around = { links: ['[Copy ID](command:x)', '[Cancel\\.\\.\\.](command:y)'], run: 'A canary of a.jsonl.', family: '## Runs' };
    const page = toBatchPage(batch('ended', { succeeded: 1 }), submission, connection, context, around);
    assert.match(page, /^# my questions\\\.jsonl\n\nA canary of a\\\.jsonl\\\. Ended/);
    assert.match(page, /\n\n\[Copy ID\]\(command:x\) · \[Cancel/);
    assert.match(page, /\n\n## Runs\n\n## Source/);
  });
});
