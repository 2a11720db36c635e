import assert from 'node:assert/strict';
import type { EventFilters, EventLog, EventStreamOptions, SessionEvent, SessionEventStream } from '../../../src/client/events/eventLog';
import type { WatchState, WatchUpdate } from '../../../src/client/events/watchUpdates';
import type { ListOptions, Page } from '../../../src/client/transport/callResult';
import { ServiceError } from '../../../src/client/transport/errors';

export interface FakeService {
  /** Order in which the service lists events. With `heeds`, it is the requested order. */
  readonly order: 'heeds' | 'newestFirst' | 'oldestFirst';
  readonly pageSize: number;
  /** Maximum `limit`. A request with a larger `limit` is refused. */
  readonly maxLimit?: number;
  readonly refusesCursors?: boolean;
  /** Makes a cursor the number of newest events to skip. Pages overlap when the log grows. */
  readonly pagesByOffset?: boolean;
}

/** A step of the service, such as a response. Resolves when the test lets the service continue. */
export type Step = (label: string) => Promise<void>;

export function serviceError(status: number, retryAfter?: number): Error {
  const details = { outcome: 'refused', method: 'GET', host: 'fake', path: '/', status, retryAfter } as const;
  return new ServiceError(`The service answered ${status}`, { ...details, kind: status === 404 ? 'not_found' : 'api' });
}

/** An in-memory log that behaves like the service. A test can simulate faults. */
export class FakeEventLog implements EventLog {
  readonly events: SessionEvent[] = [];
  readonly listCalls: (ListOptions & EventFilters)[] = [];
  readonly streamCalls: EventStreamOptions[] = [];
  /** Number of next list calls that fail. */
  listFailures = 0;
  /** Errors of the next calls that open a stream. */
  readonly attachFailures: unknown[] = [];
  /** Returns whether a page with these events is too large for a client. */
  tooLarge: (events: readonly SessionEvent[]) => boolean = () => false;
  attachStatus: number | undefined;
  /** Last event id that every stream reports. */
  lastEventId: string | undefined;
  private readonly subscribers = new Set<FakeStream>();

  constructor(
    private readonly service: FakeService = { order: 'heeds', pageSize: 1000 },
    private readonly step: Step = async () => {},
  ) {}

  get streams(): number {
    return this.subscribers.size;
  }

  /** Number of sent events that no stream has delivered. */
  get waiting(): number {
    return [...this.subscribers].reduce((sum, { waiting }) => sum + waiting, 0);
  }

  write(...events: SessionEvent[]): void {
    for (const event of events) {
      this.events.push(event);
    }
    this.send(...events);
  }

  /** Sends events to the streams without adding them to the log. */
  send(...events: SessionEvent[]): void {
    for (const subscriber of this.subscribers) {
      subscriber.push(events);
    }
  }

  /** Delivers the last `count` events of each stream again. */
  repeat(count: number): void {
    for (const subscriber of this.subscribers) {
      subscriber.repeat(count);
    }
  }

  /** Marks a queued event as processed and sends it again. */
  process(index: number): void {
    const event = this.events[index];
    if (event !== undefined && event.processed_at === null) {
      const processed = { ...event, processed_at: '2026-11-21T10:00:00Z' };
      this.events[index] = processed;
      this.send(processed);
    }
  }

  /** Ends every stream after `kept` of its pending events. */
  cut(kept: number, error?: unknown): void {
    for (const subscriber of this.subscribers) {
      subscriber.cut(kept, error);
    }
    this.subscribers.clear();
  }

  async list(options: ListOptions & EventFilters = {}): Promise<Page<SessionEvent>> {
    this.listCalls.push(options);
    await this.step('list asked');
    options.signal?.throwIfAborted();
    if (this.listFailures > 0) {
      this.listFailures--;
      await this.step('list failed');
      throw serviceError(503);
    }
    const { order, pageSize, maxLimit = 1000, refusesCursors = false } = this.service;
    if ((options.limit ?? 0) > maxLimit || (refusesCursors && options.cursor !== undefined)) {
      throw serviceError(400);
    }
    const isNewestFirst = order === 'heeds' ? options.order === 'desc' : order === 'newestFirst';
    const count = Math.min(pageSize, options.limit ?? pageSize);
    // Without `pagesByOffset`, a cursor is the position in the log where the page ends.
    const isOffset = this.service.pagesByOffset === true && isNewestFirst;
    const start = options.cursor === undefined ? (isNewestFirst ? this.events.length : 0) : Number(options.cursor);
    const from = isOffset && options.cursor !== undefined ? Math.max(0, this.events.length - start) : start;
    const to = isNewestFirst ? Math.max(0, from - count) : Math.min(this.events.length, from + count);
    const items = isNewestFirst ? this.events.slice(to, from).reverse() : this.events.slice(from, to);
    if (this.tooLarge(items)) {
      const details = { outcome: 'unknown', method: 'GET', host: 'fake', path: '/', status: 200 } as const;
      throw new ServiceError('larger than 32 MiB', { ...details, kind: 'too_large' });
    }
    const { length } = this.events;
    const isLast = isNewestFirst ? to === 0 : to === this.events.length;
    await this.step('list answered');
    return { items, nextCursor: isLast ? undefined : String(isOffset ? length - to : to), requestId: undefined };
  }

