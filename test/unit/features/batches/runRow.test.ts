import assert from 'node:assert/strict';
import type { MessageBatch } from '../../../../src/client/resources/messageBatches';
import type { PresentationContext } from '../../../../src/common/text/presentation';
import { describeEnd } from '../../../../src/features/batches/runPresentation';
import { countsOf, endMarkerOf, hasRunEnded } from '../../../../src/features/batches/runRow';
import { summarize } from '../../../../src/features/batches/watching/runSummary';
import { presentStatus } from '../../../../src/features/batches/watching/statusPresentation';
import { toRuns } from '../../../../src/features/ledger/runs';
import type { Submission } from '../../../../src/features/ledger/submission';
import { fieldOf } from '../../../helpers/fieldOf';
import { recordOf } from '../ledger/ledgerOfTest';
import { batch as batchOf, context } from './batchUnderTest';
import { resultsAt } from './fileRuns/submissionOf';

const batch = (status: string, counts: Partial<MessageBatch['request_counts']>, change: Partial<MessageBatch> = {}) =>
  batchOf(status, counts, { created_at: '2026-11-21T11:50:00Z', expires_at: '2026-11-22T11:50:00Z', ...change });

const submission = (id: string, change: Partial<Submission> = {}) =>
  recordOf({ id, source: `file:///data/${id}.jsonl`, batchId: `b-${id}`, state: 'created', startedAt: '2026-11-21T11:50:00Z', ...change });

const part = (index: number, change: Partial<Submission> = {}) =>
  submission(`p${index}`, { source: 'file:///data/big.jsonl', group: { id: 'g', index, count: 3 }, ...change });
const running = batch('in_progress', { processing: 2 });
const ended = batch('ended', { succeeded: 2, errored: 1 });

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

  it('distinguishes running runs, ended runs that were not seen, and runs that need the user', () => {
    const all = [
      submission('young', { batch: running, startedAt: '2026-11-21T11:59:00Z' }),
      submission('old', { batch: running }),
      submission('elsewhere', { batch: running }),
      submission('seen', { batch: ended, isEndSeen: true }),
      submission('fresh', { batch: ended, isEndSeen: false }),
      submission('before', { batch: ended }),
      submission('lost', { state: 'unknown', batchId: undefined }),
      submission('sending', { state: 'sending', batchId: undefined, startedAt: '2026-11-21T11:59:30Z' }),
      submission('failed', { state: 'failed', batchId: undefined }),
    ];
    const summary = summarize(all, ({ id }) => id !== 'elsewhere');
    assert.deepEqual(fieldOf(summary.running, 'id'), ['old', 'young', 'sending']);
    assert.deepEqual(fieldOf(summary.ended, 'id'), ['fresh']);
    assert.deepEqual(fieldOf(summary.unknown, 'id'), ['lost']);
  });
});

describe('features/batches/runRow statusPresentation', () => {
  const isWatched = () => true;
  const present = (...all: readonly Submission[]) => presentStatus(summarize(all, isWatched), context);

  it('is hidden when there is nothing to report', () => {
    assert.equal(present(submission('s', { batch: ended })), undefined);
  });

  it('shows how long the oldest run has been running, and never a percentage', () => {
    const status = present(
      submission('old', { batch: running }),
      submission('young', { batch: running, startedAt: '2026-11-21T11:59:00Z' }),
    );
    assert.equal(status?.text, '$(sync~spin) 2 batches running · 10 min');
    assert.deepEqual(status?.tooltip, ['old.jsonl: running for 10 min', 'young.jsonl: running for 1 min']);
    assert.equal(status?.spoken, 'Batches running: 2, the oldest for 10 min');
  });

  it('shows the parts of a group together, and that they are being canceled', () => {
    const canceling = batch('canceling', { processing: 2 }, { cancel_initiated_at: '2026-11-21T11:58:00Z' });
    const status = present(part(0, { batch: ended }), part(1, { batch: canceling }), part(2, { batch: running }));
    assert.equal(status?.text, '$(sync~spin) 2 batches running · 10 min');
    assert.deepEqual(status?.tooltip, ['big.jsonl: canceling · 1 of 3 ended']);
  });

  it("shows a group's unsent parts, while the others run and after they have ended", () => {
    const failed = part(1, { state: 'failed', batchId: undefined });
    assert.match(present(part(0, { batch: running }), failed)?.tooltip[0] ?? '', /^big\.jsonl: 1 of 3 sent · running for 10 min$/);
    const over = present(part(0, { batch: ended, isEndSeen: false }), failed, part(2, { batch: ended }));
    assert.match(over?.tooltip[0] ?? '', /^big\.jsonl: 2 of 3 sent · 4 answered, 2 failed · /);
  });

  it('opens the one run that needs the user, otherwise the view', () => {
    const lost = submission('lost', { state: 'unknown', batchId: undefined });
    const alone = present(lost);
    assert.deepEqual([alone?.text, alone?.needsUser, alone?.resolve], ['$(question) 1 batch needs you', true, { submissionId: 'lost' }]);
    const troubled = present(lost, submission('fresh', { batch: ended, isEndSeen: false }));
    assert.deepEqual([troubled?.text, troubled?.resolve], ['$(question) 1 batch needs you  $(warning) 1 batch ended', undefined]);
  });

  it('formats only the shown lines, however many batches have ended unseen', () => {
    const summaryOf = (count: number) => ({
      ...{ running: [], unknown: [] },
      ended: toRuns(Array.from({ length: count }, (_, index) => submission(`s${index}`, { batch: ended }))),
    });
    const workFor = (count: number) => {
      const summary = summaryOf(count);
      let told: number | undefined;
      const translate: PresentationContext['translate'] = (text, ...args) => {
        told = (told ?? 0) + 1;
        return context.translate(text, ...(args as []));
      };
      const { tooltip, text } = presentStatus(summary, { ...context, translate }) ?? assert.fail('nothing');
      return { told, lines: tooltip.length, last: tooltip.at(-1), text };
    };
    const [few, many] = [workFor(20), workFor(2_000)];
    assert.equal(many.told, few.told);
    assert.deepEqual([many.lines, many.last, many.text], [13, 'and 1988 more', '$(warning) 2,000 batches ended']);
  });
});
