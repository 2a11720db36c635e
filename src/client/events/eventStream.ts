import { ServiceError } from '../transport/errors';
import { clientClock } from '../transport/retryPolicy';
import { EventCatchUp } from './eventCatchUp';
import { HistoryCutError } from './eventHistory';
import { EventLedger } from './eventLedger';
import type { EventLog, SessionEventStream } from './eventLog';
import type { Named } from './eventNames';
import { StreamArrivals } from './streamArrivals';
import { StreamBackoff } from './streamBackoff';
import { askedPause, isServiceResponse, reasonToEnd, type StreamEnd, withoutSilence } from './streamFailure';
import { StreamPump } from './streamPump';
import { UpdateQueue } from './updateQueue';
import type { EventWatch, WatchOptions, WatchState, WatchUpdate } from './watchUpdates';

const longest = 2 ** 31 - 1;

type Ended = Extract<WatchState, { readonly name: 'ended' }>;

const monotonicClock = { now: () => performance.now(), sleep: clientClock.sleep };
/** Number of buffer overflows after which the stream is paused instead. */
const overflowsTaken = 3;
/** Time to wait for a stream, or for any response, in milliseconds. */
const patience = 3000;
/** Interval at which the history is read if the service does not start its stream, in milliseconds. */
const pollEvery = 10_000;
/** Shortest and longest wait for the next attempt to fill gaps, in milliseconds. */
const firstFill = 2000;
const slowestFill = 60_000;

/**
 * Watches the log of a session or a thread until `signal` aborts. Attaches to the stream first, pages through the history, merges both by
 * event id, and continues live. After a broken connection, reconnects with jittered back-off and catches up again. A slow reader pauses the
 * connection, so memory is bounded.
 */
export function watchEvents(log: EventLog, options: WatchOptions): EventWatch {
  return new LogWatch(log, options);
}

/** One watch of one log, from the first `next` until the reader leaves, its signal aborts or the log ends. Never rejects. */
class LogWatch implements EventWatch {
  private readonly lifetime = new AbortController();
  private readonly queue = new UpdateQueue();
  private readonly ledger = new EventLedger();
  private readonly arrivals = new StreamArrivals(this.ledger, this.queue);
  private readonly catchUp: EventCatchUp;
  private readonly backoff: StreamBackoff;
  private readonly clock: NonNullable<WatchOptions['clock']>;
  private readonly random: () => number;
  private hasBegun = false;
  private wasAttached = false;
  private isCatchingUp = false;
  private previews: readonly string[] | undefined;
  private lastEventId: string | undefined;
  /** Ends the current `rest` early, if there is a pending `rest`. */
  private wake = () => {};
  private reported: WatchState['name'] | undefined;
  /** Reads the history while a stream is open. Does nothing without a stream. */
  private checkPump = () => {};

  constructor(
    private readonly log: EventLog,
    private readonly options: WatchOptions,
  ) {
    this.clock = options.clock ?? monotonicClock;
    this.random = options.random ?? Math.random;
    this.previews = options.previews;
    this.backoff = new StreamBackoff(() => this.clock.now(), this.random);
    this.catchUp = new EventCatchUp(log, this.ledger, this.queue, () => {
      if (this.isCatchingUp) {
        this.report({ name: 'catchingUp', events: this.ledger.count });
      }
    });
  }

  [Symbol.asyncIterator](): AsyncIterator<WatchUpdate, void, undefined> {
    return {
      next: async () => {
        this.start();
        const value = await this.queue.next();
        return value === undefined ? { done: true, value } : { done: false, value };
      },
      return: async () => {
        this.leave();
        return { done: true, value: undefined };
      },
    };
  }

  retryNow(): void {
    this.wake();
  }

  lookNow(): void {
    this.wake();
    this.checkPump();
  }

  private start(): void {
    if (this.hasBegun) {
      return;
    }
    this.hasBegun = true;
    const { signal } = this.options;
    if (signal.aborted) {
      this.leave();
      return;
    }
    signal.addEventListener('abort', this.leave, { once: true });
    void this.run();
  }

