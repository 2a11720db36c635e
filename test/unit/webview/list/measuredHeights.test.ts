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
    const heights = new MeasuredHeights();
    const plain = Array.from({ length: 1000 }, () => next(100));
    heights.splice(0, 0, plain);
    for (let round = 0; round < 400; round++) {
      const at = next(plain.length + 1);
      switch (next(4)) {
        case 0: {
          const remove = next(Math.min(20, plain.length - at) + 1);
          const added = Array.from({ length: next(30) }, () => next(100));
          heights.splice(at, remove, added);
          plain.splice(at, remove, ...added);
          break;
        }
        case 1:
          if (at < plain.length) {
            heights.set(at, round);
            plain[at] = round;
          }
          break;
        default:
          heights.push(at);
          plain.push(at);
      }
      const total = plain.reduce((sum, height) => sum + height, 0);
      const index = next(plain.length + 1);
      assert.equal(heights.length, plain.length);
      assert.equal(heights.total, total);
      assert.equal(
        heights.before(index),
        plain.slice(0, index).reduce((sum, height) => sum + height, 0),
      );
      const offset = next(total + 1);
      const found = heights.find(offset);
      if (plain.length > 0 && offset < total) {
        assert.ok(heights.before(found) <= offset && offset < heights.before(found + 1), `${offset} in ${found}`);
      }
    }
    assert.ok(plain.length > 1024, 'it never grew past its first size');
  });

  it('finds the first row of an empty list, and the last one behind the end', () => {
    const heights = new MeasuredHeights();
    assert.equal(heights.find(100), 0);
    heights.splice(0, 0, [10, 20]);
    assert.equal(heights.find(-5), 0);
    assert.equal(heights.find(1000), 1);
  });
});
