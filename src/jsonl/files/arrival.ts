/// <reference lib="es2024.sharedmemory" />

/** Thrown to readers of a file that is still being written, if the file will never be complete. */
export class ArrivalError extends Error {
  override readonly name = 'ArrivalError';
}

/** States in the low two bits of the shared word. The upper bits are the number of bytes. */
const arriving = 0n;
const whole = 1n;
const broken = 2n;

/** Progress of a file that one thread writes while another reads it. Objects created with the same `shared` memory share the progress. */
export class Arrival {
  private readonly word: BigInt64Array;

  constructor(readonly shared: SharedArrayBuffer = new SharedArrayBuffer(8)) {
    this.word = new BigInt64Array(shared);
  }

  /** Announces that the first `bytes` bytes of the file can be read. */
  report(bytes: number): void {
    this.announce(bytes, arriving);
  }

  /** Announces that the file is complete, with `bytes` bytes. */
  complete(bytes: number): void {
    this.announce(bytes, whole);
  }

  /** Makes readers fail with an `ArrivalError`. */
  fail(): void {
    this.announce(0, broken);
  }

  /** Waits for more than `known` bytes or the end of the file. Throws an `ArrivalError` if it never gets there. */
  async beyond(known: number, throwIfAborted: () => void): Promise<{ readonly bytes: number; readonly whole: boolean }> {
    for (;;) {
      throwIfAborted();
      const word = Atomics.load(this.word, 0);
      const state = word & 3n;
      const bytes = Number(word >> 2n);
      if (state === broken) {
        throw new ArrivalError('The file ended before it was complete.');
      }
      if (state === whole || bytes > known) {
        return { bytes, whole: state === whole };
      }
      // The timeout is needed because cancelling the reader's job doesn't change the word.
      const change = Atomics.waitAsync(this.word, 0, word, 100);
      if (change.async) {
        await change.value;
      }
    }
  }

  private announce(bytes: number, state: bigint): void {
    Atomics.store(this.word, 0, (BigInt(bytes) << 2n) | state);
    Atomics.notify(this.word, 0);
  }
}
