import assert from 'node:assert/strict';
import fc from 'fast-check';
import { generationsOf, type Run, toRuns } from '../../../../src/features/ledger/runs';
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
    assert.deepEqual(ring[0] && generationsOf(ring, ring[0]), [ring[0]]);
  });

  it('finds the same family whichever run is asked for, as one by one would, also among wrong clocks', () => {
    const follower = fc.record({ minute: fc.nat(6), before: fc.option(fc.nat(9), { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(follower, { maxLength: 9 }), followers => {
        const list = followers.map(({ minute, before }, index) =>
          submission(
            `${index}`,
            minute,
            before === undefined || before >= index ? {} : { follows: { runId: `${before}`, purpose: 'retry' } },
          ),
        );
        const all = toRuns(list);
        const rootOf = (run: Run): Run => all.filter(({ id }) => id === run.follows?.runId).map(rootOf)[0] ?? run;
        for (const run of all) {
          const family = generationsOf(all, run);
          assert.equal(family[0], rootOf(run));
          assert.deepEqual(new Set(family), new Set(all.filter(other => rootOf(other) === rootOf(run))));
          const starts = family.slice(1).map(({ startedAt }) => startedAt);
          assert.deepEqual(starts, [...starts].sort());
        }
      }),
      { numRuns: runs(1000) },
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
});
