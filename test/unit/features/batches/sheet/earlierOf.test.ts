import assert from 'node:assert/strict';
import { earlierOf } from '../../../../../src/features/batches/sheet/choices';
import type { FetchedResults, Submission } from '../../../../../src/features/ledger/submission';
import { fieldOf } from '../../../../helpers/fieldOf';
import { submission as ledgerSubmission } from '../../ledger/ledgerOfTest';

const results = { joinedPath: '/a', fetchedAt: '', report: {} } as unknown as FetchedResults;

let minute = 0;
const submission = (id: string, more: Partial<Submission> = {}) =>
  ledgerSubmission(id, minute++, { connection: 'c', origin: 'https://service.test', sha256: id, batchId: `batch-${id}`, results, ...more });

const earlier = (all: readonly Submission[]) => earlierOf(all, 'file:///a.jsonl', { connection: 'c', origin: 'https://service.test' });

describe('features/batches/sheet/choices', () => {
  it('finds the submissions of a file and of files made from its results, oldest first', () => {
    const first = submission('first');
    const retry = submission('retry', { source: 'file:///a.retry.jsonl', follows: { runId: 'first', purpose: 'retry' } });
    const other = submission('other', { source: 'file:///b.jsonl' });
    const again = submission('again');
    const found = earlier([again, other, retry, first]) ?? assert.fail();
    assert.deepEqual(fieldOf(found.submissions, 'id'), ['first', 'retry', 'again']);
    assert.deepEqual(found.follows, { runId: 'again', purpose: 'changed' });
    assert.equal(found.unsettled, undefined);
  });

  it("follows the oldest run of the newest run's family", () => {
    const first = submission('first');
    const changed = submission('changed', { follows: { runId: 'first', purpose: 'changed' } });
    assert.equal(earlier([changed, first])?.follows.runId, 'first');
  });

  it('finds submissions to the same address under another connection name', () => {
    assert.equal(earlier([submission('renamed', { connection: 'old name' })])?.follows.runId, 'renamed');
  });

  it('ignores other services and failed submissions', () => {
    assert.equal(
      earlier([submission('a', { connection: 'emulator', origin: 'http://127.0.0.1:1' }), submission('b', { state: 'failed' })]),
      undefined,
    );
  });

  it('reports requests that may still be answered', () => {
    const { results: _, ...working } = submission('working');
    const ended = { ...working, id: 'ended', batch: { processing_status: 'ended' } } as Submission;
    assert.equal(earlier([working])?.unsettled?.id, 'working');
    assert.equal(earlier([ended])?.unsettled, undefined);
    assert.equal(earlier([submission('a'), submission('b', { state: 'unknown' })])?.unsettled?.id, 'b');
    assert.equal(earlier([{ ...working, deleted: true }])?.unsettled, undefined);
  });
});
