import assert from 'node:assert/strict';
import { createRandom } from '../../../../../src/jsonl/arranging/random';
import { mcnemarTest } from '../../../../../src/jsonl/comparing/verdict/mcnemarTest';
import { newcombeInterval } from '../../../../../src/jsonl/comparing/verdict/newcombeInterval';
import type { PairedTable } from '../../../../../src/jsonl/comparing/verdict/pairedTable';
import { runs } from '../../../../helpers/runs';

const table = (bothPass: number, worse: number, better: number, bothFail: number): PairedTable => ({ bothPass, worse, better, bothFail });

function formatted(pairs: PairedTable, digits = 4): readonly string[] {
  const interval = newcombeInterval(pairs);
  return interval === undefined ? [] : [interval.difference, interval.low, interval.high].map(value => value.toFixed(digits));
}

describe('jsonl/comparing/verdict/newcombeInterval', () => {
  it('gives the intervals that were published', () => {
    // Fagerland, Lydersen, Laake, chapter 8 (R package contingencytables), with the sign of after less before: Cavo 2012, Bentur 2009.
    assert.deepEqual(formatted(table(59, 6, 16, 80)), ['0.0621', '0.0046', '0.1186']);
    assert.deepEqual(formatted(table(1, 1, 7, 12), 3), ['0.286', '0.026', '0.507']);
    // Altman, Machin, Bryant, Gardner, "Statistics with Confidence", table 6.2.
    assert.deepEqual(formatted(table(14, 5, 0, 22), 3), ['-0.122', '-0.226', '-0.011']);
  });

  it('turns around with the runs, and stays within -1 and 1 around the difference', () => {
    const random = createRandom('tables');
    for (let trial = 0; trial < runs(3000); trial++) {
      const pairs = table(random.below(20), random.below(20), random.below(20), random.below(20) + 1);
      const there = newcombeInterval(pairs);
      const back = newcombeInterval({ ...pairs, worse: pairs.better, better: pairs.worse });
      assert.ok(there && back);
      assert.ok(Math.abs(there.low + back.high) < 1e-9 && Math.abs(there.high + back.low) < 1e-9);
      assert.ok(-1 <= there.low && there.low <= there.difference && there.difference <= there.high && there.high <= 1);
    }
  });

  it('leaves 0 out wherever the exact test finds a difference, so that both say the same', () => {
    for (let count = 1; count <= 24; count++) {
      for (let worse = 0; worse <= count; worse++) {
        for (let better = 0; worse + better <= count; better++) {
          for (const bothPass of [0, Math.floor((count - worse - better) / 2), count - worse - better]) {
            const interval = newcombeInterval(table(bothPass, worse, better, count - worse - better - bothPass));
            assert.ok(interval);
            if (mcnemarTest(worse, better) <= 0.05) {
              assert.ok(interval.low > 0 || interval.high < 0, JSON.stringify({ bothPass, worse, better, count }));
            }
          }
        }
      }
    }
  });

  it('holds the true difference in 95 of 100 runs, about', () => {
    const random = createRandom('coverage');
    const trials = runs(10_000, 2000);
    let held = 0;
    for (let trial = 0; trial < trials; trial++) {
      const counts = [0, 0, 0, 0];
      for (let pair = 0; pair < 80; pair++) {
        // Shares of 60, 5, 15 and 20 percent.
        const at = random.below(20);
        const cell = at < 12 ? 0 : at < 13 ? 1 : at < 16 ? 2 : 3;
        counts[cell] = (counts[cell] ?? 0) + 1;
      }
      const [bothPass = 0, worse = 0, better = 0, bothFail = 0] = counts;
      const interval = newcombeInterval(table(bothPass, worse, better, bothFail));
      held += interval !== undefined && interval.low <= 0.1 && interval.high >= 0.1 ? 1 : 0;
    }
    assert.ok(held / trials > 0.93 && held / trials < 0.985, `${held} of ${trials}`);
  });

  it('holds at its ends: no pair, all the same, 100,000', () => {
    assert.equal(newcombeInterval(table(0, 0, 0, 0)), undefined);
    assert.deepEqual(formatted(table(50, 0, 0, 0), 3), ['0.000', '-0.071', '0.071']);
    assert.deepEqual(formatted(table(0, 50, 0, 0), 3), ['-1.000', '-1.000', '-0.899']);
    assert.deepEqual(formatted(table(40_000, 20_000, 20_500, 19_500)), ['0.0050', '0.0011', '0.0089']);
  });
});
