/**
 * Makes a text from outside safe for use in a sentence. Returns one line of at most `limit` code points, with control, ANSI, bidirectional
 * and invisible characters as visible escapes.
 */
export function safeWords(text: string, limit = 500): string {
  const line = text
    .slice(0, limit * 4)
    .replace(/[\r\n\t ]+/g, ' ')
    .trim();
  const points = Array.from(line.replace(unsafe, character => `\\u{${character.codePointAt(0)?.toString(16)}}`));
  return points.length > limit ? `${points.slice(0, limit - 1).join('')}…` : points.join('');
}

/** Returns a value of a response in quotation marks, or `missing`. */
export function quote(value: unknown): string {
  return value === undefined ? 'missing' : `"${safeWords(String(value), 100)}"`;
}

const unsafe = /(?!(?<=\p{Emoji})\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;
