import assert from 'node:assert/strict';
import fc from 'fast-check';
import { diffLines } from '../../../../../src/webview/controls/code/diffLines';

describe('webview/controls/code/diffLines', () => {
  it('shows a changed line among unchanged lines', () => {
    assert.deepEqual(
      diffLines('a\nb\nc', 'a\nB\nc').map(({ sign, text }) => `${sign}${text}`),
      [' a', '-b', '+B', ' c'],
    );
  });

  it('shows insertions, deletions and an emptied text', () => {
    assert.deepEqual(lines('', 'a'), ['+a']);
    assert.deepEqual(lines('a', ''), ['-a']);
    assert.deepEqual(lines('a\nc', 'a\nb\nc'), [' a', '+b', ' c']);
  });

  it('contains both texts completely', () => {
    const text = fc.array(fc.constantFrom('', 'a', 'b', 'c')).map(all => all.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const all = diffLines(before, after);
        const side = (sign: string): string => all.flatMap(line => (line.sign === sign || line.sign === ' ' ? [line.text] : [])).join('\n');
        assert.equal(side('-'), before);
        assert.equal(side('+'), after);
      }),
    );
  });

  it('replaces texts as a whole that are too long to compare', () => {
    const before = Array.from({ length: 1500 }, (_, index) => `a${index}`).join('\n');
    const after = Array.from({ length: 1500 }, (_, index) => `b${index}`).join('\n');
    const all = diffLines(before, after);
    assert.equal(all.length, 3000);
    assert.equal(
      all.findIndex(({ sign }) => sign === '+'),
      1500,
    );
  });

  function lines(before: string, after: string): readonly string[] {
    return diffLines(before, after).map(({ sign, text }) => `${sign}${text}`);
  }
});
