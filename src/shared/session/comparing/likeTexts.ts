/** Numbers of which two texts have the more in common, the more of their words they share; 8 of them. */
export type Signature = Uint32Array;

const signatureLength = 8;
/** Characters of a text that count: what is alike begins alike. */
const mostText = 4000;

/** The signature of a text by its words, their order left out. */
export function signatureOf(text: string): Signature {
  const signature = new Uint32Array(signatureLength).fill(0xffff_ffff);
  for (const [word] of text.slice(0, mostText).matchAll(/[\p{L}\p{N}_]+/gu)) {
    const hash = hashOf(word);
    for (let place = 0; place < signatureLength; place++) {
      // A permutation of all hashes for each place: the least of a text is that of a word taken at random.
      const mixed = Math.imul(hash ^ (place * 0x9e37_79b9), 0x85eb_ca6b + place * 2);
      signature[place] = Math.min(signature[place] ?? 0, (mixed ^ (mixed >>> 15)) >>> 0);
    }
  }
  return signature;
}

/** How alike two texts are by their signatures: from 0 to 8. */
export function likenessOf(one: Signature, other: Signature): number {
  let count = 0;
  for (let place = 0; place < signatureLength; place++) {
    count += one[place] === other[place] ? 1 : 0;
  }
  return count;
}

/** The order of two texts by their characters, the same on every machine. */
export function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

function hashOf(word: string): number {
  let hash = 0x811c_9dc5;
  for (let place = 0; place < word.length; place++) {
    hash = Math.imul(hash ^ word.charCodeAt(place), 0x0100_0193);
  }
  return hash;
}
