import { setImmediate as othersTurn } from 'node:timers/promises';
import { EventHistory } from '../../../client/events/eventHistory';
import type { EventLog, SessionEvent } from '../../../client/events/eventLog';
import type { WatchState, WatchUpdate } from '../../../client/events/watchUpdates';
import type { Timers } from '../../../common/lists/poller';
import { describeError } from '../../../common/text/describeError';
import type { Transcript } from '../../../shared/session/transcript';
import { readEnd } from '../facts/wholeLog';

interface ReadingOptions {
  readonly log: EventLog;
  readonly timers: Timers;
  readonly shown: () => Transcript;
  readonly createTranscript: () => Transcript;
  readonly show: (transcript: Transcript) => void;
  /** Adds events to the end of the displayed transcript, and updates changed events. */
  readonly append: (events: readonly SessionEvent[]) => void;
}

/** Reads a history in the background. Shows the end of a long log first, then the transcript that was read from the start. */
export class ReadingLog {
  private filling: Transcript | undefined;
  private readonly over = new AbortController();
  private isEndAsked = false;
  private isEndShown = false;
  /** True if no events were shown before this read. */
  private readonly isFirst: boolean;

  constructor(private readonly options: ReadingOptions) {
    const { shown, createTranscript } = options;
    this.isFirst = shown().events.length === 0;
    this.filling = this.isFirst && shown().rows.length === 0 ? undefined : createTranscript();
  }

  /** True while only the end of the log is shown. */
  get isPartial(): boolean {
    return this.isEndShown && this.filling !== undefined;
  }

  target(update: WatchUpdate): Transcript {
    const { shown, createTranscript } = this.options;
    if (update.type === 'state' && update.state.name === 'catchingUp' && shown().events.length === 0 && !this.over.signal.aborted) {
      this.filling ??= createTranscript();
    }
    const { filling } = this;
    if (filling !== undefined) {
      this.take(update, filling);
    }
    return this.filling ?? shown();
  }

  /** Stops reading. The displayed transcript stays. */
  stop(): void {
    this.over.abort();
  }

  private take(update: WatchUpdate, filling: Transcript): void {
    const { shown, append } = this.options;
    if (update.type === 'gap') {
      if (this.isPartial) {
        filling.gap(update.id, describeError(update.error));
        filling.append(shown().events);
        this.reveal(filling);
      } else if (this.isFirst) {
        this.reveal(filling);
      } else {
        // The log could not be read again. The known rows stay, and new events are appended.
        this.finish();
        append(filling.events as readonly SessionEvent[]);
      }
    } else if (update.type === 'state') {
      const { state } = update;
      if (state.name === 'live' || isWholeHistory(state, filling, shown())) {
        this.reveal(filling);
      } else if (state.name === 'catchingUp') {
        if (this.isFirst && state.events > 0 && !this.isEndAsked) {
          this.isEndAsked = true;
          void this.showEnd(filling);
        }
      } else if (this.isFirst && !this.isEndShown && state.name !== 'connecting') {
        this.reveal(filling);
      }
    }
  }

  /** Reads the end of a long history repeatedly, until the whole history is shown or the service returns events only from the start. */
  private async showEnd(filling: Transcript): Promise<void> {
    // A short history is read completely in the meantime.
    await othersTurn();
    const { log, timers } = this.options;
    const { signal } = this.over;
    const history = new EventHistory(log, () => undefined, fullWindow);
    try {
      while (!signal.aborted) {
        const newest = await readEnd(history, signal, fullWindow);
        if (!signal.aborted) {
          this.takeEnd(newest.toReversed(), filling);
          await pause(timers, signal);
        }
      }
    } catch {
      // The read from the start reports the problem.
    }
    if (!signal.aborted && !this.isEndShown) {
      this.reveal(filling);
    }
  }

  private takeEnd(events: readonly SessionEvent[], filling: Transcript): void {
    const { shown, createTranscript, show, append } = this.options;
    const isIn = (transcript: Transcript) => events.some(({ id }) => typeof id === 'string' && transcript.eventOf(id) !== undefined);
    if (this.isEndShown && isIn(shown())) {
      append(events);
    } else if (events.length > 0 && !isIn(filling)) {
      const end = createTranscript();
      end.append(events);
      this.isEndShown = true;
      show(end);
    }
  }

  private reveal(filling: Transcript): void {
    this.finish();
    this.options.show(filling);
  }

  private finish(): void {
    this.over.abort();
    this.filling = undefined;
  }
}

/** Returns whether the history of a service that does not stream was read completely. */
function isWholeHistory(state: WatchState, read: Transcript, shown: Transcript): boolean {
  const isRead = state.name === 'polling' || (state.name === 'ended' && state.reason === 'unsupported');
  return isRead && read.events.length >= shown.events.length;
}

/** Number of events that fill any window. If the service returns fewer per page, more pages are read. */
const fullWindow = 200;
/** Interval between two reads of the newest events while earlier events are read, in milliseconds. */
const endReadInterval = 2000;

function pause(timers: Timers, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = timers.set(resolve, endReadInterval);
    signal.addEventListener('abort', () => {
      timers.clear(timer);
      resolve();
    });
  });
}
