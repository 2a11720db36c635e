/** Copies `from` to the start of a larger array and returns the larger array. */
export function grown<T extends Float64Array | Uint32Array | Int32Array | Float32Array | Uint8Array>(from: ArrayLike<number>, to: T): T {
  to.set(from);
  return to;
}

/** Creates an array that threads can share. */
export function sharedWords(length: number): Uint32Array<SharedArrayBuffer> {
  return new Uint32Array(new SharedArrayBuffer(length * 4));
}
