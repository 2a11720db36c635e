import assert from 'node:assert/strict';
import { EvenHeights, isRowMove, ListWindow, MeasuredHeights, moveKeys, rowAfter } from '../../../../src/webview/list/listWindow';

const rowHeight = 24;

describe('webview/list/listWindow', () => {
  it('renders the visible rows and a few more, at any scroll position, in lists of any size', () => {
    for (const count of [0, 1, 10, 1000, 100_000, 333_334, 3_000_000, 100_000_000]) {
      const window = new ListWindow(new EvenHeights(count, rowHeight), 500);
      assert.ok(window.extent <= 8_000_000);
      for (const share of [0, 0.25, 0.5, 0.9999, 1]) {
        const top = window.last * share;
        const { from, to } = window.rangeAt(top, 2 * rowHeight);
        assert.ok(from >= 0 && to <= count && to - from <= Math.ceil(500 / rowHeight) + 5, `${count} ${share}`);
        const scrollTop = window.scrollTopAt(top);
        assert.ok(scrollTop >= 0 && scrollTop <= Math.max(0, window.extent - 500) + 1e-6);
        assert.ok(Math.abs(window.topAt(scrollTop) - top) < 1);
        if (count > 0) {
          // The first visible row is rendered at the scroll position.
          const first = window.offsetOf(Math.floor(top / rowHeight), top) - scrollTop;
          assert.ok(first > -rowHeight - 1 && first <= 0.001, `${count} ${share} ${first}`);
        }
      }
    }
  });

  it('scales rows of any heights that exceed the maximum height of a page', () => {
    const heights = new MeasuredHeights(Array.from({ length: 20_000 }, (_, index) => 400 + (index % 7) * 100));
    const window = new ListWindow(heights, 500);
    assert.ok(window.isSqueezed && heights.total > window.extent);
    for (const index of [0, 1, 9999, 19_998]) {
      const top = heights.before(index);
      assert.ok(Math.abs(window.offsetOf(index, top) - window.scrollTopAt(top)) < 0.001, `row ${index}`);
      assert.equal(window.rangeAt(top, 0).from, index);
    }
    assert.equal(window.scrollTopAt(window.last), window.extent - 500);
    assert.equal(window.rangeAt(window.last, 0).to, 20_000);
  });

  it('scrolls no further than needed to show a row', () => {
    const window = new ListWindow(new EvenHeights(1000, rowHeight), 480);
    assert.equal(window.topToShow(5, 0), 0);
    assert.equal(window.topToShow(20, 0), 24);
    assert.equal(window.topToShow(3, 240), 72);
    assert.equal(window.topToShow(999, 0), 1000 * rowHeight - 480);
    assert.equal(new ListWindow(new EvenHeights(10, 700), 480).topToShow(1, 0), 700, 'the beginning of what is higher than the view');
  });

  it('scrolls by a page and at least one row', () => {
    const even = new ListWindow(new EvenHeights(1000, rowHeight), 480);
    assert.deepEqual([even.pageFrom(100, 1, rowHeight), even.pageFrom(100, -1, rowHeight)], [119, 81]);
    assert.deepEqual([even.pageFrom(100, 1, 0), even.pageFrom(100, -1, 0)], [120, 80]);
    const high = new ListWindow(new EvenHeights(10, 700), 480);
    assert.deepEqual([high.pageFrom(3, 1, 0), high.pageFrom(3, -1, 0)], [4, 2]);
  });

  it('handles the wheel in pixels, lines and pages if the page would scroll too far', () => {
    const turn = { deltaY: 3, deltaMode: 0, ctrlKey: false, shiftKey: false };
    const squeezed = new ListWindow(new EvenHeights(1_000_000, rowHeight), 480);
    assert.deepEqual(
      [0, 1, 2].map(deltaMode => squeezed.topAfterWheel({ ...turn, deltaMode }, 100, rowHeight)),
      [103, 172, 1540],
    );
    assert.equal(squeezed.topAfterWheel({ ...turn, deltaY: -300 }, 100, rowHeight), 0);
    assert.equal(squeezed.topAfterWheel({ ...turn, ctrlKey: true }, 100, rowHeight), undefined, 'that is another size of letters');
    assert.equal(new ListWindow(new EvenHeights(10, rowHeight), 480).topAfterWheel(turn, 0, rowHeight), undefined);
  });

  it('renders the focused row at any scroll position', () => {
    const window = new ListWindow(new EvenHeights(10, rowHeight), 480);
    const range = { from: 3, to: 5 };
    assert.deepEqual(
      [undefined, -1, 1, 3, 7, 10].map(kept => window.renderedOf(range, kept)),
      [
        [3, 4],
        [3, 4],
        [1, 3, 4],
        [3, 4],
        [3, 4, 7],
        [3, 4],
      ],
    );
  });
});

describe('webview/list/listWindow rowMoves', () => {
  const window = new ListWindow(new EvenHeights(100, 20), 200);

  it('moves to an existing row from any position', () => {
    const ends = Object.values(moveKeys).map(move => [0, 50, 99].map(index => rowAfter(move, index, window)));
    assert.deepEqual(ends, [
      [0, 49, 98],
      [1, 51, 99],
      [0, 40, 89],
      [10, 60, 99],
      [0, 0, 0],
      [99, 99, 99],
    ]);
  });

  it('moves nowhere in an empty list', () => {
    assert.equal(rowAfter('next', 0, new ListWindow(new EvenHeights(0, 20), 200)), undefined);
  });

  it('distinguishes moves from other actions', () => {
    assert.deepEqual(['next', 'last', 'toggle', 'toString'].map(isRowMove), [true, true, false, false]);
  });
});

/** Returns a generator of integers below a bound. Equal seeds give equal numbers. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % below;
  };
}

describe('webview/list/listWindow measuredHeights', () => {
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

  it('finds the first row of an empty list, and the last one after the end', () => {
    assert.equal(new MeasuredHeights([]).find(100), 0);
    const heights = new MeasuredHeights([10, 20]);
    assert.equal(heights.find(-5), 0);
    assert.equal(heights.find(1000), 1);
  });
});
