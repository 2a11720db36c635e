import type { FileHash } from './fileHash';
import type { PassContext } from './lineFile';

export interface JobContext extends Required<PassContext> {
  /** Hashes a file in another thread. Missing if no other threads are available. */
  hashBeside?(path: string, signal: AbortSignal): Promise<FileHash>;
  readonly slots: SlotWriter;
}

/** Chunks of shared memory that a job fills and the host empties in turn. Waiting for a chunk blocks, so use it in a worker thread. */
export interface SlotWriter {
  /** Waits until the host has emptied a chunk and returns that chunk. Throws like `throwIfAborted` if the job is cancelled. */
  next(): Uint8Array;
  /** Passes the first `length` bytes of the chunk that `next` returned last to the host. */
  emit(length: number): void;
}
