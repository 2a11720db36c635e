/**
 * Characters that are invisible or change how other characters are displayed: controls, format and bidirectional characters, lone
 * surrogates, private use, and default ignorables. Excludes tab, line feed and the carriage return before it, and joiners that writing
 * needs: within emoji, and between letters of scripts that join.
 */
const hidden =
  /(?<=\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?)\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Emoji}])\ufe0f|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Kannada}\p{Script=Telugu}])[\u200c\u200d](?=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Kannada}\p{Script=Telugu}])|\r(?=\n)|[\t\n]|([\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800])/gu;

const controlNames: ReadonlyMap<number, string> = new Map([
  [0, 'NUL'],
  [7, 'BEL'],
  [8, 'BS'],
  [0x0d, 'CR'],
  [0x1b, 'ESC'],
  [0x7f, 'DEL'],
]);

/** Returns the name of a hidden character: `ESC`, or `U+202E`. */
function nameOfHidden(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return controlNames.get(point) ?? `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A piece of text, or the name of a hidden character. */
type VisiblePiece = string | { readonly hidden: string };

// Fast check that most texts pass: only letters, signs and line breaks.
const plain = /^[\t\n\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff]*$/;

/** Splits a text at characters that must be shown by name. Runs of one hidden character are counted: `U+200B ×12`. */
export function toVisiblePieces(text: string): readonly VisiblePiece[] {
  if (plain.test(text)) {
    return text === '' ? [] : [text];
  }
  const pieces: VisiblePiece[] = [];
  let from = 0;
  let last: { name: string; times: number; end: number } | undefined;
  const flush = (): void => {
    if (last !== undefined) {
      pieces.push({ hidden: last.times > 1 ? `${last.name} ×${last.times}` : last.name });
      last = undefined;
    }
  };
  for (const match of text.matchAll(hidden)) {
    const character = match[1];
    if (character === undefined) {
      continue;
    }
    const name = nameOfHidden(character);
    if (last !== undefined && last.name === name && last.end === match.index) {
      last = { name, times: last.times + 1, end: match.index + character.length };
    } else {
      flush();
      if (match.index > from) {
        pieces.push(text.slice(from, match.index));
      }
      last = { name, times: 1, end: match.index + character.length };
    }
    from = match.index + character.length;
  }
  flush();
  if (from < text.length) {
    pieces.push(text.slice(from));
  }
  return pieces;
}
