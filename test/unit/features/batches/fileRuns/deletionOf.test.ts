import assert from 'node:assert/strict';
import { deletionOf } from '../../../../../src/features/batches/endRun';
import { toRuns } from '../../../../../src/features/ledger/runs';
import { resultsAt, submissionOf } from './submissionOf';

describe('features/batches/fileRuns/deletionOf', () => {
  const first = submissionOf('1', { results: resultsAt('/1') });
  const retry = submissionOf('2', {
    source: 'file:///evals.retry.jsonl',
    follows: { runId: '1', purpose: 'retry' },
    results: resultsAt('/2'),
  });
  const again = submissionOf('3', { results: resultsAt('/3') });

  const delete_ = (all: readonly ReturnType<typeof submissionOf>[], id: string) => {
    const run = toRuns(all).find(one => one.id === id);
    assert.ok(run);
    return deletionOf(all, run);
  };

  it('forgets a run with what follows it, what follows first, and says which run stays', () => {
    const deletion = delete_([first, retry, again], '1');
    assert.deepEqual(deletion, { submissionIds: ['2', '1'], root: undefined });
    const ofRetry = delete_([first, retry, again], '2');
    assert.deepEqual([ofRetry?.submissionIds, ofRetry?.root?.id], [['2'], '1']);
  });

  it('deletes every part of a group, also one that was sent again', () => {
    const part = (id: string, index: number, more = {}) => submissionOf(id, { group: { id: 'g', index, count: 2 }, ...more });
    const failed = part('2', 1, { state: 'failed', batchId: undefined });
    const deletion = delete_([part('1', 0, { groupResults: resultsAt('/g') }), failed, part('3', 1)], '1');
    assert.deepEqual(deletion?.submissionIds, ['3', '2', '1']);
  });

  it('keeps what is under way, or not known to have ended, with what it follows', () => {
    const running = { ...retry, results: undefined, batch: { ...retry.batch, processing_status: 'in_progress' } } as typeof retry;
    assert.equal(delete_([first, running], '1'), undefined);
    assert.ok(delete_([first, { ...running, deleted: true }], '1'));
    for (const state of ['unknown', 'sending'] as const) {
      assert.equal(delete_([{ ...first, state }], '1'), undefined, state);
    }
  });
});
