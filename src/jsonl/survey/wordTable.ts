import { decodeString } from '../scanning/jsonBytes';

/** Set of short ASCII words. Looks up JSON strings without decoding them. */
export class WordTable<W extends string> {
  private readonly byHash = new Map<number, { readonly word: W; readonly bytes: Uint8Array }>();

  constructor(words: readonly W[]) {
    for (const word of words) {
      const bytes = Buffer.from(word);
      this.byHash.set(hashOf(bytes, 0, bytes.length), { word, bytes });
    }
  }

  /** Returns the word that equals the JSON string [start, end), including its quotes, or `undefined` if it is none of them. */
  find(source: Uint8Array, start: number, end: number): W | undefined {
    const found = this.byHash.get(hashOf(source, start + 1, end - 1));
    if (found === undefined) {
      return source.subarray(start, end).includes(0x5c) ? this.findText(decodeString(source, start, end)) : undefined;
    }
    const { bytes, word } = found;
    if (bytes.length !== end - start - 2) {
      return undefined;
    }
    for (let index = 0; index < bytes.length; index++) {
      if (bytes[index] !== source[start + 1 + index]) {
        return undefined;
      }
    }
    return word;
  }

  private findText(text: string): W | undefined {
    for (const { word } of this.byHash.values()) {
      if (word === text) {
        return word;
      }
    }
    return undefined;
  }
}

function hashOf(source: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  // All words are shorter, so the rest of a long text need not be hashed.
  const to = Math.min(end, start + 40);
  for (let at = start; at < to; at++) {
    hash = Math.imul(hash ^ (source[at] as number), 0x01000193);
  }
  return hash;
}
