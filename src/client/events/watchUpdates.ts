import type { SessionEvent } from './eventLog';

/** State of a watched log. Times are in milliseconds of the given clock. */
export type WatchState =
  /** The first connection is being made. */
  | { readonly name: 'connecting' }
  /** Connected, and reading the history. `events` is the number read so far. */
  | { readonly name: 'catchingUp'; readonly events: number }
  | { readonly name: 'live' }
  /** The service does not start its stream, so its history is read at this interval. */
  | { readonly name: 'polling'; readonly everyMs: number }
  /** Not connected. The next attempt starts at `retryAt`. `error` is the last failure, if any. */
  | { readonly name: 'reconnecting'; readonly retryAt: number; readonly attempt: number; readonly error: unknown }
  /** No more events will arrive: the session was deleted, or the service ended or refused the stream. */
  | { readonly name: 'ended'; readonly reason: 'deleted' | 'closed' | 'refused' | 'unsupported'; readonly error?: unknown };

/** An update of a watched log. All `events`, applied in order, result in the log: complete, without duplicates, in the service's order. */
export type WatchUpdate =
  | { readonly type: 'state'; readonly state: WatchState }
  /** New events, in the service's order, after all delivered events. */
  | { readonly type: 'events'; readonly events: readonly SessionEvent[]; readonly live: boolean }
  /** New bodies of delivered events, with the same ids. For instance, `processed_at` was set. */
  | { readonly type: 'changed'; readonly events: readonly SessionEvent[] }
  /** `event_start` and `event_delta` of messages in progress. Never stored, and replaced by the event of the same id. */
  | { readonly type: 'previews'; readonly events: readonly SessionEvent[] }
  /** Events may be missing here, because the history could not be read. The history is read again later. `id` names the gap. */
  | { readonly type: 'gap'; readonly id: string; readonly error: unknown }
  /**
   * Consecutive events of the log in the right order. Sent if events were missing or were delivered too late. Known events have their
   * latest body. All gaps are closed. Other events that were delivered after the first gap, or after the first of `events`, follow after
   * `events`. All delivered events without an id are repeated in `events`.
   */
  | { readonly type: 'corrected'; readonly events: readonly SessionEvent[] };

export interface WatchOptions {
  readonly signal: AbortSignal;
  /** Event types to preview. None by default. */
  readonly previews?: readonly string[];
  /** Monotonic clock in milliseconds, and a timer. The system's clock and timer by default. */
  readonly clock?: { now(): number; sleep(milliseconds: number, signal: AbortSignal): Promise<void> };
  readonly random?: () => number;
}

/**
 * A watch for one reader. Starts with the first `next`. Ends when its state is `ended`, the reader leaves, or the signal aborts. Leaving or
 * aborting closes the connection at once and drops unread updates. Never rejects.
 */
export interface EventWatch extends AsyncIterable<WatchUpdate> {
  /** Ends the wait for the next attempt. */
  retryNow(): void;
  /** Reads the history now and delivers missing events. A stream that did not deliver them has stalled and is replaced. */
  lookNow(): void;
}
