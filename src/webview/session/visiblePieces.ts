/** A piece of text: as it stands, or characters that nobody would see, by their code points. */
export interface VisiblePiece {
  readonly text: string;
  readonly isMark: boolean;
}

/** What joins or colours an emoji is no place to hide: it changes a picture that is seen. */
const inEmoji =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{fe0f})\u{200d}(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\u{fe0f}|(?<=[0-9#*])\u{fe0f}(?=\u{20e3})/u;

/**
 * Control, ANSI, bidirectional and other invisible characters, spaces that are not what they look like, and characters that
 * have no picture. Line ends and tabs are layout and stay.
 */
const hidden = new RegExp(
  [
    String.raw`\r(?!\n)`,
    String.raw`(?![\n\t\r])[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u{2800}]`,
    String.raw`(?![ \u{3000}])\p{Zs}`,
    String.raw`(?!${inEmoji.source})[\p{Cf}\p{Default_Ignorable_Code_Point}]`,
  ].join('|'),
  'gu',
);

/** Divides text into what is seen and marks for what is not. The pieces tell the whole text, in order. */
export function toVisiblePieces(text: string): readonly VisiblePiece[] {
  const pieces: VisiblePiece[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(hidden)) {
    if (index > from) {
      pieces.push({ text: text.slice(from, index), isMark: false });
    }
    pieces.push({ text: `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`, isMark: true });
    from = index + character.length;
  }
  if (from < text.length || pieces.length === 0) {
    pieces.push({ text: text.slice(from), isMark: false });
  }
  return pieces;
}