  async stream(options: EventStreamOptions = {}): Promise<SessionEventStream> {
    this.streamCalls.push(options);
    await this.step('stream asked');
    options.signal?.throwIfAborted();
    const failure = this.attachFailures.shift();
    if (failure !== undefined) {
      throw failure;
    }
    const stream = new FakeStream(this.step, options.signal, () => this.subscribers.delete(stream), this.attachStatus, this.lastEventId);
    this.subscribers.add(stream);
    await this.step('stream answered');
    return stream;
  }
}

class FakeStream implements SessionEventStream {
  readonly requestId = undefined;
  receivedBytes = 0;
  private queue: SessionEvent[] = [];
  private readonly sent: SessionEvent[] = [];
  private over: { readonly error: unknown } | undefined;
  private wake: (() => void) | undefined;

  constructor(
    private readonly step: Step,
    private readonly signal: AbortSignal | undefined,
    private readonly leave: () => void,
    readonly status?: number,
    readonly lastEventId?: string,
  ) {
    signal?.addEventListener('abort', this.onAbort, { once: true });
  }

  private readonly onAbort = () => this.cut(0, new Error('aborted'));

  get waiting(): number {
    return this.queue.length;
  }

  repeat(count: number): void {
    this.queue.push(...this.sent.slice(this.sent.length - count));
    this.wake?.();
  }

  push(events: readonly SessionEvent[]): void {
    for (const event of events) {
      this.queue.push(event);
      this.sent.push(event);
    }
    this.wake?.();
  }

  cut(kept: number, error: unknown): void {
    this.leave();
    this.signal?.removeEventListener('abort', this.onAbort);
    this.queue = this.queue.slice(0, kept);
    this.over = { error };
    this.wake?.();
  }

  takeArrived(): readonly SessionEvent[] {
    return this.queue.splice(0);
  }

  [Symbol.asyncIterator](): AsyncIterator<SessionEvent, void, undefined> {
    return {
      next: async () => {
        while (this.queue.length === 0 && this.over === undefined) {
          await new Promise<void>(resolve => {
            this.wake = resolve;
          });
        }
        await this.step('arrived');
        const value = this.queue.shift();
        if (value !== undefined) {
          this.receivedBytes += 100;
          return { done: false, value };
        }
        if (this.over?.error !== undefined) {
          throw this.over.error;
        }
        return { done: true, value: undefined };
      },
      return: async () => {
        this.cut(0, undefined);
        return { done: true, value: undefined };
      },
    };
  }
}

/** State of a consumer that applies the updates of a watch. */
export class Transcript {
  readonly states: WatchState[] = [];
  readonly updates: WatchUpdate[] = [];
  private entries: (SessionEvent | { readonly gap: string })[] = [];

  get state(): WatchState | undefined {
    return this.states.at(-1);
  }

  get events(): readonly SessionEvent[] {
    return this.entries.filter((entry): entry is SessionEvent => !('gap' in entry));
  }

  get gaps(): readonly string[] {
    return this.entries.flatMap(entry => ('gap' in entry && typeof entry.gap === 'string' ? [entry.gap] : []));
  }

  /** Ids of the entries, in order. A gap has the id `gap`. */
  get line(): readonly unknown[] {
    return this.entries.map(entry => ('gap' in entry ? 'gap' : entry.id));
  }

  apply(update: WatchUpdate): void {
    this.updates.push(update);
    switch (update.type) {
      case 'state':
        this.states.push(update.state);
        break;
      case 'events':
        this.entries.push(...update.events);
        break;
      case 'changed':
        for (const event of update.events) {
          const at = this.entries.findIndex(entry => 'id' in entry && entry.id === event.id);
          assert.ok(at >= 0, `${event.id} changed before it came`);
          this.entries[at] = event;
        }
        break;
      case 'gap':
        this.entries.push({ gap: update.id });
        break;
      case 'corrected': {
        const isSame = (one: SessionEvent | { readonly gap: string }, event: SessionEvent) =>
          'id' in one && one.id === event.id && event.id !== undefined;
        const ordered = update.events.map(event => this.entries.find(entry => isSame(entry, event)) ?? event);
        const start = Math.max(
          0,
          this.entries.findIndex(entry => 'gap' in entry || ordered.includes(entry)),
        );
        const others = this.entries.slice(start).filter(entry => 'id' in entry && entry.id !== undefined && !ordered.includes(entry));
        this.entries = [...this.entries.slice(0, start), ...ordered, ...others];
        break;
      }
    }
  }

  /** Applies all updates of a watch until it ends. */
  async follow(watch: AsyncIterable<WatchUpdate>): Promise<void> {
    for await (const update of watch) {
      this.apply(update);
    }
  }
}
