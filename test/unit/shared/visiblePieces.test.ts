import assert from 'node:assert/strict';
import { toVisiblePieces } from '../../../src/shared/visiblePieces';

function shown(text: string): string {
  return toVisiblePieces(text)
    .map(piece => (typeof piece === 'string' ? piece : `[${piece.hidden}]`))
    .join('');
}

describe('shared/visiblePieces', () => {
  for (const [what, text, expected] of [
    ['plain text, tabs and line breaks', 'a\tb\nc\r\nd é ü', 'a\tb\nc\r\nd é ü'],
    ['bidirectional characters', 'a\u202eb\u2066c', 'a[U+202E]b[U+2066]c'],
    ['ANSI escapes', '\u001b[31mred\u001b[0m', '[ESC][31mred[ESC][0m'],
    ['controls', '\u0000\u0007\b\u007f\u009b', '[NUL][BEL][BS][DEL][U+009B]'],
    ['a lone carriage return', 'good\rbad', 'good[CR]bad'],
    ['runs of one character', 'a\u200b\u200b\u200bb', 'a[U+200B ×3]b'],
    ['characters of no width', '\ufeffa\u00adb\u2060c', '[U+FEFF]a[U+00AD]b[U+2060]c'],
    ['tag characters', 'a\u{e0041}\u{e0042}', 'a[U+E0041][U+E0042]'],
    ['variation selectors that hide data', 'a\ufe01\u{e0100}', 'a[U+FE01][U+E0100]'],
    ['fillers', '\u3164\u115f', '[U+3164][U+115F]'],
    ['separators', 'a\u2028b\u2029', 'a[U+2028]b[U+2029]'],
    ['lone surrogates', 'a\ud800b', 'a[U+D800]b'],
    ['private use', '\ue0b0', '[U+E0B0]'],
    ['emoji with joiners', '👩‍💻 ❤️ 🏳️‍🌈', '👩‍💻 ❤️ 🏳️‍🌈'],
    ['joiners between letters that do not join', 'a\u200db', 'a[U+200D]b'],
    ['joiners that a script needs', 'می\u200cخواهم', 'می\u200cخواهم'],
  ] as const) {
    it(`shows ${what}`, () => assert.equal(shown(text), expected));
  }

  it('loses nothing of its input', () => {
    const text = Array.from({ length: 0x3000 }, (_, point) => String.fromCodePoint(point)).join('');
    const whole = toVisiblePieces(text).filter(piece => typeof piece === 'string');
    const hidden = toVisiblePieces(text).filter(piece => typeof piece !== 'string');
    assert.equal(whole.join('').length + hidden.length, text.length);
  });
});
