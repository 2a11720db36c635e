import type { FileHash } from './fileHash';
import type { FileProgress } from './lineFile';

/** What a job is given beside its input. */
export interface JobContext {
  /** Aborted when the job is cancelled, as soon as the thread comes round to its messages. */
  readonly signal: AbortSignal;
  /** For loops that never await: throws the signal's kind of error at once when the job was cancelled. */
  throwIfAborted(): void;
  /** Told to the host at most every 50 ms, and always when everything is done. */
  progress(progress: FileProgress): void;
  /** Hashes a file in a thread of its own beside this one; missing where there are no threads. */
  hashBeside?(path: string, signal: AbortSignal): Promise<FileHash>;
  /** For jobs that emit bytes. */
  readonly slots: SlotWriter;
}

/** Pieces of shared memory that a job fills and the host empties, in turn. Whoever waits for one blocks, so it is for threads. */
export interface SlotWriter {
  /** The next piece to fill, when the host has done with it. Throws the job's kind of error when it is cancelled. */
  next(): Uint8Array;
  /** Tells the host of the first `length` bytes of the piece that `next` gave last. */
  emit(length: number): void;
}
