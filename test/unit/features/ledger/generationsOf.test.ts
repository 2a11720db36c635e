import assert from 'node:assert/strict';
import fc from 'fast-check';
import { generationsOf } from '../../../../src/features/ledger/generationsOf';
import { type Run, toRuns } from '../../../../src/features/ledger/runs';
import { runs } from '../../../helpers/runs';
import { assertLinear } from '../../../helpers/workOf';
import { submission } from './ledgerOfTest';

describe('features/ledger/generationsOf', () => {
  it('follows generations to their root and down again, and no ring for ever', () => {
    const runs = toRuns([
      submission('root', 1),
      submission('again', 2, { follows: { runId: 'root', purpose: 'retry' } }),
      submission('more', 3, { follows: { runId: 'again', purpose: 'retry' } }),
      submission('other', 4),
    ]);
    const more = runs.find(({ id }) => id === 'more');
    assert.deepEqual(more && generationsOf(runs, more).map(({ id }) => id), ['root', 'again', 'more']);
    const ring = toRuns([
      submission('a', 1, { follows: { runId: 'b', purpose: 'retry' } }),
      submission('b', 2, { follows: { runId: 'a', purpose: 'retry' } }),
    ]);
    assert.equal(ring[0] && generationsOf(ring, ring[0]).length, 2);
  });

  it('finds the same family whichever run is asked for, as one by one would, also in rings and among wrong clocks', () => {
    const follower = fc.record({ minute: fc.nat(6), before: fc.option(fc.nat(9), { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(follower, { maxLength: 9 }), followers => {
        const list = followers.map(({ minute, before }, index) =>
          submission(`${index}`, minute, before === undefined ? {} : { follows: { runId: `${before}`, purpose: 'retry' } }),
        );
        const all = toRuns(list);
        for (const run of all) {
          assert.deepEqual(generationsOf(all, run), familyOneByOne(all, run));
        }
      }),
      { numRuns: runs(3000) },
    );
  });

  it('finds families in proportion to the ledger, however many are asked for', () => {
    assertLinear(size => {
      const list = Array.from({ length: size }, (_, index) =>
        submission(`${index}`, index, index % 2 === 0 ? {} : { follows: { runId: `${index - 1}`, purpose: 'retry' } }),
      );
      return () => {
        const all = toRuns(list);
        assert.equal(all.filter(run => generationsOf(all, run).length === 2).length, size);
      };
    });
  });

  it('knows of any run the newest of its family, whatever changed', () => {
    const follower = fc.record({ minute: fc.nat(6), before: fc.option(fc.nat(5), { nil: undefined }) });
    const change = fc.record({ place: fc.nat(5), before: fc.option(fc.option(fc.nat(5), { nil: undefined })) });
    fc.assert(
      fc.property(fc.array(follower, { minLength: 1, maxLength: 6 }), fc.array(change, { maxLength: 6 }), (followers, changes) => {
        const following = (before: number | undefined) =>
          before === undefined ? {} : { follows: { runId: `${before}`, purpose: 'retry' as const } };
        let list = followers.map(({ minute, before }, index) => submission(`${index}`, minute, following(before)));
        for (const [count, { place, before }] of changes.entries()) {
          const at = place % list.length;
          const { follows, ...old } = list[at] ?? submission('', 0);
          const kept = follows === undefined ? {} : { follows };
          list = list.with(at, { ...old, isEndSeen: count % 2 === 0, ...(before === null ? kept : following(before)) });
          const all = toRuns(list);
          for (const run of all) {
            assert.deepEqual(generationsOf(all, run), familyOneByOne(all, run));
          }
        }
      }),
      { numRuns: runs(3000) },
    );
  });
});

function familyOneByOne(runs: readonly Run[], run: Run): readonly Run[] {
  const find = (id: string | undefined) => runs.find(other => other.id === id);
  let root = run;
  const seen = new Set([run]);
  for (let before = find(root.follows?.runId); before !== undefined && !seen.has(before); before = find(root.follows?.runId)) {
    seen.add(before);
    root = before;
  }
  const family = [root];
  const byStart = runs.filter(({ follows }) => follows !== undefined).sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  for (const other of byStart) {
    if (!family.includes(other) && family.some(({ id }) => id === other.follows?.runId)) {
      family.push(other);
    }
  }
  return family;
}