  private readonly leave = () => {
    this.hasBegun = true;
    this.queue.end(true);
    this.close();
  };

  private close(): void {
    this.lifetime.abort();
    this.options.signal.removeEventListener('abort', this.leave);
  }

  private async run(): Promise<void> {
    this.report({ name: 'connecting' });
    try {
      this.report(await this.follow());
    } catch (error) {
      // A reader that has left gets no more updates.
      this.report({ name: 'ended', reason: 'closed', error });
    }
    this.queue.end(false);
    this.close();
  }

  /** Reconnects until no more events can arrive. */
  private async follow(): Promise<Ended> {
    for (;;) {
      this.backoff.start();
      let end: StreamEnd;
      try {
        const attaching = this.attach();
        await this.pollWhileSlow(attaching);
        const stream = await attaching;
        if (stream.status === 204) {
          await stream[Symbol.asyncIterator]().return?.();
          return { name: 'ended', reason: 'closed' };
        }
        end = await this.read(stream);
      } catch (error) {
        end = { error };
        this.backoff.ended(false);
        const reason = reasonToEnd(error, this.wasAttached);
        if (reason === 'unsupported' || (reason === undefined && isServiceResponse(error))) {
          await this.readWithoutStream();
        }
        if (reason !== undefined) {
          return { name: 'ended', reason, error };
        }
      }
      this.lifetime.signal.throwIfAborted();
      if (this.arrivals.isDeleted) {
        return { name: 'ended', reason: 'deleted' };
      }
      await this.nap(end);
    }
  }

  /** Polls the history until the stream starts. Some services start it only when there is an event to send, or never. */
  private async pollWhileSlow(attaching: Promise<unknown>): Promise<void> {
    const over = new AbortController();
    const stop = () => over.abort();
    attaching.then(stop, stop);
    const waiting = AbortSignal.any([this.lifetime.signal, over.signal]);
    let known: number | undefined;
    for (let wait = patience; ; wait = pollEvery) {
      await this.rest(wait, waiting);
      if (waiting.aborted) {
        return;
      }
      const reading = new AbortController();
      this.clock.sleep(patience, AbortSignal.any([waiting, reading.signal])).then(
        () => this.reportSilence(),
        () => {},
      );
      const isRead = await this.readWithoutStream();
      reading.abort();
      if (isRead && !waiting.aborted && known !== this.ledger.newsCount) {
        known = this.ledger.newsCount;
        this.report({ name: 'polling', everyMs: pollEvery });
      }
    }
  }

  /** Reports that the service does not respond. This replaces the reason reported for the last connection. */
  private reportSilence(): void {
    if (this.reported === 'reconnecting') {
      this.reportReconnecting(0, new Error('The service does not respond.'));
    }
  }

  private async attach(): Promise<SessionEventStream> {
    const { previews, lastEventId } = this;
    const { signal } = this.lifetime;
    try {
      return await this.log.stream({ signal, previews, lastEventId });
    } catch (error) {
      const status = error instanceof ServiceError ? error.status : undefined;
      // A service that doesn't know the `Last-Event-ID` refuses the whole stream.
      if (lastEventId !== undefined && (status === 400 || status === 404 || status === 410)) {
        this.lastEventId = undefined;
      } else if (previews !== undefined && status === 400) {
        this.previews = undefined;
      } else {
        throw error;
      }
      return this.attach();
    }
  }

