import assert from 'node:assert/strict';
import type { PresentationContext } from '../../../../../src/common/text/presentation';
import { summarize } from '../../../../../src/features/batches/watching/runSummary';
import { presentStatus } from '../../../../../src/features/batches/watching/statusPresentation';
import { toRuns } from '../../../../../src/features/ledger/runs';
import type { Submission } from '../../../../../src/features/ledger/submission';
import { fieldOf } from '../../../../helpers/fieldOf';
import { context } from '../batchUnderTest';
import { batch, ended, part, running, submission } from '../partsOfRuns';

describe('features/batches/watching/runSummary', () => {
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

describe('features/batches/watching/statusPresentation', () => {
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
