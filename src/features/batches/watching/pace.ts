import type { Clock } from '../../../common/clock';

/** Milliseconds. */
const quickest = 2_000;
const slowest = 60_000;
/**
 * When each batch may be asked about again: a tenth of the time since its submission, soon after it and seldom a day later. The
 * wall clock is read once per batch, so that one that jumps changes nothing.
 */
export class Pace {
  private readonly asked = new Map<string, number>();
  private readonly begun = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** Notes that the service was just asked about it. */
  note(id: string): void {
    this.asked.set(id, this.clock.monotonic());
  }

  /** When the service was last asked about it, monotonic milliseconds; endlessly long ago when it was not. */
  askedAt(id: string): number {
    return this.asked.get(id) ?? Number.NEGATIVE_INFINITY;
  }

  /** Milliseconds until its turn, 0 when it is; `slowness` multiplies the waits. `startedAt` is RFC 3339. */
  waitOf(id: string, startedAt: string, slowness: number): number {
    const last = this.asked.get(id);
    const now = this.clock.monotonic();
    let begun = this.begun.get(id);
    if (begun === undefined) {
      const elapsed = this.clock.now() - Date.parse(startedAt);
      begun = now - (elapsed > 0 ? elapsed : 0);
      this.begun.set(id, begun);
    }
    const every = Math.min(Math.max((now - begun) / 10, quickest), slowest) * slowness;
    const wait = last === undefined ? 0 : last + every - now;
    return Math.max(wait, 0);
  }
}
