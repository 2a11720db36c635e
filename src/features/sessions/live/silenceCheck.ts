import type { Timers } from '../../../common/lists/poller';
import type { ThreadLog } from './threadLog';

/** Delays after a send at which the log is checked for new events, in milliseconds. Each starts after the previous one. */
const patience = [4000, 12_000, 30_000];

/** Reads the history if no event arrives after a send: the stream may have stalled without ending. */
export class SilenceCheck {
  private timer: unknown;

  constructor(
    private readonly timers: Timers,
    private readonly log: () => ThreadLog,
  ) {}

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
