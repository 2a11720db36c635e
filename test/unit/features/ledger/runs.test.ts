import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  finalResultsOf,
  followsOf,
  generationsOf,
  hasBatch,
  type Run,
  resultsOf,
  resultsOfSource,
  runOf,
  runsOfSource,
  toRuns,
} from '../../../../src/features/ledger/runs';
import type { FetchedResults } from '../../../../src/features/ledger/submission';
import { fieldOf } from '../../../helpers/fieldOf';
import { runs } from '../../../helpers/runs';
import { assertLinear } from '../../../helpers/workOf';
import { part, submission } from './ledgerOfTest';

const fetched = (joinedPath: string) => ({ joinedPath, fetchedAt: '2026-01-01T00:00:00Z' }) as FetchedResults;

describe('features/ledger/runs', () => {
  it('treats the parts of a group as one run, in order, newest run first', () => {
    const runs = toRuns([part('p1', 1, 2), submission('s', 9), part('p0', 0, 1)]);
    assert.deepEqual(
      runs.map(({ id, parts, submissions }) => [id, parts, submissions.map(({ id }) => id)]),
      [
        ['s', 1, ['s']],
        ['p0', 2, ['p0', 'p1']],
      ],
    );
    assert.equal(runOf([part('p1', 1, 2), part('p0', 0, 1)], part('p1', 1, 2))?.id, 'p0');
  });

  it('returns the results of all parts of a group, never those of one', () => {
    const [run] = toRuns([part('p0', 0, 1, { results: fetched('one') }), part('p1', 1, 2)]);
    assert.equal(run && resultsOf(run), undefined);
    const [whole] = toRuns([part('p0', 0, 1, { results: fetched('one'), groupResults: fetched('all') }), part('p1', 1, 2)]);
    assert.equal(whole && resultsOf(whole)?.joinedPath, 'all');
  });

  it('shows the merged results for every run, and those of the newest run with results for a file', () => {
    const all = [
      submission('new', 5),
      submission('again', 2, { follows: { runId: 'root', purpose: 'retry' }, source: 'file:///retry.jsonl', results: fetched('second') }),
      submission('root', 1, { results: fetched('first'), merged: { ...fetched('both'), runIds: ['root', 'again'] } }),
    ];
    const runs = toRuns(all);
    const again = runs.find(({ id }) => id === 'again');
    assert.equal(again && finalResultsOf(runs, again)?.joinedPath, 'both');
    assert.equal(resultsOfSource(all, 'file:///a.jsonl')?.results.joinedPath, 'both');
    assert.equal(resultsOfSource(all, 'file:///retry.jsonl')?.results.joinedPath, 'second', 'what is said of a retry is of the retry');
    assert.equal(resultsOfSource(all, 'file:///none.jsonl'), undefined);
  });

  it('lists parts that never became a batch', () => {
    const run = (batchId: string | undefined) => ({ submissions: [{ ...submission('a', 1), batchId }] });
    assert.deepEqual([hasBatch(run('b')), hasBatch(run(undefined))], [true, false]);
  });

  it('finds the origin of a derived file by its content first, then by its name', () => {
    const made = (sha256: string, source: string) => [{ source, sha256, purpose: 'retry' as const, madeAt: '2026-01-01T00:00:00Z' }];
    const all = [submission('a', 1, { made: made('x', 'file:///r.jsonl') }), submission('b', 2, { made: made('y', 'file:///q.jsonl') })];
    assert.equal(followsOf(all, 'file:///r.jsonl', 'y')?.runId, 'b');
    assert.equal(followsOf(all, 'file:///r.jsonl', 'edited')?.runId, 'a');
    assert.equal(followsOf(all, 'file:///new.jsonl', 'z'), undefined);
  });

  it('derives runs of a list once, until the list changes', () => {
    const list = [submission('a', 1)];
    assert.equal(toRuns(list), toRuns(list));
    assert.notEqual(toRuns([...list]), toRuns(list));
  });

  it('derives only changed runs again, and finds those of a file and of a submission', () => {
    const all = [submission('s', 9, { source: 'file:///b.jsonl' }), part('p1', 1, 2), part('p0', 0, 1), submission('t', 0)];
    const before = toRuns(all);
    const now = toRuns(all.with(0, submission('s', 9, { isEndSeen: true })));
    assert.deepEqual(
      now.map((run, index) => run === before[index]),
      [false, true, true],
    );
    assert.deepEqual(fieldOf(runsOfSource(before, 'file:///a.jsonl'), 'id'), ['p0', 't']);
    assert.deepEqual(runsOfSource(before, 'file:///c.jsonl'), []);
    assert.equal(runOf(all, part('p1', 1, 2)), before[1]);
    const [again] = toRuns([submission('p2', 3, { group: { id: 'g', index: 1, count: 2 } }), ...all]).slice(1);
    assert.deepEqual([again?.id, again?.submissions.map(({ id }) => id)], ['p0', ['p0', 'p2']]);
  });
});

describe('features/ledger/runs generationsOf', () => {
  it('stops at a cycle', () => {
    const ring = toRuns([
      submission('a', 1, { follows: { runId: 'b', purpose: 'retry' } }),
      submission('b', 2, { follows: { runId: 'a', purpose: 'retry' } }),
    ]);
    assert.deepEqual(ring[0] && generationsOf(ring, ring[0]), [ring[0]]);
  });

  it('finds the same family from each of its runs, even with wrong clocks', () => {
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

  it('finds families in linear time', () => {
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
