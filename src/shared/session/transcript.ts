import { changedFields, isStructural } from './changedFields';
import type { TranscriptEvent } from './event';
import type { SessionFacts } from './facts/sessionFacts';
import type { Timeline } from './facts/timeline';
import type { Turn } from './facts/turn';
import type { GappedLog } from './gappedLog';
import { askEventsOf, openAsksAt, type TranscriptAsk } from './openAsksAt';
import { OwnEvents, type OwnSending } from './ownEvents';
import { findRows } from './rows/findRows';
import { isPreviewEvent, Previews, type PreviewText } from './rows/previews';
import { RowList } from './rows/rowList';
import { foreignThreadOf, threadOf } from './rows/rowSource';
import type { Row, RowSplice } from './rows/rows';
import { isOfSession, isRest } from './rows/turnScope';
import { type WholePart, wholePartOf } from './rows/wholePart';
import { type EventPlace, StoredLog } from './storedLog';

export interface TranscriptOptions {
  /** Thread whose log this is; absent for the session's own log, which finds out from its events where they tell. */
  readonly thread?: string;
}

/** What previews changed: first the splices, then text that was added to rows. Both are in `rows` already. */
export interface PreviewChange {
  readonly splices: readonly RowSplice[];
  readonly texts: readonly PreviewText[];
}

/** What a transcript says of the session after one of its events; `createSessionView` makes a view of it. */
export interface TranscriptState {
  /** Events that count. */
  readonly size: number;
  /** The thread that is shown, as far as is known. */
  readonly shownThread: string | undefined;
  readonly facts: SessionFacts;
  readonly asks: readonly TranscriptAsk[];
}

/**
 * The log of one thread as rows. Events go in as the service ordered them; what comes out are splices which, applied in turn
 * to a list that began empty, give `rows`. Every event is kept as it came.
 *
 * A tool call, its permission and its result share one row; so do a span's start and end. Stored rows come first, then
 * messages that are being written, then the user's own words that the log does not show yet.
 */
export class Transcript {
  readonly #stored: StoredLog;
  readonly #list = new RowList();
  readonly #previews = new Previews();
  readonly #own = new OwnEvents(key => this.#timeline.placeOf(key) !== undefined);

  constructor(options: TranscriptOptions = {}) {
    this.#stored = new StoredLog(options.thread === '' ? undefined : options.thread);
  }

  /** All rows, in order. The list changes with the transcript. */
  get rows(): readonly Row[] {
    return this.#list.rows;
  }

  /** All events, in order, as they came. The list grows with the transcript. */
  get events(): readonly TranscriptEvent[] {
    return this.#timeline.events;
  }

  /** Events that show the open asks, oldest first. */
  get askEvents(): readonly TranscriptEvent[] {
    return askEventsOf(this.#timeline, new Set(this.stateAt().asks.map(({ eventId }) => eventId)));
  }

  get turn(): Turn {
    return this.#stored.factsAt(this.#timeline.events.length - 1).turn;
  }

  /** All events, in order, and among them events of type `export.gap` where some may be missing. */
  loggedEvents(): Generator<TranscriptEvent> {
    return this.#stored.loggedEvents();
  }

  /** The thread that is shown, as far as is known. */
  get shownThread(): string | undefined {
    return this.#timeline.shownThread;
  }

  /** Says which thread the session's own log belongs to, where a list of threads told. */
  setShownThread(thread: string): readonly RowSplice[] {
    if (thread === this.#timeline.shownThread) {
      return [];
    }
    const splices = this.#commit(() => {
      this.#timeline.shownThread = thread;
    });
    // What belongs together, and what has ended, goes by the threads.
    const isNamed = this.#timeline.events.some(event => threadOf(event) === thread);
    return isNamed ? [...splices, ...this.#rebuild(this.#stored.gapped)] : splices;
  }

