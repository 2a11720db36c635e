import type { Clock } from '../../../common/clock';

/** Milliseconds. */
const quickest = 2_000;
const slowest = 60_000;
/**
 * Poll interval of each batch: a tenth of the time since its submission, within bounds. The wall clock is read once per batch, so clock
 * changes have no effect.
 */
export class Pace {
  private readonly polled = new Map<string, number>();
  private readonly started = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** Records a poll. */
  note(id: string): void {
    this.polled.set(id, this.clock.monotonic());
  }

  /** Returns the monotonic time of the last poll in milliseconds; negative infinity if there was none. */
  polledAt(id: string): number {
    return this.polled.get(id) ?? Number.NEGATIVE_INFINITY;
  }

  /** Returns the delay until the next poll in milliseconds, multiplied by `slowness`. `startedAt` is RFC 3339. */
  waitOf(id: string, startedAt: string, slowness: number): number {
    const last = this.polled.get(id);
    const now = this.clock.monotonic();
    let started = this.started.get(id);
    if (started === undefined) {
      const elapsed = this.clock.now() - Date.parse(startedAt);
      started = now - (elapsed > 0 ? elapsed : 0);
      this.started.set(id, started);
    }
    const every = Math.min(Math.max((now - started) / 10, quickest), slowest) * slowness;
    const wait = last === undefined ? 0 : last + every - now;
    return Math.max(wait, 0);
  }
}
