import assert from 'node:assert/strict';
import { EvenHeights, ListWindow } from '../../../../src/webview/list/listWindow';
import { isRowMove, moveKeys, rowAfter } from '../../../../src/webview/list/rowMoves';

describe('webview/list/rowMoves', () => {
  const window = new ListWindow(new EvenHeights(100, 20), 200);

  it('leads to a row there is, from any', () => {
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

  it('leads nowhere in an empty list', () => {
    assert.equal(rowAfter('next', 0, new ListWindow(new EvenHeights(0, 20), 200)), undefined);
  });

  it('knows a move from other acts', () => {
    assert.deepEqual(['next', 'last', 'toggle', 'toString'].map(isRowMove), [true, true, false, false]);
  });
});
