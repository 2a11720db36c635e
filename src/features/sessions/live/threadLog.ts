import { setImmediate as othersTurn } from 'node:timers/promises';
import type { EventLog, SessionEvent } from '../../../client/events/eventLog';
import type { watchEvents } from '../../../client/events/eventStream';
import type { EventWatch, WatchState, WatchUpdate } from '../../../client/events/watchUpdates';
import type { Timers } from '../../../common/lists/poller';
import { describeError } from '../../../common/text/describeError';
import type { TranscriptEvent } from '../../../shared/session/event';
import type { OwnSending } from '../../../shared/session/ownEvents';
import { Transcript } from '../../../shared/session/transcript';
import { ReadingLog } from './readingLog';

/** Delays after a send at which the log is checked for new events, in milliseconds. Each delay starts after the previous delay. */
const silenceDelays = [4000, 12_000, 30_000];

/** Number of events added to a transcript at once, and time in milliseconds after which other work gets a turn. */
const slice = 200;
const longestTurn = 8;

interface ThreadLogOptions {
  /** Thread of the log. '' is the session's own thread. */
  readonly thread: string;
  readonly log: EventLog;
  readonly watch: typeof watchEvents;
  readonly timers: Timers;
  /** Returns a monotonic time in milliseconds. Defaults to the clock of this process. */
  readonly now?: () => number;
  /** Returns the event types to preview. `undefined` to preview no events. */
  readonly previews: () => readonly string[] | undefined;
  readonly onRows: () => void;
  /** Called when only messages that are being written may have changed. */
  readonly onText: () => void;
  readonly onState: (state: WatchState) => void;
  /** Called with the types of new events. `isLive` is false for events from the history. */
  readonly onEvents: (types: ReadonlySet<string>, isLive: boolean) => void;
}

/** The log of one thread: its transcript, and a watch that keeps it up to date while it runs. */
export class ThreadLog {
  transcript: Transcript;
  private primary: string | undefined;
  private isClosed = false;
  private reading: ReadingLog | undefined;
  private current: { readonly controller: AbortController; readonly watch: EventWatch } | undefined;
  state: WatchState = { name: 'connecting' };
  /** Number of updates that did not come from the history. */
  private heard = 0;
  private silenceTimer: unknown;

  constructor(private readonly options: ThreadLogOptions) {
    this.transcript = this.createTranscript();
  }

  /** True while only the end of the log is shown and the rest is read. */
  get isPartial(): boolean {
    return this.reading?.isPartial === true;
  }

  get isWatched(): boolean {
    return this.current !== undefined;
  }

  /** Starts watching, from the start of the log. The known rows stay until the log was read again. */
  start(): void {
    if (this.current !== undefined) {
      return;
    }
    const controller = new AbortController();
    const watch = this.options.watch(this.options.log, { signal: controller.signal, previews: this.options.previews() });
    this.current = { controller, watch };
    this.setState({ name: 'connecting' });
    this.run(watch, controller).catch(error => {
      // A watch does not fail, so the error came from applying the update.
      if (this.current?.controller === controller) {
        this.stop();
        this.setState({ name: 'ended', reason: 'closed', error });
      }
    });
  }

  /** Replaces the known events with `events`. Keeps the pending sends. */
  show(events: readonly SessionEvent[]): void {
    const fresh = this.createTranscript();
    fresh.append(events);
    this.replace(fresh);
  }

  /** Stops watching. The known rows stay. */
  stop(): void {
    this.options.timers.clear(this.silenceTimer);
    this.current?.controller.abort();
    this.current = undefined;
  }

  retryNow(): void {
    if (this.current === undefined) {
      this.start();
    } else {
      this.current.watch.retryNow();
    }
  }

  /** Reads the history if no event arrives after a send, because the stream may have stalled without ending. */
  expectEvents(): void {
    this.options.timers.clear(this.silenceTimer);
    if (this.state.name === 'polling') {
      this.current?.watch.lookNow();
    }
    this.checkSilence(this.heard, silenceDelays);
  }

  addOwn(sending: OwnSending): void {
    this.transcript.own.add(sending);
    this.options.onRows();
  }

  ownStored(sending: OwnSending): void {
    this.transcript.own.store(sending);
    this.options.onRows();
  }

  ownFailed(clientId: string, problem: string): void {
    this.transcript.own.fail(clientId, problem);
    this.options.onRows();
  }

  forgetFailed(isSame: (event: OwnSending['events'][number]) => boolean): void {
    this.transcript.own.forgetFailed(isSame);
    this.options.onRows();
  }

  setShownThread(thread: string): void {
    this.primary = thread;
    if (thread !== this.transcript.shownThread) {
      this.transcript.setShownThread(thread);
      this.options.onRows();
    }
  }

  setClosed(isClosed: boolean): void {
    this.isClosed = isClosed;
    // A transcript that is still being read is marked when it is complete.
    if ((!isClosed || isReading(this.state) || this.state.name === 'ended') && this.transcript.setClosed(isClosed)) {
      this.options.onRows();
    }
  }

  private checkSilence(heard: number, [delay, ...later]: readonly number[]): void {
    if (this.current !== undefined && delay !== undefined) {
      this.silenceTimer = this.options.timers.set(() => {
        if (this.heard === heard) {
          this.current?.watch.lookNow();
          this.checkSilence(heard, later);
        }
      }, delay);
    }
  }

  private createTranscript(): Transcript {
    const transcript = new Transcript(this.options.thread);
    if (this.primary !== undefined && this.options.thread === '') {
      transcript.setShownThread(this.primary);
    }
    return transcript;
  }

