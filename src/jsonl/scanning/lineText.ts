import { isUtf8 } from 'node:buffer';

export const byteOrderMark: Uint8Array = Uint8Array.of(0xef, 0xbb, 0xbf);

/** Returns the length of the byte order mark at the start of `bytes`: 3 or 0. */
export function byteOrderMarkLength(bytes: Uint8Array): number {
  return byteOrderMark.every((byte, index) => bytes[index] === byte) ? byteOrderMark.length : 0;
}

/** Decodes UTF-8. Invalid bytes become U+FFFD in `text`, and `invalidAt` is the UTF-16 column of the first one. */
export function decodeLine(bytes: Uint8Array): { readonly text: string; readonly invalidAt: number | undefined } {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { text, invalidAt: isUtf8(bytes) ? undefined : columnOfInvalidUtf8(bytes, text) };
}

/** Finds the column of the first byte that changes when the decoded text is encoded again. */
function columnOfInvalidUtf8(bytes: Uint8Array, text: string): number {
  const encoded = Buffer.from(text);
  let at = 0;
  while (at < bytes.length && bytes[at] === encoded[at]) {
    at++;
  }
  // A stream decodes only complete characters.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, at), { stream: true }).length;
}
