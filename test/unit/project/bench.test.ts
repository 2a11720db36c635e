import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compareBooks, openBook, readBook } from '../../bench/benchBook.mjs';
import { above, judge, ratios, summarize, toVerdictLine } from '../../bench/judging.mjs';

/** Returns the probability that the true median is within the spread of `count` values. */
function certaintyOf(count: number): number {
  const { least } = summarize(Array.from({ length: count }, (_, index) => index));
  let outside = 0;
  let ways = 1;
  for (let below = 0; below <= least; below++) {
    outside += ways / 2 ** count;
    ways = (ways * (count - below)) / (below + 1);
  }
  return 1 - 2 * outside;
}

describe('project/bench', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-book-'));
  after(() => rmSync(folder, { recursive: true }));

  it('returns a median and a spread that contains it in nine cases of ten', () => {
    assert.deepEqual(summarize([3, 1, 2]), { median: 2, least: 1, most: 3, runs: 3 });
    assert.deepEqual(summarize([4, 1, 2, 3]), { median: 2.5, least: 1, most: 4, runs: 4 });
    assert.deepEqual(summarize([8, 1, 2, 3, 4, 5, 6, 7]), { median: 4.5, least: 2, most: 7, runs: 8 });
    for (let count = 5; count < 60; count++) {
      assert.ok(certaintyOf(count) >= 0.9 && certaintyOf(count) < 0.99, `${count}: ${certaintyOf(count)}`);
    }
  });

  it('compares runs of the same round, or with the last run', () => {
    const ours = [{ ms: 10 }, { ms: 20 }, { ms: 40 }];
    assert.deepEqual(ratios([{ ms: 20 }, { ms: 20 }, { ms: 20 }], ours), [2, 1, 0.5]);
    assert.deepEqual(ratios([{ ms: 40 }], ours), [4, 2, 1]);
    assert.deepEqual(above(ours, [{ ms: 1 }, { ms: 30 }], 'ms'), [9, 0, 10]);
  });

  it('distinguishes a met or missed promise from an undecided one', () => {
    const verdict = (values: readonly number[], wanted: { atLeast?: number; atMost?: number; isExact?: boolean }) =>
      judge({ promise: 'speed', values, ...wanted }).verdict;
    assert.equal(verdict([1.1, 1.2, 1.3], { atLeast: 1 }), 'met');
    assert.equal(verdict([0.9, 0.8, 0.7], { atLeast: 1 }), 'missed');
    assert.equal(verdict([0.9, 1.2, 1.3], { atLeast: 1 }), 'cannot tell');
    assert.equal(verdict([5, 6, 10], { atMost: 10 }), 'met');
    assert.equal(verdict([11, 12, 13], { atMost: 10 }), 'missed');
    assert.equal(verdict([2, 2], { atMost: 10 }), 'cannot tell');
    assert.equal(verdict([2], { atMost: 10, isExact: true }), 'met');
    // One outlier in eight runs doesn't change the verdict.
    assert.equal(verdict([99, 2, 2, 2, 2, 2, 2, 2], { atMost: 10 }), 'met');
    assert.equal(
      toVerdictLine(judge({ promise: 'of the SDK', values: [0.5, 0.61234, 0.7], atLeast: 4 })),
      'missed: of the SDK 0.612 (0.5 to 0.7 in 3 runs), promised at least 4',
    );
  });

  it('stores measurements, and reports changes between two files', () => {
    const book = (name: string, ms: readonly number[]) => {
      const opened = openBook(path.join(folder, name), { root: folder, args: [] });
      const ours = ms.map(value => ({ ms: value, cpuMs: 7 }));
      const promises = [judge({ promise: 'speed', values: ms, atMost: 25 })];
      opened.add({ row: 'both' }, { runs: { ours }, promises });
      opened.add({ row: name });
      assert.equal(opened.count('met') + opened.count('missed'), 1);
      return readBook(opened.file);
    };
    assert.deepEqual(
      [...compareBooks(book('a', [30, 31, 32]), book('b', [20, 21, 22]))],
      [
        'both:',
        '  ours ms: 31 -> 21 (0.68x) less',
        '  ours cpuMs: 7 -> 7 (1.00x) cannot tell',
        '  speed: 31 missed -> 21 met',
        'only in the first: a',
        'only in the second: b',
      ],
    );
  });
});
