import type { EventCatchUp } from './eventCatchUp';
import type { EventLedger } from './eventLedger';
import type { StreamPump } from './streamPump';
import type { WatchOptions } from './watchUpdates';

const firstFill = 2000;
const slowestFill = 60_000;

/** Reads from the history while a stream is open. */
export class BesideStream {
  constructor(
    private readonly catchUp: EventCatchUp,
    private readonly ledger: EventLedger,
    private readonly clock: NonNullable<WatchOptions['clock']>,
    private readonly random: () => number,
  ) {}

  /** Tries to fill the gaps until none is left or the signal aborts. Never rejects. */
  async fillGaps(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; this.ledger.gaps.length > 0; attempt++) {
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
  async look(pump: StreamPump, signal: AbortSignal): Promise<void> {
    const hasMissed = await this.catchUp.fill(signal).catch(() => false);
    if (hasMissed && !signal.aborted) {
      pump.stop();
    }
  }
}
