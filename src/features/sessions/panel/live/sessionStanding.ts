import type { WatchState } from '../../../../client/events/watchUpdates';
import type { Timers } from '../../../../common/lists/poller';
import { describeError } from '../../../../common/text/describeError';
import type { SessionReader } from './sessionReader';

/** Milliseconds between two readings of the history of a service that does not stream. */
export const pollInterval = 15_000;

export interface SessionStandingOptions {
  readonly sessionId: string;
  readonly reader: SessionReader;
  readonly timers: Timers;
  readonly warn: (message: string) => void;
  /** The history of a service that does not stream is to be read again. */
  readonly onPoll: () => void;
}

/** What the watch of a session's own log says of the session: whether it is still there, and whether it can be streamed. */
export class SessionStanding {
  /** The service does not stream: its history is read from time to time. */
  isPolled = false;
  /** The watch said so. */
  private isDeleted = false;
  private toldProblem = '';
  private timer: unknown;

  constructor(private readonly options: SessionStandingOptions) {}

  /** It was there, and the service does not know it any more. */
  get isGone(): boolean {
    return this.isDeleted || this.options.reader.isDeleted;
  }

  /** What became of the watch. */
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

  /** Polls no more until it is told again. */
  rest(): void {
    this.options.timers.clear(this.timer);
  }

  /** Reads the history again after a while, where the service does not stream and somebody looks. */
  private pollLater(): void {
    const { timers, onPoll } = this.options;
    this.rest();
    this.timer = timers.set(() => {
      if (!this.isGone) {
        onPoll();
      }
    }, pollInterval);
  }

  /** Writes down why a session is no longer watched; the same again only after it was watched in between. */
  private warnOnce(state: WatchState): void {
    if (state.name === 'live') {
      this.toldProblem = '';
    } else if (state.name === 'ended' && state.error !== undefined) {
      const problem = describeError(state.error);
      if (problem !== this.toldProblem) {
        this.toldProblem = problem;
        this.options.warn(`Session ${this.options.sessionId} is no longer watched: ${problem}`);
      }
    }
  }
}

/** Whether what the service has is known, and what comes will be. */
export function isReading({ name }: WatchState): boolean {
  return name === 'live' || name === 'polling';
}

/** Whether the session object says something new after events of these types. */
export function isTelling(types: ReadonlySet<string>): boolean {
  return [...types].some(type => /^session\.(?!usage)|^span\.outcome_evaluation_end$/.test(type));
}
