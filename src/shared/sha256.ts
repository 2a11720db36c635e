/**
 * Returns the SHA-256 of a text in UTF-8, in hexadecimal. Works in webviews, which have no synchronous hash. Lone surrogates count as
 * U+FFFD. Hash JSON, which escapes them, where they must be distinguished.
 */
export function sha256(text: string): string {
  const blocks = padded(new TextEncoder().encode(text));
  const state = new Uint32Array(firstState);
  const words = new Uint32Array(64);
  for (let at = 0; at < blocks.byteLength; at += 64) {
    compress(state, words, blocks, at);
  }
  return Array.from(state, word => word.toString(16).padStart(8, '0')).join('');
}

/** Returns the message padded with a one bit, zeros, and its length in bits, in blocks of 64 bytes. */
function padded(bytes: Uint8Array): DataView {
  const blocks = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setBigUint64(blocks.length - 8, BigInt(bytes.length) * 8n);
  return view;
}

function compress(state: Uint32Array, words: Uint32Array, blocks: DataView, at: number): void {
  const word = (index: number): number => words[index] ?? 0;
  for (let index = 0; index < 64; index++) {
    if (index < 16) {
      words[index] = blocks.getUint32(at + index * 4);
      continue;
    }
    const [early, late] = [word(index - 15), word(index - 2)];
    const small0 = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const small1 = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    words[index] = word(index - 16) + small0 + word(index - 7) + small1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index++) {
    const big1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const first = (h + big1 + ((e & f) ^ (~e & g)) + (constants[index] ?? 0) + word(index)) | 0;
    const big0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) {
    state[index] = (state[index] ?? 0) + value;
  }
}

function rotated(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The first primes, from which the standard (FIPS 180-4) derives its constants. */
const primes = Array.from({ length: 311 }, (_, index) => index + 2).filter(candidate => {
  for (let divisor = 2; divisor * divisor <= candidate; divisor++) {
    if (candidate % divisor === 0) {
      return false;
    }
  }
  return true;
});

/** The first 32 bits of the fractional parts of the roots. */
const firstState = primes.slice(0, 8).map(prime => fraction(Math.sqrt(prime)));
const constants = Uint32Array.from(primes, prime => fraction(Math.cbrt(prime)));

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}
