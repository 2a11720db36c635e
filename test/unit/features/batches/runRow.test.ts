import assert from 'node:assert/strict';
import { describeEnd } from '../../../../src/features/batches/runPresentation';
import { countsOf, endMarkerOf, hasRunEnded } from '../../../../src/features/batches/runRow';
import { toRuns } from '../../../../src/features/ledger/runs';
import type { Submission } from '../../../../src/features/ledger/submission';
import { context } from './batchUnderTest';
import { resultsAt } from './fileRuns/submissionOf';
import { ended, part, running, submission } from './partsOfRuns';

const runOf = (...parts: readonly Submission[]) => toRuns(parts)[0] ?? assert.fail();

describe('features/batches/runRow', () => {
  it('treats a run as ended when its last batch has ended, and not while a part is sending or unknown', () => {
    assert.equal(hasRunEnded(runOf(submission('s', { batch: running }))), false);
    assert.equal(hasRunEnded(runOf(submission('s', { batch: ended }))), true);
    assert.equal(hasRunEnded(runOf(submission('s', { deleted: true }))), true);
    assert.equal(hasRunEnded(runOf(part(0, { batch: ended }), part(1, { batch: ended }))), false, 'the third may be about to be sent');
    const both = [part(0, { batch: ended }), part(1, { batch: ended })];
    assert.equal(hasRunEnded(runOf(...both, part(2, { batch: running }))), false);
    assert.equal(hasRunEnded(runOf(...both, part(2, { state: 'unknown', batchId: undefined }))), false);
    assert.equal(hasRunEnded(runOf(...both, part(2, { batch: ended }))), true);
    assert.equal(hasRunEnded(runOf(...both, part(2, { state: 'failed', batchId: undefined }))), true);
    assert.equal(hasRunEnded(runOf(submission('s', { state: 'failed', batchId: undefined }))), false);
  });

  it('reports again when more parts were sent after the end was reported', () => {
    const broken = runOf(part(0, { batch: ended }), part(1, { batch: ended }), part(2, { state: 'failed', batchId: undefined }));
    const whole = runOf(part(0, { batch: ended }), part(1, { batch: ended }), part(2, { batch: ended }));
    assert.deepEqual([endMarkerOf(broken), endMarkerOf(whole)], ['p1', 'p2']);
  });

  it("sums the results of all requests and reports what wasn't sent", () => {
    const whole = runOf(part(0, { batch: ended }), part(1, { batch: ended }), part(2, { batch: ended }));
    assert.deepEqual(countsOf(whole), { processing: 0, succeeded: 6, errored: 3, canceled: 0, expired: 0 });
    assert.equal(describeEnd(whole, context), 'All 3 batches of big.jsonl have ended: 6 answered, 3 failed.');
    const broken = runOf(part(0, { batch: ended }), part(1, { state: 'failed', batchId: undefined }));
    assert.equal(describeEnd(broken, context), '1 of 3 batches of big.jsonl were sent and have ended: 2 answered, 1 failed.');
    const one = submission('s', { batch: ended });
    assert.equal(describeEnd(runOf(one), context), 'The batch of s.jsonl has ended: 2 answered, 1 failed.');
    const fetched = runOf({ ...one, results: resultsAt('/r') });
    assert.equal(describeEnd(fetched, context), 'The batch of s.jsonl has ended: 9 succeeded, 1 cut short, 2 failed.');
  });
});
