/** A held timer. Refreshing a cleared timer has no effect. */
interface Held {
  due: number;
  isCleared: boolean;
  readonly ring: () => void;
}

/**
 * Holds the timers with certain lengths, so that a test advances their time instead of waiting. Held timers never fire too early, not even
 * on a slow machine. Other timers are unaffected. `release` must be called.
 */
export class HeldTimers {
  private readonly all = new Map<unknown, Held>();
  private readonly waiting = new Set<Held>();
  private readonly real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  private time = 0;
  private begun = 0;

  constructor(lengths: readonly number[]) {
    const { real } = this;
    Object.assign(globalThis, {
      setTimeout: (ring: (...args: unknown[]) => void, length?: number, ...args: unknown[]) =>
        length !== undefined && lengths.includes(length) ? this.hold(() => ring(...args), length) : real.setTimeout(ring, length, ...args),
      clearTimeout: (timer?: NodeJS.Timeout) => {
        const held = this.all.get(timer);
        if (held === undefined) {
          real.clearTimeout(timer);
        } else {
          held.isCleared = true;
          this.waiting.delete(held);
        }
      },
    });
  }

  /** Number of pending timers. */
  get count(): number {
    return this.waiting.size;
  }

  /** Number of timers that were started or restarted so far. Tests wait for this before they advance the time. */
  get starts(): number {
    return this.begun;
  }

  /** Advances the time and fires the timers that are due. */
  pass(milliseconds: number): void {
    this.time += milliseconds;
    for (const held of this.waiting) {
      if (held.due <= this.time) {
        this.waiting.delete(held);
        held.ring();
      }
    }
  }

  release(): void {
    Object.assign(globalThis, this.real);
  }

  private hold(ring: () => void, length: number): object {
    const held: Held = { due: this.time + length, isCleared: false, ring };
    const timer = {
      refresh: () => {
        this.begun++;
        held.due = this.time + length;
        if (!held.isCleared) {
          this.waiting.add(held);
        }
        return timer;
      },
      ref: () => timer,
      unref: () => timer,
    };
    this.begun++;
    this.all.set(timer, held);
    this.waiting.add(held);
    return timer;
  }
}
