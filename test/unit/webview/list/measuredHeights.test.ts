import assert from 'node:assert/strict';
import { MeasuredHeights } from '../../../../src/webview/list/measuredHeights';

/** Returns pseudo-random numbers, the same for each seed. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % below;
  };
}

describe('webview/list/measuredHeights', () => {
  it('agrees with a plain list through any changes', () => {
    const next = sequence(7);
    const plain = Array.from({ length: 1000 }, () => next(100));
    const heights = new MeasuredHeights([...plain]);
    for (let round = 0; round < 400; round++) {
      const at = next(plain.length);
      heights.set(at, round);
      plain[at] = round;
      if (round % 7 === 0) {
        const rest = plain.splice(plain.length - 1 - next(5));
        heights.truncate(plain.length);
        for (const height of rest.slice(1).concat(round)) {
          heights.push(height);
          plain.push(height);
        }
      }
      const total = plain.reduce((sum, height) => sum + height, 0);
      const index = next(plain.length + 1);
      assert.equal(
        heights.before(index),
        plain.slice(0, index).reduce((sum, height) => sum + height, 0),
      );
      const offset = next(total);
      const found = heights.find(offset);
      assert.ok(heights.before(found) <= offset && offset < heights.before(found + 1), `${offset} in ${found}`);
      assert.deepEqual([heights.length, heights.total], [plain.length, total]);
    }
  });

  it('finds the first row of an empty list, and the last one behind the end', () => {
    assert.equal(new MeasuredHeights([]).find(100), 0);
    const heights = new MeasuredHeights([10, 20]);
    assert.equal(heights.find(-5), 0);
    assert.equal(heights.find(1000), 1);
  });
});
