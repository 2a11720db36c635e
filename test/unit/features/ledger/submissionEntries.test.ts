import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Submission } from '../../../../src/features/ledger/submission';
import { SubmissionEntries } from '../../../../src/features/ledger/submissionEntries';
import { fieldOf } from '../../../helpers/fieldOf';
import { runs } from '../../../helpers/runs';
import { submission } from './ledgerOfTest';

describe('features/ledger/submissionEntries', () => {
  let entries: SubmissionEntries;
  const put = (one: Submission) => entries.put(`/ledger/${one.id}`, { submission: one, raw: {} }, undefined);

  beforeEach(() => {
    entries = new SubmissionEntries({ isHeld: async () => false, onSending: () => {} });
  });

  it('lists and finds the same entries as a linear search, after any changes', async () => {
    const change = fc.record({
      id: fc.integer({ min: 0, max: 9 }),
      minute: fc.integer({ min: 0, max: 3 }),
      batch: fc.option(fc.integer({ min: 0, max: 3 })),
      connection: fc.constantFrom('A', 'B'),
      isGone: fc.boolean(),
      isListed: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 30 }), async changes => {
        entries = new SubmissionEntries({ isHeld: async () => false, onSending: () => {} });
        const known = new Map<string, Submission>();
        for (const { id, minute, batch, connection, isGone, isListed } of changes) {
          const one = submission(`s${id}`, minute, { connection, ...(batch === null ? {} : { batchId: `b${batch}` }) });
          if (isGone) {
            known.delete(one.id);
            entries.drop(one.id);
          } else {
            known.set(one.id, one);
            await put(one);
          }
          if (isListed) {
            entries.all();
          }
        }
        const listed = entries.all();
        assert.deepEqual(new Set(listed), new Set(known.values()));
        const starts = listed.map(({ startedAt }) => startedAt);
        assert.deepEqual(starts, [...starts].sort().reverse());
        for (const [connection, batchId] of ['A', 'B'].flatMap(name => [0, 1, 2, 3].map(batch => [name, `b${batch}`] as const))) {
          const isMeant = (one: Submission) => one.connection === connection && one.batchId === batchId;
          const found = entries.findByBatch(connection, batchId);
          assert.equal(found?.startedAt, listed.find(isMeant)?.startedAt);
          assert.ok(found === undefined || isMeant(found));
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it('returns the same list until something changes', async () => {
    await put(submission('s1', 1));
    const before = entries.all();
    assert.equal(entries.all(), before);
    await put(submission('s2', 2));
    assert.deepEqual(fieldOf(entries.all(), 'id'), ['s2', 's1']);
  });
});
