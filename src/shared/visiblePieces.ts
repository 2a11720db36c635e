/**
 * Characters that are invisible or change how other characters are displayed: controls, format and bidirectional characters, lone
 * surrogates, private use, and default ignorables. Excludes tabs and line ends, and joiners within emoji or between letters of joining
 * scripts.
 */
const hidden =
  /(?<=\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?)\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Emoji}])\ufe0f|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Kannada}\p{Script=Telugu}])[\u200c\u200d](?=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Kannada}\p{Script=Telugu}])|\r(?=\n)|[\t\n]|([\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800])/gu;

const controlNames: Readonly<Partial<Record<number, string>>> = { 0: 'NUL', 7: 'BEL', 8: 'BS', 13: 'CR', 27: 'ESC', 127: 'DEL' };

/** A piece of text, or the name of a hidden character (`ESC`, or `U+202E`). */
type VisiblePiece = string | { readonly hidden: string };

// Fast check for texts of common letters, signs and line breaks.
const plain = /^[\t\n\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff]*$/;

/** Splits a text at characters that must be shown by name. Consecutive equal hidden characters are counted: `U+200B ×12`. */
export function toVisiblePieces(text: string): readonly VisiblePiece[] {
  if (plain.test(text)) {
    return text === '' ? [] : [text];
  }
  const pieces: (string | { readonly character: string; times: number })[] = [];
  let from = 0;
  for (const { 1: character, index } of text.matchAll(hidden)) {
    const last = pieces.at(-1);
    if (character === undefined) {
      continue;
    }
    if (typeof last === 'object' && last.character === character && index === from) {
      last.times++;
    } else {
      pieces.push(text.slice(from, index), { character, times: 1 });
    }
    from = index + character.length;
  }
  return [...pieces, text.slice(from)].flatMap(toPiece);
}

function toPiece(piece: string | { readonly character: string; readonly times: number }): readonly VisiblePiece[] {
  if (typeof piece === 'string') {
    return piece === '' ? [] : [piece];
  }
  const point = piece.character.codePointAt(0) ?? 0;
  const name = controlNames[point] ?? `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  return [{ hidden: piece.times > 1 ? `${name} ×${piece.times}` : name }];
}
