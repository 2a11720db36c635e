import type { FileProgress } from '../files/lineFile';
import type { JobName } from './jobTable';

/** Memory of a `SlotWriter`. `free[0]` is the number of slots that the job may use. Both sides use the slots in order. */
export interface SlotRing {
  readonly slots: readonly Uint8Array[];
  readonly free: Int32Array;
}

/** Job for a thread. `aborted[0]` becomes 1 when the job is cancelled. */
export interface JobOrder {
  readonly name: JobName;
  readonly input: unknown;
  readonly aborted: Int32Array;
  readonly ring: SlotRing;
}

/**
 * Messages from the host to a thread. `prepare` loads the code of the first job. With `practiseIn`, a folder for temporary files, the
 * thread also does a trial join of results. `end` is sent to a thread that gets no more jobs.
 */
export type HostMessage =
  | { readonly type: 'prepare'; readonly practiseIn: string | undefined }
  | { readonly type: 'run'; readonly order: JobOrder }
  | { readonly type: 'abort' }
  | { readonly type: 'end' };

/** Messages from a thread to the host. The thread ends after `done` unless `isFree` is set. */
export type ThreadMessage =
  | { readonly type: 'progress'; readonly progress: FileProgress }
  | { readonly type: 'chunk'; readonly slot: number; readonly length: number }
  | { readonly type: 'done'; readonly value: unknown; readonly isFree: boolean }
  | {
      readonly type: 'failed';
      readonly name: string;
      readonly message: string;
      readonly stack: string | undefined;
      readonly code: string | undefined;
    };

/** Nice value of job threads. On a processor that other programs keep busy, a job still gets about a quarter of the time. */
export const jobPriority = 5;

const slotBytes = 512 * 1024;

/** Creates a ring of `count` free slots of 512 KiB. */
export function createRing(count: number): SlotRing {
  const slots = Array.from({ length: count }, () => new Uint8Array(new SharedArrayBuffer(slotBytes)));
  return { slots, free: new Int32Array(new SharedArrayBuffer(4)).fill(count) };
}

/** Frees the oldest slot that the job has emitted. */
export function release({ free }: SlotRing): void {
  Atomics.add(free, 0, 1);
  Atomics.notify(free, 0);
}
