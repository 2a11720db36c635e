import assert from 'node:assert/strict';
import { rowHeight, VirtualRows } from '../../../../src/webview/results/virtualRows';

describe('webview/results/virtualRows', () => {
  it('draws what is seen and little more, wherever it is scrolled to, in lists of any size', () => {
    for (const count of [0, 1, 10, 1000, 100_000, 333_334, 3_000_000, 100_000_000]) {
      const rows = new VirtualRows(count, 500);
      assert.ok(rows.extent <= 8_000_000);
      for (const share of [0, 0.25, 0.5, 0.9999, 1]) {
        const top = rows.last * share;
        const { from, to } = rows.rangeAt(top);
        assert.ok(from >= 0 && to <= count && to - from <= Math.ceil(500 / rowHeight) + 5, `${count} ${share}`);
        const scrollTop = rows.scrollTopAt(top);
        assert.ok(scrollTop >= 0 && scrollTop <= Math.max(0, rows.extent - 500) + 1e-6);
        assert.ok(Math.abs(rows.topAt(scrollTop) - top) < 1);
        if (count > 0) {
          // What is drawn lies where the page is scrolled to.
          const first = rows.offsetOf(Math.floor(top / rowHeight), top) - scrollTop;
          assert.ok(first > -rowHeight - 1 && first <= 0.001, `${count} ${share} ${first}`);
        }
      }
    }
  });

  it('scrolls no further than needed to show a row', () => {
    const rows = new VirtualRows(1000, 480);
    assert.equal(rows.topToShow(5, 0), 0);
    assert.equal(rows.topToShow(20, 0), 24);
    assert.equal(rows.topToShow(3, 240), 72);
    assert.equal(rows.topToShow(999, 0), 1000 * rowHeight - 480);
    assert.equal(rows.page, 19);
  });
});
