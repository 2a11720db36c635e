import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { MessageBatch } from '../../../../src/client/resources/messageBatches';
import { thisHolder } from '../../../../src/features/ledger/lockHolder';
import type { Submission, SubmissionState } from '../../../../src/features/ledger/submission';
import type { SubmissionRegistry } from '../../../../src/features/ledger/submissionRegistry';
import { addSteps, type SubmissionStep, stepsOf, withoutSteppingBack } from '../../../../src/features/ledger/submissionSteps';
import { runs } from '../../../helpers/runs';
import { ids, recordOf, useLedger } from './ledgerOfTest';

const [id] = ids;
const at = '2026-05-04T10:00:00.000Z';

const submission = (change: Partial<Submission> = {}) => recordOf({ state: 'unknown', startedAt: new Date().toISOString(), ...change });

function batch(processing_status: string, change: Partial<MessageBatch> = {}): MessageBatch {
  const request_counts = { processing: 3, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
  return { id: 'msgbatch_1', type: 'message_batch', processing_status, request_counts, ...change };
}

const kinds = (steps: readonly SubmissionStep[] = []) => steps.map(({ what }) => what);

describe('features/ledger/submissionSteps', () => {
  it('describes each change', () => {
    const kindsOf = (before: Partial<Submission>, change: Partial<Submission>) => kinds(stepsOf(submission(before), change, at));
    assert.deepEqual(kindsOf({ state: 'sending' }, { handedOut: true }), ['handed_out']);
    assert.deepEqual(kindsOf({ state: 'sending' }, { state: 'created', batchId: 'b', batch: batch('in_progress') }), ['created']);
    assert.deepEqual(kindsOf({ state: 'sending' }, { state: 'unknown', problem: 'cut' }), ['lost']);
    assert.deepEqual(kindsOf({ state: 'sending' }, { state: 'failed' }), ['failed']);
    assert.deepEqual(kindsOf({}, { state: 'abandoned' }), ['abandoned']);
    assert.deepEqual(kindsOf({}, { state: 'created', batchId: 'b', batch: batch('ended') }), ['adopted', 'ended']);
    assert.deepEqual(
      kindsOf({ state: 'created', batch: batch('in_progress') }, { batch: batch('canceling', { cancel_initiated_at: at }) }),
      ['canceling'],
    );
    assert.deepEqual(kindsOf({ batch: batch('ended') }, { batch: batch('ended') }), []);
    assert.deepEqual(kindsOf({}, { deleted: true }), ['deleted']);
    const search = { looks: 1, lookedAt: at, listed: 4, reachedBack: true, candidates: [{ batchId: 'b', ended: true, ids: 'different' }] };
    assert.deepEqual(stepsOf(submission(), { search: search as Submission['search'] }, at), [
      { what: 'looked', at, candidates: 0, listed: 4 },
    ]);
  });

  it('keeps the first and the last steps, and merges polls with equal results', () => {
    const look = (n: number): SubmissionStep => ({ what: 'looked', at: String(n), candidates: 0, listed: n });
    assert.deepEqual(addSteps([look(1)], [look(2), look(3)]), [{ ...look(3), times: 3 }]);
    const many = Array.from({ length: 500 }, (_, n) => ({ what: `step${n}`, at, note: 'x'.repeat(5_000) }));
    const kept = addSteps([], many);
    assert.equal(kept.length, 80);
    assert.deepEqual([kept[0]?.what, kept[9]?.what, kept[79]?.what], ['step0', 'step9', 'step499']);
    assert.ok(kept.every(({ note = '' }) => note.length <= 600));
  });

  it('never loses a batch, its end, or the record that the whole body was sent', () => {
    const created = submission({ state: 'created', batchId: 'msgbatch_1', batch: batch('ended'), handedOut: true });
    for (const state of ['sending', 'unknown', 'failed', 'abandoned'] as const) {
      assert.deepEqual(withoutSteppingBack(created, { state, problem: 'late', requestId: 'r' }), { requestId: 'r' });
    }
    assert.deepEqual(withoutSteppingBack(created, { batch: batch('in_progress') }), {});
    assert.deepEqual(withoutSteppingBack(created, { handedOut: false, steps: [] }), {});
    assert.deepEqual(withoutSteppingBack(submission({ state: 'abandoned' }), { state: 'created' }), { state: 'created' });
  });

  describe('across two windows, crashes and newer versions', () => {
    const ledger = useLedger();

    const ranks: Readonly<Record<SubmissionState, number>> = { sending: 0, unknown: 1, failed: 2, abandoned: 2, created: 3 };
    const statuses = ['in_progress', 'canceling', 'ended'];

    /** Facts of a submission that every window must have from now on. */
    class Model {
      rank = 1;
      status = -1;
      readonly made = new Set<string>();
      readonly fields = new Map<string, unknown>();

      take(change: Partial<Submission>): void {
        this.rank = Math.max(this.rank, ranks[change.state ?? 'sending']);
        this.status = Math.max(this.status, statuses.indexOf(change.batch?.processing_status ?? ''));
        for (const { source } of change.made ?? []) {
          this.made.add(source);
        }
        for (const field of ['deleted', 'batchId'] as const) {
          if (change[field] !== undefined) {
            this.fields.set(field, change[field]);
          }
        }
      }

      check(found: Submission | undefined, where: string): void {
        assert.ok(found !== undefined && ranks[found.state] >= this.rank, `${where}: ${found?.state}`);
        assert.ok(statuses.indexOf(found.batch?.processing_status ?? '') >= this.status, `${where}: ${found.batch?.processing_status}`);
        assert.deepEqual(new Set(found.made?.map(({ source }) => source)), this.made, where);
        for (const [field, value] of this.fields) {
          assert.deepEqual(Object.entries(found).find(([name]) => name === field)?.[1], value, `${where}: ${field}`);
        }
        const words = kinds(found.steps);
        for (const once of ['ended', 'deleted', 'adopted']) {
          assert.ok(words.filter(word => word === once).length <= 1, `${where}: ${words.join(' ')}`);
        }
      }
    }

    it('loses no field and never steps back, in any order', async () => {
      for (let seed = 1; seed <= runs(6, 2); seed++) {
        const below = random(seed);
        rmSync(path.join(ledger.folder, id), { recursive: true, force: true });
        const windows = [await ledger.loaded(), await ledger.loaded()];
        const model = new Model();
        await windows[0]?.save(submission());
        await windows[1]?.reload();
        for (let round = 0; round < 8; round++) {
          const changes = Array.from({ length: 1 + below(3) }, (_, n) => changeOf(below, `${round}-${n}`));
          await Promise.all(changes.map(async change => windows[below(2)]?.update(id, change)));
          for (const change of changes) {
            model.take(change);
          }
          await happen(below(5), windows, below(2));
          const where = `seed ${seed}, round ${round}`;
          for (const registry of windows) {
            await registry.reload();
            model.check(registry.find(id), where);
          }
          assert.deepEqual(windows[0]?.find(id), windows[1]?.find(id), where);
        }
        const raw = JSON.parse(readFileSync(path.join(ledger.folder, id, 'submission.json'), 'utf8'));
        assert.equal(raw.ofNewerVersion ?? 'kept', 'kept', `seed ${seed}`);
      }
    });

    async function happen(what: number, windows: SubmissionRegistry[], which: number): Promise<void> {
      const file = path.join(ledger.folder, id, 'submission.json');
      if (what === 0) {
        // A window dies in the middle of a write, and another one opens.
        writeFileSync(`${file}.99999999.tmp`, '{"id": "cut');
        writeFileSync(path.join(ledger.folder, id, 'submission.lock'), JSON.stringify({ ...thisHolder(), pid: 99_999_999 }));
        windows[which]?.dispose();
        windows[which] = await ledger.loaded();
      } else if (what === 1) {
        writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ofNewerVersion: 'kept' }));
      }
    }

    function changeOf(below: (n: number) => number, name: string): Partial<Submission> {
      switch (below(6)) {
        case 0:
          return { state: 'created', batchId: 'msgbatch_1' };
        case 1:
          return { state: (['unknown', 'failed', 'abandoned', 'sending'] as const)[below(4)], problem: name };
        case 2:
          return { batch: batch(statuses[below(3)] ?? 'ended') };
        case 3:
          return { made: [{ source: `file:///${name}`, sha256: name, purpose: 'retry', madeAt: at }] };
        case 4:
          return { deleted: true };
        default:
          return { search: { looks: 1, lookedAt: at, listed: below(9), reachedBack: true, candidates: [] } };
      }
    }
  });
});

/** Returns a generator of integers below a bound. Equal seeds give equal numbers. */
function random(seed: number): (below: number) => number {
  let state = seed * 2654435761;
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