  private async run(watch: EventWatch, controller: AbortController): Promise<void> {
    const reading = new ReadingLog({
      ...this.options,
      shown: () => this.transcript,
      createTranscript: () => this.createTranscript(),
      show: transcript => this.replace(transcript),
      append: events => {
        this.transcript.append(events);
        this.options.onRows();
      },
    });
    this.reading = reading;
    controller.signal.addEventListener('abort', () => reading.stop());
    const { now = () => performance.now() } = this.options;
    let turn = now();
    for await (const update of watch) {
      if (controller.signal.aborted) {
        return;
      }
      const filling = reading.target(update);
      for (const part of inSlices(update)) {
        this.apply(part, filling);
        if (now() - turn > longestTurn) {
          // A long history must not block other work.
          await othersTurn();
          turn = now();
          if (controller.signal.aborted) {
            return;
          }
        }
      }
    }
    reading.stop();
    if (this.current?.controller === controller) {
      this.current = undefined;
    }
  }

  private apply(update: WatchUpdate, transcript: Transcript): void {
    switch (update.type) {
      case 'state':
        if (update.state.name === 'reconnecting' || update.state.name === 'ended') {
          transcript.dropPreviews();
          this.options.onText();
        }
        if (this.isClosed && isReading(update.state)) {
          transcript.setClosed(true);
          this.options.onText();
        }
        this.setState(update.state);
        return;
      case 'events':
        transcript.append(update.events);
        break;
      case 'changed':
        transcript.change(update.events);
        break;
      case 'previews':
        transcript.preview(update.events);
        break;
      case 'gap':
        transcript.gap(update.id, describeError(update.error));
        break;
      case 'corrected':
        transcript.correct(update.events);
        break;
    }
    if (transcript === this.transcript) {
      (update.type === 'previews' ? this.options.onText : this.options.onRows)();
    }
    if ('events' in update && update.type !== 'previews') {
      this.reportEvents(update.events, update.type === 'changed' || (update.type === 'events' && update.live));
    }
  }

  private reportEvents(events: readonly { readonly type: string }[], isLive: boolean): void {
    this.heard += isLive ? 1 : 0;
    this.options.onEvents(new Set(events.map(({ type }) => type)), isLive);
  }

  /** Replaces the transcript. Keeps the pending sends. */
  private replace(fresh: Transcript): void {
    fresh.own.takeOver(this.transcript.own);
    if (this.primary !== undefined && this.options.thread === '') {
      fresh.setShownThread(this.primary);
    }
    this.transcript = fresh;
    this.options.onRows();
  }

  private setState(state: WatchState): void {
    this.state = state;
    this.options.onState(state);
  }
}

function* inSlices(update: WatchUpdate): Generator<WatchUpdate> {
  if (update.type !== 'events' || update.events.length <= slice) {
    yield update;
    return;
  }
  for (let from = 0; from < update.events.length; from += slice) {
    yield { ...update, events: update.events.slice(from, from + slice) };
  }
}

/** Returns whether a watch has caught up with the service and receives new events. */
export function isReading({ name }: WatchState): boolean {
  return name === 'live' || name === 'polling';
}

/** Maximum number of concurrent streams, including the stream of the session itself. */
const maxStreams = 4;

/** Logs of the opened threads of a session. '' is the session's own thread. */
export class SessionLogs {
  private readonly logs = new Map<string, ThreadLog>();
  /** Shown threads, the last shown thread first. */
  private recent: readonly string[] = [];
  shown = '';
  private isClosed = false;

  constructor(private readonly create: (thread: string) => ThreadLog) {}

  get threads(): readonly string[] {
    return [...this.logs.keys()];
  }

  get(thread: string): ThreadLog | undefined {
    return this.logs.get(thread);
  }

  of(thread: string): ThreadLog {
    let log = this.logs.get(thread);
    if (log === undefined) {
      log = this.create(thread);
      this.logs.set(thread, log);
      log.setClosed(this.isClosed);
    }
    return log;
  }

  /** Marks the session as ended or not ended, whatever its events say. */
  setClosed(isClosed: boolean): void {
    this.isClosed = isClosed;
    for (const log of this.logs.values()) {
      log.setClosed(isClosed);
    }
  }

  show(thread: string, isWatching: boolean): void {
    this.shown = thread;
    this.recent = [thread, ...this.recent.filter(other => other !== thread)];
    const log = this.of(thread);
    if (isWatching) {
      log.start();
      this.restSome();
    }
  }

  /** Watches the session's own log and the displayed thread. Other threads continue when they are shown. */
  start(): void {
    this.of('').start();
    this.of(this.shown).start();
    this.restSome();
  }

  stop(): void {
    for (const log of this.logs.values()) {
      log.stop();
    }
  }

  retryNow(): void {
    for (const log of this.logs.values()) {
      if (log.isWatched) {
        log.retryNow();
      }
    }
  }

  /** Finds an event by its ID in everything that was read. */
  eventOf(id: string): TranscriptEvent | undefined {
    return [...this.logs.values()].map(log => log.transcript.eventOf(id)).find(event => event !== undefined);
  }

  /** Stops watching the least recently shown threads if there are too many. */
  private restSome(): void {
    const watched = this.recent.filter(thread => thread !== '' && this.get(thread)?.isWatched === true);
    for (const thread of watched.slice(maxStreams - 1)) {
      this.get(thread)?.stop();
    }
  }
}
