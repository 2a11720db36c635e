import { BACKSLASH, decodeString } from '../scanning/jsonBytes';

/** Values keyed by short ASCII words. Looks up JSON strings without decoding them. */
export class WordTable<V> {
  private readonly byHash = new Map<number, { readonly word: string; readonly bytes: Uint8Array; readonly value: V }>();

  constructor(values: Iterable<readonly [word: string, value: V]>) {
    for (const [word, value] of values) {
      const bytes = Buffer.from(word);
      this.byHash.set(hashOf(bytes, 0, bytes.length), { word, bytes, value });
    }
  }

  /** Creates a table in which each word is its own value. */
  static of<W extends string>(...words: readonly W[]): WordTable<W> {
    return new WordTable(words.map(word => [word, word]));
  }

  /** Returns the value of the word that equals the JSON string [start, end), including its quotes, or `undefined` if it is none of them. */
  find(source: Uint8Array, start: number, end: number): V | undefined {
    const found = this.byHash.get(hashOf(source, start + 1, end - 1));
    if (found === undefined) {
      const text = source.subarray(start, end).includes(BACKSLASH) ? decodeString(source, start, end) : undefined;
      return text === undefined ? undefined : [...this.byHash.values()].find(({ word }) => word === text)?.value;
    }
    const { bytes, value } = found;
    if (bytes.length !== end - start - 2) {
      return undefined;
    }
    for (let index = 0; index < bytes.length; index++) {
      if (bytes[index] !== source[start + 1 + index]) {
        return undefined;
      }
    }
    return value;
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
