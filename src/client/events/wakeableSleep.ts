import type { WatchOptions } from './watchUpdates';

const longest = 2 ** 31 - 1;

/** A sleep that can be ended early. */
export class WakeableSleep {
  private end: (() => void) | undefined;

  constructor(private readonly clock: NonNullable<WatchOptions['clock']>) {}

  wake(): void {
    this.end?.();
  }

  /** Settles after this time in milliseconds, when it is woken, or when the signal aborts. Never rejects. */
  async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.end = () => woken.abort();
    try {
      await this.clock.sleep(Math.min(milliseconds, longest), AbortSignal.any([signal, woken.signal]));
    } catch {
      // The caller checks the signal.
    } finally {
      this.end = undefined;
    }
  }
}
