import * as z from 'zod';
import type { CallOptions, ListOptions, Page } from '../transport/callResult';
import { optionalTexts } from '../transport/commonFields';

/** One event of a session as sent by the service. Only `type` is required. All other fields are preserved. Some services send no `id`. */
export const sessionEventSchema = z.looseObject({
  type: z.string(),
  ...optionalTexts('id', 'created_at', 'session_thread_id'),
  /** Null until the service has processed the event and sends it again with the same id. Some servers round to seconds. */
  processed_at: z.string().nullish(),
});
export type SessionEvent = z.infer<typeof sessionEventSchema>;

export const sentEventsSchema = z.looseObject({ data: z.array(sessionEventSchema).nullish() });

/** Filters of a list of events. `order` is required, because its default differs between servers. */
export interface EventFilters {
  readonly order?: 'asc' | 'desc';
  readonly types?: readonly string[];
  /** RFC 3339 timestamp. Many servers round to whole seconds. */
  readonly createdSince?: string;
}

/** Events as they arrive, including unknown types. Leaving the iteration early closes the connection. */
export interface SessionEventStream extends AsyncIterable<SessionEvent> {
  readonly requestId: string | undefined;
  /** Bytes received so far, including comments and pings. Used to detect a silent stream. */
  readonly receivedBytes: number;
  /** 204 if the service has nothing to stream and never will. */
  readonly status?: number;
  /** Last `id:` that the service sent, for a reconnect. */
  readonly lastEventId?: string | undefined;
  /** Delay before a reconnect that the service asked for, in milliseconds. */
  readonly retry?: number | undefined;
  /** Removes and returns the events that have already arrived, so that they can be handled together. */
  takeArrived?(): readonly SessionEvent[];
  /** Returns the `id:` of the frame of an event that has no `id` of its own. */
  frameIdOf?(event: SessionEvent): string | undefined;
}

export interface EventStreamOptions extends CallOptions {
  /** Event types for which to request previews: `agent.message`, `agent.thinking` (API facts, 8.3). */
  readonly previews?: readonly string[];
  /** Value of `Last-Event-ID`. Sent only to a service that sends ids. */
  readonly lastEventId?: string;
}

export interface EventLog {
  list(options?: ListOptions & EventFilters): Promise<Page<SessionEvent>>;
  /** Opens the stream in one attempt. Later failures reject the iteration, after the events before them. */
  stream(options?: EventStreamOptions): Promise<SessionEventStream>;
}