  /** The session has ended though no event says so, because it was archived or is gone; or it goes on after all. */
  setClosed(isClosed: boolean): readonly RowSplice[] {
    if (isClosed === this.#stored.isClosed) {
      return [];
    }
    if (isClosed) {
      return this.#commit(() => {
        this.#stored.close();
        this.#previews.clear();
      });
    }
    this.#stored.reopen();
    return this.#rebuild(this.#stored.gapped);
  }

  /** Appends events. One with the id and type of a known event replaces it. */
  append(events: readonly TranscriptEvent[]): readonly RowSplice[] {
    const known: TranscriptEvent[] = [];
    const splices = this.#commit(() => {
      for (const event of events.filter(isStored)) {
        if (this.#stored.isKnown(event)) {
          known.push(event);
        } else {
          this.#add(event);
        }
      }
    });
    return known.length === 0 ? splices : [...splices, ...this.change(known)];
  }

  /** Events that were given before and have another body now: a message that was queued has been taken up, for instance. */
  change(events: readonly TranscriptEvent[]): readonly RowSplice[] {
    let needsRebuild = false;
    const splices = this.#commit(() => {
      for (const event of events) {
        const place = this.#timeline.placeOfCopy(event);
        const changed = place === undefined ? [] : changedFields(this.#timeline.eventAt(place), event);
        if (place !== undefined && changed.length > 0) {
          needsRebuild ||= isStructural(event.type, changed);
          this.#timeline.replace(place, event);
        }
      }
    });
    return needsRebuild ? [...splices, ...this.#rebuild(this.#stored.gapped)] : splices;
  }

  /** `event_start` and `event_delta` of messages that are being written. */
  preview(events: readonly TranscriptEvent[]): PreviewChange {
    let texts: PreviewText[] = [];
    const splices: RowSplice[] = [];
    for (const event of this.#timeline.isOver ? [] : events) {
      if (event.type === 'event_start') {
        // What was added so far is told as texts: a splice that held it too would add it twice.
        this.#commit(() => undefined);
        splices.push(
          ...this.#commit(() => {
            const begun = this.#startPreview(event);
            texts = texts.filter(({ key }) => key !== begun);
          }),
        );
      } else {
        const text = this.#previews.extend(event);
        if (text !== undefined) {
          texts.push(text);
        }
      }
    }
    this.#commit(() => undefined);
    return { splices, texts };
  }

  /** Forgets what is being written: after a cut, nobody knows what was missed of it. */
  dropPreviews(): readonly RowSplice[] {
    return this.#commit(() => this.#previews.clear());
  }

  /** Shows what the user sends at once. */
  addOwn(sending: OwnSending): readonly RowSplice[] {
    return this.#commit(() => this.#own.add(sending));
  }

  /** The service has stored what was sent: `events` are those of its answer. */
  ownStored(sending: OwnSending): readonly RowSplice[] {
    return this.#commit(() => this.#own.store(sending));
  }

  /** It could not be sent, or nobody knows: the words stay, with the problem, unless the log shows them. */
  ownFailed({ clientId, problem }: { readonly clientId: string; readonly problem: string }): readonly RowSplice[] {
    return this.#commit(() => this.#own.fail(clientId, problem));
  }

  /** Takes away what was not sent: the user sends it again or lets it be. */
  removeOwn(clientId: string): readonly RowSplice[] {
    return this.#commit(() => this.#own.remove(clientId));
  }

  /** Whether the log shows all of a sending, whatever became of the answer. */
  isOwnStored(clientId: string): boolean {
    return this.#own.isStored(clientId);
  }

  /** Says that events may be missing at the end, before those to come. A gap that is known has another problem now. */
  gap(id: string, problem: string): readonly RowSplice[] {
    return this.#commit(() => this.#stored.setGap(id, problem));
  }

  /** What stood in a gap after all, possibly nothing. */
  fillGap(id: string, events: readonly TranscriptEvent[]): readonly RowSplice[] {
    const log = this.#stored.withGapFilled(id, events.filter(isStored));
    return log === undefined ? [] : this.#rebuild(log);
  }

  /** Events that stand right behind, or right before, the one with this id; at the end where that is not known. */
  insert(place: EventPlace, events: readonly TranscriptEvent[]): readonly RowSplice[] {
    const log = this.#stored.withInserted(place, events.filter(isStored));
    return log === undefined ? this.append(events) : this.#rebuild(log);
  }

  /** An event stands right behind, or right before, the one with this id; where either is not known nothing changes. */
  move(place: EventPlace, id: string): readonly RowSplice[] {
    const log = this.#stored.withMoved(place, id);
    return log === undefined ? [] : this.#rebuild(log);
  }

  /** The event behind a row or behind one of the events folded into it, as the service sent it. */
  eventOf(key: string): TranscriptEvent | undefined {
    const place = this.#timeline.placeOf(key);
    return place === undefined ? this.#own.eventOf(key) : this.#timeline.eventAt(place);
  }

  /** All events that a row tells of, in order. */
  eventsOf(key: string): readonly TranscriptEvent[] {
    return this.#stored.eventsOf(key);
  }

  /** The stored rows with the whole of their parts, one after the other. */
  wholeRows(): Generator<Row> {
    return this.#stored.wholeRows();
  }

  /** The whole of a part of a row; `path` as in the panel's protocol. Undefined when there is no such part. */
  partOf(key: string, path: string): WholePart | undefined {
    return wholePartOf(this.#timeline, key, path);
  }

  /**
   * Keys of the rows that hold a text, upper and lower case alike, in their order. `keysOnlyCut`: only those where it may
   * stand in what a row does not hold, since a part of it was cut.
   */
  search(query: string, options: { readonly keysOnlyCut?: boolean } = {}): readonly string[] {
    return findRows(this.#timeline, this.#list.rows, query, options.keysOnlyCut === true);
  }

  /** What the log says of the session after all its events, or after event `seq`, own answers left out. */
  stateAt(seq = this.#timeline.events.length - 1): TranscriptState {
    const last = Math.min(Math.max(seq, -1), this.#timeline.events.length - 1);
    const isNow = last === this.#timeline.events.length - 1;
    const answering = isNow ? this.#own.answering : new Set<string>();
    return {
      size: last + 1,
      shownThread: this.#timeline.shownThread,
      facts: this.#stored.factsAt(last),
      asks: openAsksAt(this.#timeline, last, answering),
    };
  }

  get #timeline(): Timeline {
    return this.#stored.timeline;
  }

  #add(event: TranscriptEvent): void {
    this.#added(this.#stored.add(event), event);
    const isOwn = isOfSession(event) || foreignThreadOf(event, this.#timeline.shownThread) === undefined;
    if (isOwn && (event.type === 'span.model_request_end' || isRest(event))) {
      this.#previews.clear();
    }
  }

  #added(key: string, event: TranscriptEvent): void {
    this.#previews.end(key);
    this.#own.claim(key, event);
  }

  #startPreview(event: TranscriptEvent): string | undefined {
    const key = this.#previews.start(event);
    if (key !== undefined && this.#timeline.placeOf(key) !== undefined) {
      this.#previews.end(key);
    }
    return key;
  }

  /** Builds everything anew from a log that did not only grow at its end. */
  #rebuild(log: GappedLog): readonly RowSplice[] {
    this.#stored.rebuild(log, (key, event) => this.#added(key, event));
    return this.#list.rebuild(this.#timeline, this.#tail());
  }

  /** Carries out a change and tells what it did to the rows. */
  #commit(change: () => void): readonly RowSplice[] {
    change();
    return this.#list.update(this.#timeline, this.#tail());
  }

  #tail(): readonly Row[] {
    return [...this.#previews.rows, ...this.#own.rows];
  }
}

function isStored(event: TranscriptEvent): boolean {
  return !isPreviewEvent(event);
}
