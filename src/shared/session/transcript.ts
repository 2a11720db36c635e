import { sentTypes } from './deliveries';
import { foreignThreadOf, isOfSession, isRest, type TranscriptEvent } from './event';
import { timeFields } from './eventFields';
import { copyFacts, type SessionFacts } from './facts/sessionFacts';
import { Timeline } from './facts/timeline';
import { askEventsOf, openAsks, type TranscriptAsk } from './openAsks';
import { OwnEvents } from './ownEvents';
import { gapEventType } from './rows/eventRows';
import { isPreviewEvent, Previews } from './rows/previews';
import { type WholePart, wholePartOf } from './rows/rowParts';
import type { Row } from './rows/rows';
import { findRows } from './rows/rowText';

/** Facts about the session after all of its events. `createSessionView` turns them into a view. */
export interface TranscriptState {
  readonly shownThread: string | undefined;
  readonly facts: SessionFacts;
  readonly asks: readonly TranscriptAsk[];
}

/**
 * The log of one thread as rows. Accepts events in the service's order and stores them unchanged. A tool call, its permission and its
 * result share one row, and so do the start and end of a span. Rows of stored events come first, then messages that are being written, then
 * the user's own messages that are not in the log yet. A row stays the same object until its content may have changed.
 */
export class Transcript {
  /** Messages that the user is sending. */
  readonly own = new OwnEvents(key => this.#timeline.indexOf(key) !== undefined);
  readonly #previews = new Previews();
  #timeline: Timeline;
  /** Rows of the stored events. */
  #rows: Row[] = [];
  #isClosed = false;

  /** `thread` is the id of the log's thread. Missing or '' for the session's own log. Its thread is then derived if possible. */
  constructor(thread?: string) {
    this.#timeline = new Timeline(thread === '' ? undefined : thread);
  }

  get rows(): readonly Row[] {
    return [...this.#rows, ...this.#previews.rows, ...this.own.rows];
  }

  /** All events in order, with events of type `export.gap` where some may be missing. */
  get events(): readonly TranscriptEvent[] {
    return this.#timeline.events;
  }

  /** Events that show the open asks, oldest first. */
  get askEvents(): readonly TranscriptEvent[] {
    return askEventsOf(this.#timeline, new Set(this.state().asks.map(({ eventId }) => eventId)));
  }

  /** Facts about the session. They change with the log. */
  get facts(): SessionFacts {
    return this.#timeline.facts;
  }

  get shownThread(): string | undefined {
    return this.#timeline.shownThread;
  }

  /** Sets the ID of the session's own thread, when a list of threads contains the thread. Links between events depend on it. */
  setShownThread(thread: string): void {
    if (thread !== this.#timeline.shownThread) {
      this.#rebuild(this.events, thread);
    }
  }

  /** Sets or clears the mark that the session was archived or deleted, which no event reports. Returns whether the mark changed. */
  setClosed(isClosed: boolean): boolean {
    if (isClosed === this.#isClosed) {
      return false;
    }
    this.#isClosed = isClosed;
    if (isClosed) {
      this.#previews.clear();
    }
    this.#rebuild(this.events);
    return true;
  }

  /** Appends events. An event with the id and type of a known event replaces the known event. */
  append(events: readonly TranscriptEvent[]): void {
    const known: TranscriptEvent[] = [];
    for (const event of events.filter(event => !isPreviewEvent(event))) {
      if (isNamed(event) && this.#timeline.indexOfCopy(event) !== undefined) {
        known.push(event);
      } else {
        this.#add(event);
        const isOwn = isOfSession(event) || foreignThreadOf(event, this.shownThread) === undefined;
        if (isOwn && (event.type === 'span.model_request_end' || isRest(event))) {
          this.#previews.clear();
        }
      }
    }
    this.#buildRows();
    this.change(known);
  }

  /** Replaces known events that have changed, for example because a queued message was processed. */
  change(events: readonly TranscriptEvent[]): void {
    const changes = new Map<number, TranscriptEvent>();
    let needsRebuild = false;
    for (const event of events) {
      const index = this.#timeline.indexOfCopy(event);
      const changed = index === undefined ? [] : changedFields(changes.get(index) ?? this.#timeline.eventAt(index), event);
      if (index !== undefined && changed.length > 0) {
        changes.set(index, event);
        // Only the times of an interrupt affect other rows.
        needsRebuild ||= !changed.every(field => timeFields.has(field)) || !sentTypes.has(event.type) || event.type === 'user.interrupt';
      }
    }
    if (changes.size === 0) {
      return;
    }
    this.#timeline.replace(changes);
    if (needsRebuild) {
      this.#rebuild(this.events);
    } else {
      this.#timeline.relearn();
      this.#buildRows();
    }
  }

  /** Handles `event_start` and `event_delta` of messages that are being written. */
  preview(events: readonly TranscriptEvent[]): void {
    for (const event of this.#timeline.isOver ? [] : events) {
      if (event.type === 'event_start') {
        this.#previews.start(event, key => this.#timeline.indexOf(key) !== undefined);
      } else {
        this.#previews.extend(event);
      }
    }
  }

  /** Drops all previews, because they may be incomplete after a broken connection. */
  dropPreviews(): void {
    this.#previews.clear();
  }

  /** Adds a gap at the end, before future events, or changes the problem of a known gap. */
  gap(id: string, problem: string): void {
    const event = { type: gapEventType, id: `gap ${id}`, problem };
    const index = this.#timeline.indexOf(event.id);
    if (index === undefined) {
      this.#add(event);
    } else {
      this.#timeline.replace(new Map([[index, event]]));
    }
    this.#buildRows();
  }

  /**
   * Removes the gaps and restores the order of `events`, which are consecutive in the log. Keeps the content of known events. `events`
   * start at the first gap or the first known event, whichever is earlier. Other events after that point follow them, except events without
   * an id, which are dropped.
   */
  correct(events: readonly TranscriptEvent[]): void {
    const ordered = events
      .filter(event => !isPreviewEvent(event))
      .map(event => {
        const index = isNamed(event) ? this.#timeline.indexOfCopy(event) : undefined;
        return index === undefined ? event : this.#timeline.eventAt(index);
      });
    const moved = new Set(ordered);
    const first = this.events.findIndex(event => event.type === gapEventType || moved.has(event));
    const start = Math.max(0, first);
    const others = this.events.slice(start).filter(event => event.type !== gapEventType && isNamed(event) && !moved.has(event));
    this.#rebuild([...this.events.slice(0, start), ...ordered, ...others]);
  }

  /** Returns the event with a key, as the service sent it. The event has its own row or is part of another row. */
  eventOf(key: string): TranscriptEvent | undefined {
    const index = this.#timeline.indexOf(key);
    return index === undefined ? this.own.eventOf(key) : this.#timeline.eventAt(index);
  }

  /** Returns the events of the row that has the event with this key. */
  eventsOf(key: string): readonly TranscriptEvent[] {
    const owner = this.#timeline.ownerOf(this.#timeline.indexOf(key));
    return owner === undefined ? [] : [owner.seq, ...(owner.folded ?? [])].map(seq => this.#timeline.eventAt(seq));
  }

  /** Yields the stored rows with complete parts, one at a time. */
  *wholeRows(): Generator<Row> {
    for (const source of this.#timeline.sources) {
      yield this.#timeline.build(source, Number.POSITIVE_INFINITY);
    }
  }

  /** Returns a complete part of a row, or `undefined` if there is no such part. `path` is a path of the panel's protocol. */
  partOf(key: string, path: string): WholePart | undefined {
    return wholePartOf(this.#timeline, key, path);
  }

  /** Returns the keys of the rows that contain a text, in order, ignoring case. With `keysOnlyCut`, searches only rows with cut parts. */
  search(query: string, options: { readonly keysOnlyCut?: boolean } = {}): readonly string[] {
    return findRows(this.#timeline, this.rows, query, options.keysOnlyCut === true);
  }

  state(): TranscriptState {
    const { shownThread, facts } = this.#timeline;
    return { shownThread, facts: copyFacts(facts), asks: openAsks(this.#timeline, this.own.answering) };
  }

  #add(event: TranscriptEvent): void {
    const key = this.#timeline.add(event);
    this.#previews.end(key);
    this.own.claim(key, event);
  }

  #rebuild(events: readonly TranscriptEvent[], thread = this.shownThread): void {
    this.#timeline = new Timeline(thread);
    this.#rows = [];
    for (const event of events) {
      this.#add(event);
    }
    if (this.#isClosed) {
      this.#timeline.close();
    }
    this.#buildRows();
  }

  /** Builds the rows of new and changed events. */
  #buildRows(): void {
    const { dirty, sources } = this.#timeline;
    const changed = [...dirty].filter(({ index }) => index < this.#rows.length);
    dirty.clear();
    for (const source of [...changed, ...sources.slice(this.#rows.length)]) {
      this.#rows[source.index] = this.#timeline.build(source);
    }
  }
}

function isNamed({ id }: TranscriptEvent): boolean {
  return typeof id === 'string' && id !== '';
}

function changedFields(before: TranscriptEvent, after: TranscriptEvent): readonly string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].filter(field => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}
