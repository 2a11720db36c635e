import type { SessionEvent } from '../schemas/sessionEvents';

/** How a watched log stands. Times are milliseconds of the clock that was given. */
export type WatchState =
  /** The first connection is being made. */
  | { readonly name: 'connecting' }
  /** Connected; the history is being read. `events` were read so far. */
  | { readonly name: 'catchingUp'; readonly events: number }
  | { readonly name: 'live' }
  /** The service does not begin its stream; meanwhile its history is read again so often. */
  | { readonly name: 'polling'; readonly everyMs: number }
  /** Not connected; the next attempt comes at `retryAt`. `error` is what went wrong last, if anything did. */
  | { readonly name: 'reconnecting'; readonly retryAt: number; readonly attempt: number; readonly error: unknown }
  /** No more events will come: the session was deleted, the service ended the stream for good, or refused it. */
  | { readonly name: 'ended'; readonly reason: 'deleted' | 'closed' | 'refused' | 'unsupported'; readonly error?: unknown };

/**
 * What a watch of an event log brings. Applied in order, the `events` are those of the log: none missing, none twice, in the
 * service's order.
 */
export type WatchUpdate =
  | { readonly type: 'state'; readonly state: WatchState }
  /** New events, in the service's order, after all that were given before. */
  | { readonly type: 'events'; readonly events: readonly SessionEvent[]; readonly live: boolean }
  /** Events that were given before and have changed (`processed_at` was filled in, for instance): same id, new body. */
  | { readonly type: 'changed'; readonly events: readonly SessionEvent[] }
  /** `event_start` and `event_delta` of messages that are being made; never stored, replaced by the event of the same id. */
  | { readonly type: 'previews'; readonly events: readonly SessionEvent[] }
  /** History could not prove that nothing is missing here. It is tried again. `id` names the gap. */
  | { readonly type: 'gap'; readonly id: string; readonly error: unknown }
  /** The history of a gap could be read after all: these events, possibly none, stand in its place. */
  | { readonly type: 'gapFilled'; readonly id: string; readonly events: readonly SessionEvent[] }
  /** Events that stand between others that were given, where no gap was told: right behind, or right before, the one with this id. */
  | { readonly type: 'inserted'; readonly place: EventPlace; readonly events: readonly SessionEvent[] }
  /** An event that was given behind a gap stands within it: the service had sent it again. */
  | { readonly type: 'moved'; readonly place: EventPlace; readonly id: string };

export type EventPlace = { readonly after: string } | { readonly before: string };

export interface WatchOptions {
  readonly signal: AbortSignal;
  /** Event types to preview; absent asks for none. */
  readonly previews?: readonly string[];
  /** Now, in milliseconds, monotonic; and a sleep. Defaults to the system's. */
  readonly clock?: { now(): number; sleep(milliseconds: number, signal: AbortSignal): Promise<void> };
  readonly random?: () => number;
}

/**
 * A watch, for one reader: it begins with the first `next` and is over when its state is `ended`, when the reader leaves or the
 * signal aborts. Both close the connection at once, and what was not read by then is dropped. It never rejects.
 */
export interface EventWatch extends AsyncIterable<WatchUpdate> {
  /** Ends a wait for the next attempt. */
  retryNow(): void;
  /** Reads the history now and gives what is missing. A stream that did not bring it has stalled, and is made anew. */
  lookNow(): void;
}
