import type { WatchState } from '../../../client/events/watchUpdates';
import type { Timers } from '../../../common/lists/poller';
import { describeError } from '../../../common/text/describeError';
import type { SessionReader } from './sessionReader';
import type { ThreadLog } from './threadLog';

/** Interval between two reads of the history of a service that does not stream, in milliseconds. */
export const pollInterval = 15_000;

export interface SessionAvailabilityOptions {
  readonly sessionId: string;
  readonly reader: SessionReader;
  readonly timers: Timers;
  readonly warn: (message: string) => void;
  /** Called when the history of a service that does not stream has to be read again. */
  readonly onPoll: () => void;
}

/** State of a session, as derived from the watch of its own log: whether it still exists, and whether it can be streamed. */
export class SessionAvailability {
  /** True if the service does not stream. Its history is then polled. */
  isPolled = false;
  /** True if the watch reported the deletion. */
  private isDeleted = false;
  private reportedProblem = '';
  private timer: unknown;

  constructor(private readonly options: SessionAvailabilityOptions) {}

  /** True if the session existed and the service no longer has it. */
  get isGone(): boolean {
    return this.isDeleted || this.options.reader.isDeleted;
  }

  /** Handles a new state of the watch. */
  tell(state: WatchState): void {
    const { reader } = this.options;
    if (isReading(state)) {
      this.isPolled = false;
      this.isDeleted = false;
      reader.isDeleted = false;
    } else if (state.name === 'ended' && state.reason === 'unsupported' && reader.session !== undefined) {
      this.isPolled = true;
      this.pollLater();
    }
    if (state.name === 'ended' && state.reason === 'deleted') {
      this.isDeleted = true;
    }
    this.warnOnce(state);
  }

  /** Stops polling until the next `tell`. */
  rest(): void {
    this.options.timers.clear(this.timer);
  }

  /** Schedules the next read of the history. */
  private pollLater(): void {
    const { timers, onPoll } = this.options;
    this.rest();
    this.timer = timers.set(() => {
      if (!this.isGone) {
        onPoll();
      }
    }, pollInterval);
  }

  /** Logs why a session is no longer watched. Repeats a problem only if the session was watched in between. */
  private warnOnce(state: WatchState): void {
    if (state.name === 'live') {
      this.reportedProblem = '';
    } else if (state.name === 'ended' && state.error !== undefined) {
      const problem = describeError(state.error);
      if (problem !== this.reportedProblem) {
        this.reportedProblem = problem;
        this.options.warn(`Session ${this.options.sessionId} is no longer watched: ${problem}`);
      }
    }
  }
}

/** Returns whether a watch has caught up with the service and receives new events. */
export function isReading({ name }: WatchState): boolean {
  return name === 'live' || name === 'polling';
}

/** Returns whether events of these types can change the session object. */
export function isTelling(types: ReadonlySet<string>): boolean {
  return [...types].some(type => /^session\.(?!usage)|^span\.outcome_evaluation_end$/.test(type));
}

/** Delays after a send at which the log is checked for new events, in milliseconds. Each starts after the previous one. */
const patience = [4000, 12_000, 30_000];

/**
 * Reads the history if no event arrives after a send. A service normally reports one immediately, so its stream may have stalled without
 * ending.
 */
export class SilenceCheck {
  private timer: unknown;

  constructor(
    private readonly timers: Timers,
    private readonly log: () => ThreadLog,
  ) {}

  /** Starts checking after a send that the service accepted. */
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
