import assert from 'node:assert/strict';
import { findIn } from '../../../../../src/features/resources/memories/searchMemories';

describe('features/resources/memories/searchMemories', () => {
  it('finds text ignoring case, once per line, with its position', () => {
    const found = findIn('Alpha\r\nsome alpha, ALPHA\nbeta', 'aLPHA', 10);
    assert.deepEqual(
      found.map(({ line, column }) => [line, column]),
      [
        [0, 0],
        [1, 5],
      ],
    );
  });

  it('treats pattern characters literally, and stops at the limit', () => {
    assert.deepEqual(
      findIn('a.c\nabc\n(x', '(X', 10).map(({ line }) => line),
      [2],
    );
    assert.equal(findIn('a\na\na', 'a', 2).length, 2);
    assert.deepEqual(findIn('abc', 'x', 5), []);
  });

  it('shortens the context', () => {
    const [found] = findIn(`${'x'.repeat(500)}needle${'y'.repeat(500)}`, 'needle', 5);
    assert.ok(found?.excerpt.startsWith('…') && found.excerpt.includes('needle') && found.excerpt.length < 200);
  });
});
