import type { Timers } from '../../../../common/lists/poller';
import type { ThreadLog } from './threadLog';

/** Milliseconds after which something should have been heard of what was sent, one after the other. */
const patience = [4000, 12_000, 30_000];

/**
 * After something was sent a service tells of it at once. Where nothing is heard, the stream may have stalled without an end: then the
 * history is read beside it.
 */
export class SilenceCheck {
  private timer: unknown;

  constructor(
    private readonly timers: Timers,
    private readonly log: () => ThreadLog,
  ) {}

  /** Something was sent just now, and the service has it. */
  begin(): void {
    this.rest();
    const log = this.log();
    if (!log.isWatched) {
      return;
    }
    if (log.state.name === 'polling') {
      log.lookNow();
    }
    this.wait(log, log.heard, 0);
  }

  rest(): void {
    this.timers.clear(this.timer);
  }

  private wait(log: ThreadLog, heard: number, times: number): void {
    const delay = patience[times];
    if (delay !== undefined) {
      this.timer = this.timers.set(() => {
        if (log.heard === heard) {
          log.lookNow();
          this.wait(log, heard, times + 1);
        }
      }, delay);
    }
  }
}
