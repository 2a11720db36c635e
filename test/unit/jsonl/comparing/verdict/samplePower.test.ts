import assert from 'node:assert/strict';
import { createRandom } from '../../../../../src/jsonl/arranging/random';
import { mcnemarTest } from '../../../../../src/jsonl/comparing/verdict/mcnemarTest';
import { pairsNeeded } from '../../../../../src/jsonl/comparing/verdict/samplePower';
import { runs } from '../../../../helpers/runs';

describe('jsonl/comparing/verdict/samplePower', () => {
  it('asks for as many pairs as the published formulas', () => {
    // Connor 1987 by hand: (1.959964 sqrt(0.3) + 0.841621 sqrt(0.3 - 0.04))^2 / 0.04 = 56.4.
    assert.equal(pairsNeeded(0.2, { spread: 0.3, kind: 'shares' }), 57);
    assert.equal(pairsNeeded(-0.2, { spread: 0.3, kind: 'shares' }), 57);
    // The paired z-test for a difference of half a standard deviation, a textbook example.
    assert.equal(pairsNeeded(0.5, { spread: 1, kind: 'numbers' }), 32);
    assert.equal(pairsNeeded(0, { spread: 0.3, kind: 'shares' }), Number.POSITIVE_INFINITY);
  });

  it('asks for as many as find a difference in about 80 of 100 runs', () => {
    const random = createRandom('power');
    const size = 0.07;
    const count = pairsNeeded(size, { spread: 0.2, kind: 'shares' });
    const worseBelow = (0.2 - size) / 2;
    const trials = runs(4000, 1000);
    let found = 0;
    for (let trial = 0; trial < trials; trial++) {
      let worse = 0;
      let better = 0;
      for (let pair = 0; pair < count; pair++) {
        const at = random.below(1_000_000) / 1_000_000;
        worse += at < worseBelow ? 1 : 0;
        better += at >= worseBelow && at < 0.2 ? 1 : 0;
      }
      found += mcnemarTest(worse, better) <= 0.05 ? 1 : 0;
    }
    // The exact test is stricter than its alpha, so it finds somewhat fewer.
    assert.ok(found / trials > 0.72 && found / trials < 0.86, `${found} of ${trials} at ${size}`);
  });
});
