import assert from 'node:assert/strict';
import fc from 'fast-check';
import { firstLines, toTextChunks } from '../../../../../src/webview/controls/text/textChunks';
import { runs } from '../../../../helpers/runs';

describe('webview/controls/text/textChunks', () => {
  it('keeps a short text whole', () => {
    assert.deepEqual(toTextChunks('a\nb'), [{ text: 'a\nb', isContinued: false }]);
    assert.deepEqual(toTextChunks(''), [{ text: '', isContinued: false }]);
  });

  it('cuts at line ends if possible, and marks continued lines', () => {
    const lines = Array.from({ length: 4 }, (_, index) => `line ${index}`.padEnd(3000, '.')).join('\n');
    assert.deepEqual(
      toTextChunks(lines).map(({ text, isContinued }) => [text.slice(0, 6), isContinued]),
      [
        ['line 0', false],
        ['line 2', false],
      ],
    );
    assert.deepEqual(
      toTextChunks('x'.repeat(20_000)).map(({ text, isContinued }) => [text.length, isContinued]),
      [
        [8000, false],
        [8000, true],
        [4000, true],
      ],
    );
  });

  it('cuts between characters', () => {
    const [first] = toTextChunks(`${'x'.repeat(7999)}😀${'y'.repeat(100)}`);
    assert.equal(first?.text, `${'x'.repeat(7999)}😀`);
  });

  it('loses nothing', () => {
    const piece = fc.oneof(fc.constantFrom('\n', '\r\n', '\n\n', 'x'.repeat(7999), 'x'.repeat(8001), '😀'.repeat(4001)), fc.string());
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), pieces => {
        const text = pieces.join('');
        const joined = toTextChunks(text)
          .map(({ text: part, isContinued }, index) => `${index === 0 || isContinued ? '' : '\n'}${part}`)
          .join('');
        assert.equal(joined.replaceAll('\r\n', '\n'), text.replaceAll('\r\n', '\n'));
      }),
    );
  });

  it('counts the lines that it leaves out, and never leaves out just a few', async () => {
    await fc.assert(
      fc.property(fc.array(fc.constantFrom('', 'a', 'bc'), { minLength: 1, maxLength: 30 }), fc.boolean(), (lines, isEnded) => {
        const text = lines.join('\n') + (isEnded ? '\n' : '');
        const shown = firstLines(text, 10);
        if (shown.more === 0) {
          assert.equal(shown.text, text);
          assert.ok(lines.length <= 14);
        } else {
          assert.ok(shown.more > 3);
          assert.equal(shown.text, lines.slice(0, 10).join('\n'));
          assert.ok(lines.length - 10 - shown.more <= (text.endsWith('\n') && !isEnded ? 1 : 0));
        }
      }),
      { numRuns: runs(1000) },
    );
  });
});
