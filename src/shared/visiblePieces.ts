/**
 * Characters that are invisible or change how other characters are displayed: controls, format and bidirectional characters, lone
 * surrogates, private use, and default ignorables. A run of one character matches as a whole. Excludes tab, line feed and the carriage
 * return before it, and joiners that writing needs: within emoji, and between letters of scripts that join.
 */
const hidden =
  /(?<=\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?)\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Emoji}])\ufe0f|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Kannada}\p{Script=Telugu}])[\u200c\u200d](?=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Kannada}\p{Script=Telugu}])|\r(?=\n)|[\t\n]|([\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800])(?:\1(?<!\r(?=\n)))*/gu;

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
  for (const { 0: run, 1: character, index } of text.matchAll(hidden)) {
    if (character !== undefined) {
      const times = run.length / character.length;
      const name = nameOfHidden(character);
      pieces.push(text.slice(from, index), { hidden: times > 1 ? `${name} ×${times}` : name });
      from = index + run.length;
    }
  }
  return [...pieces, text.slice(from)].filter(piece => piece !== '');
}