  /** Follows one connection to its end. Returns the reason if it failed. */
  private async read(stream: SessionEventStream): Promise<StreamEnd> {
    const { signal } = this.lifetime;
    this.wasAttached = true;
    const pump = new StreamPump(stream);
    const { newsCount } = this.ledger;
    const stop = () => pump.stop();
    signal.addEventListener('abort', stop, { once: true });
    const filling = new AbortController();
    let filler: Promise<void> = Promise.resolve();
    try {
      const deliver = async (arrived: readonly Named[], bytes: number) => {
        if (this.arrivals.give(arrived, bytes)) {
          pump.stop();
        }
        await this.queue.room();
      };
      await this.readMissing();
      let buffered = pump.goLive(deliver);
      for (let overflows = 1; buffered === undefined; overflows++) {
        // The dropped events are in the history now. New events are buffered first, as at the start.
        pump.restart(overflows > overflowsTaken);
        await this.readMissing();
        buffered = pump.goLive(deliver);
      }
      if (this.arrivals.give(this.arrivals.withoutOverlap(buffered))) {
        pump.stop();
      } else {
        this.report({ name: 'live' });
        const fillSignal = AbortSignal.any([signal, filling.signal]);
        this.checkPump = () => void this.replaceIfStalled(pump, fillSignal);
        filler = this.fillGaps(fillSignal);
      }
      const { error } = await pump.over;
      return { error: withoutSilence(error), retry: stream.retry };
    } finally {
      pump.stop();
      this.checkPump = () => {};
      filling.abort();
      await filler;
      signal.removeEventListener('abort', stop);
      this.backoff.ended(this.ledger.newsCount > newsCount);
      this.lastEventId = stream.lastEventId ?? this.lastEventId;
    }
  }

  /** Reads missing events while the stream is buffered. If that fails, reports a gap. */
  private async readMissing(): Promise<void> {
    const { signal } = this.lifetime;
    this.isCatchingUp = true;
    this.report({ name: 'catchingUp', events: this.ledger.count });
    try {
      await this.catchUp.run(signal);
    } catch (error) {
      signal.throwIfAborted();
      this.reportGap(error);
    } finally {
      this.isCatchingUp = false;
    }
  }

  /** Tries to fill the gaps until none is left or the signal aborts. Never rejects. */
  private async fillGaps(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; this.ledger.hasGap; attempt++) {
      try {
        await this.clock.sleep(firstFill / 2 + this.random() * Math.min(slowestFill, firstFill * 2 ** attempt), signal);
        await this.catchUp.fill(signal);
      } catch {
        if (signal.aborted) {
          return;
        }
      }
    }
  }

  /** Reads missing events from the history. A stream that did not deliver them has stalled and is closed. Never rejects. */
  private async replaceIfStalled(pump: StreamPump, signal: AbortSignal): Promise<void> {
    const hasMissed = await this.catchUp.fill(signal).catch(() => false);
    if (hasMissed && !signal.aborted) {
      pump.stop();
    }
  }

  /** Reads the history of a service that responds but does not stream. */
  private async readWithoutStream(): Promise<boolean> {
    try {
      await this.catchUp.run(this.lifetime.signal);
      return true;
    } catch (error) {
      // Other errors leave no gap. Nothing newer was delivered, and the next attempt reads the history again.
      if (error instanceof HistoryCutError) {
        this.reportGap(error);
      }
      return false;
    }
  }

  private reportGap(error: unknown): void {
    const gap = this.ledger.openGap();
    if (gap !== undefined) {
      this.queue.push({ type: 'gap', id: gap, error });
    }
  }

  private async nap(end: StreamEnd): Promise<void> {
    const { signal } = this.lifetime;
    const wait = this.backoff.wait(askedPause(end));
    this.reportReconnecting(wait, end.error);
    await this.rest(wait, signal);
    signal.throwIfAborted();
  }

  /** Settles after the given time in milliseconds, when `wake` is called, or when the signal aborts. Never rejects. */
  private async rest(milliseconds: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.wake = () => woken.abort();
    // The caller checks the signal.
    await this.clock.sleep(Math.min(milliseconds, longest), AbortSignal.any([signal, woken.signal])).catch(() => {});
  }

  private reportReconnecting(wait: number, error: unknown): void {
    this.report({ name: 'reconnecting', retryAt: this.clock.now() + wait, attempt: this.backoff.attempt + 1, error });
  }

  private report(state: WatchState): void {
    this.reported = state.name;
    this.queue.push({ type: 'state', state });
  }
}
