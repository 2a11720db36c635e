import { isUtf8 } from 'node:buffer';

export const byteOrderMark: Uint8Array = Uint8Array.of(0xef, 0xbb, 0xbf);

/** Returns the length of the byte order mark at the start of `bytes`: 3 or 0. */
export function byteOrderMarkLength(bytes: Uint8Array): number {
  return byteOrderMark.every((byte, index) => bytes[index] === byte) ? byteOrderMark.length : 0;
}

/** Text of a line. `invalidAt` is the UTF-16 column of the first invalid UTF-8 byte, or `undefined` if there is none. */
export interface DecodedLine {
  readonly text: string;
  readonly invalidAt: number | undefined;
}

/** Decodes UTF-8. Invalid bytes become U+FFFD in `text`, and `invalidAt` is the column of the first one. */
export function decodeLine(bytes: Uint8Array): DecodedLine {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { text, invalidAt: isUtf8(bytes) ? undefined : columnOfInvalidUtf8(bytes) };
}

/** Finds the column by binary search: a streaming decoder fails as soon as its input can't be the start of valid UTF-8. */
function columnOfInvalidUtf8(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (decodeStart(bytes, middle) !== undefined) {
      good = middle;
    } else {
      bad = middle;
    }
  }
  return decodeStart(bytes, good)?.length ?? 0;
}

/** Returns the complete characters of the first `length` bytes, or `undefined` if they can't be the start of valid UTF-8. */
function decodeStart(bytes: Uint8Array, length: number): string | undefined {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes.subarray(0, length), { stream: true });
  } catch {
    return undefined;
  }
}
