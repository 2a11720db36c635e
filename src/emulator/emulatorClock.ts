import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { orAborted } from '../shared/orAborted';

const longestTimer = 2 ** 31 - 1;

interface Alarm {
  readonly time: number;
  readonly ring: () => Promise<void>;
}

/**
 * Emulator time: real time plus the time added by `advance`, so that a test can pass 24 hours without waiting. Uses the monotonic clock:
 * changes of the computer's time have no effect.
 */
export class EmulatorClock {
  readonly #started = Date.now() - performance.now();
  readonly #alarms = new Set<Alarm>();
  readonly #ringing = new Set<Promise<unknown>>();
  #offset = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  /** Returns the time in milliseconds since 1970. */
  now(): number {
    return Math.round(this.#exactly());
  }

  /** Sets an alarm that calls `ring` once at `time`. The returned function cancels the alarm. */
  at(time: number, ring: () => Promise<void>): () => void {
    const alarm = { time, ring };
    this.#alarms.add(alarm);
    this.#schedule();
    return () => {
      this.#alarms.delete(alarm);
      this.#schedule();
    };
  }

  /** Resolves at `time`. Rejects with the signal's reason if the signal aborts first. */
  async sleepUntil(time: number, signal: AbortSignal): Promise<void> {
    let forget = () => {};
    const rung = new Promise<void>(resolve => {
      forget = this.at(time, async () => resolve());
    });
    await orAborted(rung, signal).finally(forget);
  }

  /** Lets `advance` and `settle` wait for work that is not an alarm, such as writing a file. */
  during<T>(work: Promise<T>): Promise<T> {
    const done = work.catch(() => undefined).finally(() => this.#ringing.delete(done));
    this.#ringing.add(done);
    return work;
  }

  /** Moves time forward step by step, from alarm to alarm. Resolves when all due work is done. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#exactly() + milliseconds;
    await this.settle();
    for (let next = this.#next(); next <= end && !this.#stopped; next = this.#next()) {
      this.#moveTo(next);
      await this.settle();
    }
    this.#moveTo(end);
    await this.settle();
  }

  /** Rings all due alarms. Resolves when no work is due any more. */
  async settle(): Promise<void> {
    do {
      this.#ringDue();
      await Promise.all(this.#ringing);
      // Lets tasks that wake up set their next alarm before due alarms are searched again.
      await nextTurn();
    } while ((this.#due().length > 0 || this.#ringing.size > 0) && !this.#stopped);
  }

  /** Cancels all pending alarms. Resolves when the running alarms are done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#alarms.clear();
    await Promise.all(this.#ringing);
  }

  #exactly(): number {
    return this.#started + performance.now() + this.#offset;
  }

  #moveTo(time: number): void {
    this.#offset += Math.max(0, time - this.#exactly());
  }

  /** Returns the time of the first alarm, or infinity without an alarm. */
  #next(): number {
    return Math.min(...[...this.#alarms].map(alarm => alarm.time));
  }

  #due(): Alarm[] {
    const now = this.now();
    return [...this.#alarms].filter(alarm => alarm.time <= now).sort((a, b) => a.time - b.time);
  }

  #ringDue(): void {
    for (const alarm of this.#due()) {
      this.#alarms.delete(alarm);
      void this.during(
        alarm.ring().catch(error => console.error(`Due work failed: ${error instanceof Error ? error.message : String(error)}`)),
      );
    }
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#stopped || this.#alarms.size === 0) {
      return;
    }
    this.#timer = setTimeout(() => this.#ringDue(), Math.min(Math.max(this.#next() - this.now(), 0), longestTimer));
  }
}
