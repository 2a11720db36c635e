import { withoutEnd } from '../../shared/trim';

/** Maximum length in bytes of the JSON string that a preview is computed from, including its opening quote. */
export const previewBytes = 600;

const previewLength = 160;
/** Maximum number of characters that are read for a preview. */
const maxRead = 20 * previewLength;

/**
 * Returns the first words of the JSON string at the start of `bytes`, on one line. Runs of white space become one space, and an ellipsis
 * replaces omitted text. The string may be cut anywhere. Returns `undefined` if the bytes are not a string.
 */
export function toPreview(bytes: Uint8Array): string | undefined {
  const start = decodeStart(bytes);
  return start && toFirstWords(start.text, start.isWhole);
}

/** Decodes the JSON string at the start of `bytes`, which may be cut anywhere. Returns `undefined` if the bytes are not a string. */
export function decodeStart(bytes: Uint8Array): { readonly text: string; readonly isWhole: boolean } | undefined {
  // A character that is cut at the end is decoded as replacement characters.
  const text = withoutEnd(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'), '\ufffd');
  const [start = '', content] = /^"((?:[^"\\]|\\u[\da-f]{4}|\\[^u])*)/i.exec(text) ?? [];
  try {
    return content === undefined ? undefined : { text: JSON.parse(`"${content}"`), isWhole: text[start.length] === '"' };
  } catch {
    return undefined;
  }
}

/** Returns the first words of a text on one line. Ends with `…` if words are omitted or `isWhole` is false. */
export function toFirstWords(text: string, isWhole = true): string {
  const line = text.slice(0, maxRead).replace(/\s+/g, ' ').trim();
  const points = Array.from(line);
  if (isWhole && text.length <= maxRead && points.length <= previewLength) {
    return line;
  }
  // A cut string can end in the middle of an escaped surrogate pair.
  const start = points
    .slice(0, previewLength - 1)
    .join('')
    .replace(/[\ud800-\udbff]$/, '');
  return `${start.trimEnd()}…`;
}
