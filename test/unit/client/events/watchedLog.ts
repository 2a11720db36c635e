import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../../src/client/events/eventLog';
import { watchEvents } from '../../../../src/client/events/eventStream';
import type { WatchOptions } from '../../../../src/client/events/watchUpdates';
import { type FakeEventLog, Transcript } from '../fakeEventLog';

/** A clock that a test advances by hand. */
class HandClock {
  time = 0;
  private readonly sleepers = new Map<() => void, number>();

  now = () => this.time;

  sleep = (milliseconds: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const wake = () => {
        this.sleepers.delete(wake);
        resolve();
      };
      this.sleepers.set(wake, this.time + milliseconds);
      signal.addEventListener('abort', () => {
        this.sleepers.delete(wake);
        reject(signal.reason);
      });
    });

  get sleeping(): number {
    return this.sleepers.size;
  }

  /** Advances the time to the end of the next sleep. */
  next(): void {
    const [first] = [...this.sleepers].sort(([, a], [, b]) => a - b);
    assert.ok(first !== undefined, 'nobody sleeps');
    this.time = Math.max(this.time, first[1]);
    first[0]();
  }
}

/** Waits until all work that needs no timer or network is done. */
export async function settle(): Promise<void> {
  for (let count = 0; count < 20; count++) {
    await new Promise(resolve => setImmediate(resolve));
  }
}

export function message(id: string, more: object = {}): SessionEvent {
  return { type: 'agent.message', id, processed_at: '2026-11-21T10:00:00Z', ...more };
}

export function many(count: number, from = 1): SessionEvent[] {
  return Array.from({ length: count }, (_, index) =>
    message(`e${from + index}`, { created_at: new Date((from + index) * 1000).toISOString() }),
  );
}

/** Returns a function that starts a watch of a log with its own clock. Watches end after each test. Call `useWatches` in a suite. */
export function useWatches() {
  const open: AbortController[] = [];
  afterEach(() => {
    for (const controller of open.splice(0)) {
      controller.abort();
    }
  });
  return (log: FakeEventLog, options: Partial<WatchOptions> = {}) => {
    const controller = new AbortController();
    open.push(controller);
    const clock = new HandClock();
    const watch = watchEvents(log, { signal: controller.signal, clock, random: () => 0, ...options });
    const transcript = new Transcript();
    const ended = transcript.follow(watch);
    return { controller, clock, watch, transcript, ended };
  };
}

export function idsOf(events: readonly SessionEvent[]) {
  return events.map(({ id }) => id);
}
