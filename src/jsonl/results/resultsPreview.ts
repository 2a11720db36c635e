import { BACKSLASH, QUOTE } from '../scanning/jsonBytes';

/** Bytes of a JSON string that a preview is made from, its opening quote included. */
export const previewBytes = 600;

/** Characters of a preview at most. */
const previewLength = 160;
/** Maximum number of characters that are read for a preview. */
const mostRead = 20 * previewLength;

/**
 * The first words of the JSON string that `bytes` begin with, on one line: runs of white space become one space, and what was
 * left out shows as an ellipsis. The string may be cut anywhere. Undefined when the bytes are no string.
 */
export function toPreview(bytes: Uint8Array): string | undefined {
  if (bytes[0] !== QUOTE) {
    return undefined;
  }
  let end = 1;
  let whole = false;
  while (end < bytes.length) {
    const byte = bytes[end] as number;
    if (byte === QUOTE) {
      whole = true;
      break;
    }
    const length = byte === BACKSLASH ? (bytes[end + 1] === 0x75 ? 6 : 2) : characterBytes(byte);
    if (end + length > bytes.length) {
      break;
    }
    end += length;
  }
  let text: string;
  try {
    text = JSON.parse(`"${Buffer.from(bytes.buffer, bytes.byteOffset + 1, end - 1).toString('utf8')}"`);
  } catch {
    return undefined;
  }
  return toFirstWords(text, whole);
}

/** Returns the first words of a text on one line. Ends with `…` if words are left out, or if the text itself is not whole. */
export function toFirstWords(text: string, isWhole = true): string {
  const line = text.slice(0, mostRead).replace(/\s+/g, ' ').trim();
  const points = Array.from(line);
  if (isWhole && text.length <= mostRead && points.length <= previewLength) {
    return line;
  }
  // A cut string can end in half of an escaped pair.
  const kept = points
    .slice(0, previewLength - 1)
    .join('')
    .replace(/[\ud800-\udbff]$/, '');
  return `${kept.trimEnd()}…`;
}

function characterBytes(first: number): number {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}
