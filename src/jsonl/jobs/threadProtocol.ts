import type { FileProgress } from '../files/lineFile';
import type { JobName } from './jobTable';

/** The memory behind a `SlotWriter`. `free[0]` counts the slots that the job may take; both sides go through them in order. */
export interface SlotRing {
  readonly slots: readonly Uint8Array[];
  readonly free: Int32Array;
}

/** One job for a thread. `aborted[0]` becomes 1 when it is cancelled. */
export interface JobOrder {
  readonly name: JobName;
  readonly input: unknown;
  readonly aborted: Int32Array;
  readonly ring: SlotRing;
}

/**
 * What the host tells a thread: `prepare` loads what the first job would, and with `practiseIn`, a folder for what is soon removed, also
 * does for practice what results that arrive will want; `end` comes when it has no job and gets none any more.
 */
export type HostMessage =
  | { readonly type: 'prepare'; readonly practiseIn: string | undefined }
  | { readonly type: 'run'; readonly order: JobOrder }
  | { readonly type: 'abort' }
  | { readonly type: 'end' };

/** What a thread tells the host of its job; `isFree` when it can take another one. Without that it ends. */
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
