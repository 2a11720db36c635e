import { toLabel } from '../../shared/text';

/**
 * Makes a text from outside safe for use in a sentence. Returns one line of at most `limit` code points, with control, ANSI, bidirectional
 * and invisible characters as visible escapes.
 */
export function safeWords(text: string, limit = 500): string {
  const line = text
    .slice(0, limit * 4)
    .replace(/[\r\n\t ]+/g, ' ')
    .trim();
  return toLabel(line, limit);
}

/** Returns a value of a response in quotation marks, or `missing`. */
export function quote(value: unknown): string {
  return value === undefined ? 'missing' : `"${safeWords(String(value), 100)}"`;
}
