import assert from 'node:assert/strict';
import { toVisiblePieces } from '../../../../src/webview/session/visiblePieces';

describe('webview/session/visiblePieces', () => {
  for (const [what, text, shown] of [
    ['ANSI escapes', 'a\u001b[31mb', 'a<U+001B>[31mb'],
    ['a lone carriage return', 'safe\rrm', 'safe<U+000D>rm'],
    ['direction-changing characters', 'a\u202eb\u2066c', 'a<U+202E>b<U+2066>c'],
    ['characters of no width', 'a\u200bb\ufeffc\u00add\u2060e\u3164f', 'a<U+200B>b<U+FEFF>c<U+00AD>d<U+2060>e<U+3164>f'],
    ['tag characters', 'a\u{e0041}b', 'a<U+E0041>b'],
    ['variation selectors after letters', 'a\ufe0fb\u{e0100}', 'a<U+FE0F>b<U+E0100>'],
    ['spaces that are none', 'rm\u00a0-rf\u2003x', 'rm<U+00A0>-rf<U+2003>x'],
    ['line separators', 'a\u2028b', 'a<U+2028>b'],
    ['halves of characters', 'a\ud800b', 'a<U+D800>b'],
    ['a joiner between letters', 'a\u200db', 'a<U+200D>b'],
  ] as const) {
    it(`marks ${what}`, () => {
      assert.equal(show(text), shown);
    });
  }

  for (const text of ['', 'a\tb\r\nc\nd', '👩‍💻 ❤️ 1️⃣ 👍🏽', 'שלום مرحبا 漢字　かな é ñ', '{"a": 1}']) {
    it(`leaves ${JSON.stringify(text)} as it is`, () => {
      assert.equal(show(text), text);
    });
  }

  function show(text: string): string {
    return toVisiblePieces(text)
      .map(piece => (piece.isMark ? `<${piece.text}>` : piece.text))
      .join('');
  }
});
