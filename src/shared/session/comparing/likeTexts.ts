/** MinHash signature of a text: 8 numbers. The more words two texts share, the more numbers are equal. */
export type Signature = Uint32Array;

const signatureLength = 8;
/** Number of characters that count: similar texts start similarly. */
const maxText = 4000;

/** Returns the signature of a text by its words, in any order. */
export function signatureOf(text: string): Signature {
  const signature = new Uint32Array(signatureLength).fill(0xffff_ffff);
  for (const [word] of text.slice(0, maxText).matchAll(/[\p{L}\p{N}_]+/gu)) {
    const hash = hashOf(word);
    for (let index = 0; index < signatureLength; index++) {
      // Each position uses a different permutation of the hashes, whose minimum belongs to a random word.
      const mixed = Math.imul(hash ^ (index * 0x9e37_79b9), 0x85eb_ca6b + index * 2);
      signature[index] = Math.min(signature[index] ?? 0, (mixed ^ (mixed >>> 15)) >>> 0);
    }
  }
  return signature;
}

/** Returns the similarity of two texts by their signatures, from 0 to 8. */
export function likenessOf(one: Signature, other: Signature): number {
  let count = 0;
  for (let index = 0; index < signatureLength; index++) {
    count += one[index] === other[index] ? 1 : 0;
  }
  return count;
}

/** Compares two texts by their UTF-16 units, the same on every machine. */
export function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

function hashOf(word: string): number {
  let hash = 0x811c_9dc5;
  for (let index = 0; index < word.length; index++) {
    hash = Math.imul(hash ^ word.charCodeAt(index), 0x0100_0193);
  }
  return hash;
}
