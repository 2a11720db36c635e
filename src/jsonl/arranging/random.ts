import { createHash } from 'node:crypto';

/** Returns a uniformly distributed whole number from 0 to `bound` - 1. */
export type Random = (bound: number) => number;

/** Creates a source of pseudorandom numbers (sfc32), the same on all machines for the same seed. */
export function createRandom(seed: string): Random {
  const words = new Uint32Array(new Uint8Array(createHash('sha256').update(seed).digest()).buffer);
  let a = words[0] ?? 0;
  let b = words[1] ?? 0;
  let c = words[2] ?? 0;
  let d = 1;
  const next = () => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round++) {
    next();
  }
  return bound => Math.floor((((next() >>> 5) * 0x400_0000 + (next() >>> 6)) / 0x20_0000_0000_0000) * bound);
}

/** Returns the numbers 0 to `count` - 1 in random order. */
export function shuffled(count: number, random: Random): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  for (let index = count - 1; index > 0; index--) {
    const other = random(index + 1);
    const swapped = order[index] as number;
    order[index] = order[other] as number;
    order[other] = swapped;
  }
  return order;
}

/** Chooses `wanted` of the given numbers uniformly at random and keeps their order. */
export function chosen(from: Uint32Array, wanted: number, random: Random): Uint32Array {
  const picked = new Uint32Array(Math.min(wanted, from.length));
  for (let index = 0, count = 0; count < picked.length; index++) {
    if (random(from.length - index) < picked.length - count) {
      picked[count++] = from[index] as number;
    }
  }
  return picked;
}
