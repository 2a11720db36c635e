/// <reference lib="es2024.sharedmemory" />

/** The file that was arriving will not be whole. */
export class ArrivalError extends Error {
  override readonly name = 'ArrivalError';
}

/** States in the low two bits of the shared word; the bytes stand above them. */
const arriving = 0n;
const whole = 1n;
const broken = 2n;

/**
 * How far a file has come that is still being written, shared between the thread that writes it and one that reads it meanwhile.
 * What is made over the same `shared` memory is the same arrival.
 */
export class Arrival {
  private readonly word: BigInt64Array;

  constructor(readonly shared: SharedArrayBuffer = new SharedArrayBuffer(8)) {
    this.word = new BigInt64Array(shared);
  }

  /** The first `bytes` bytes of the file can be read. */
  report(bytes: number): void {
    this.tell(bytes, arriving);
  }

  /** Every byte is there, `bytes` in all. */
  complete(bytes: number): void {
    this.tell(bytes, whole);
  }

  /** Nobody needs to wait for more: readers fail with `ArrivalError`. */
  fail(): void {
    this.tell(0, broken);
  }

  /** Waits until there are more than `seen` bytes or all of them are there. Throws `ArrivalError`, and when `throwIfAborted` does. */
  async beyond(seen: number, throwIfAborted: () => void): Promise<{ readonly bytes: number; readonly whole: boolean }> {
    for (;;) {
      throwIfAborted();
      const word = Atomics.load(this.word, 0);
      const state = word & 3n;
      const bytes = Number(word >> 2n);
      if (state === broken) {
        throw new ArrivalError('The file that was being read as it arrived did not come whole.');
      }
      if (state === whole || bytes > seen) {
        return { bytes, whole: state === whole };
      }
      // Nobody notifies when only the reader's job is cancelled.
      const change = Atomics.waitAsync(this.word, 0, word, 100);
      if (change.async) {
        await change.value;
      }
    }
  }

  private tell(bytes: number, state: bigint): void {
    Atomics.store(this.word, 0, (BigInt(bytes) << 2n) | state);
    Atomics.notify(this.word, 0);
  }
}
