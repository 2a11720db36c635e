import type { TranscriptEvent } from './event';
import type { Progress } from './facts/progress';
import type { SessionFacts } from './facts/sessionFacts';
import type { Timeline } from './facts/timeline';
import type { Turn } from './facts/turn';
import { type LogEntry, StoredLog } from './storedLog';
import { askEventsOf, openAsksAt, type TranscriptAsk } from './openAsksAt';
import { sentTypes } from './deliveries';
import { OwnEvents, type OwnSending } from './ownEvents';
import { gapEventType } from './rows/eventRows';
import { findRows } from './rows/rowText';
import { isPreviewEvent, Previews, type PreviewText } from './rows/previews';
import { RowList } from './rows/rowList';
import { foreignThreadOf, RowSource, threadOf } from './rows/rowSource';
import type { Row, RowSplice } from './rows/rows';
import { isOfSession, isRest } from './rows/turnScope';
import { type WholePart, wholePartOf } from './rows/rowParts';

/** Changes by previews: splices, followed by text added to rows. `rows` already contains both. */
export interface PreviewChange {
  readonly splices: readonly RowSplice[];
  readonly texts: readonly PreviewText[];
}

/** Facts about the session after one of its events. `createSessionView` turns them into a view. */
export interface TranscriptState {
  readonly size: number;
  readonly shownThread: string | undefined;
  readonly facts: SessionFacts;
  readonly asks: readonly TranscriptAsk[];
}

/**
 * The log of one thread as rows. Takes events in the service's order and returns splices which, applied in turn to an empty list, give
 * `rows`. Events are stored unchanged. A tool call, its permission and its result share one row, as do a span's start and end. Stored rows
 * come first, then messages that are being written, then the user's own messages that are not in the log yet.
 */
export class Transcript {
  readonly #stored: StoredLog;
  readonly #list = new RowList();
  readonly #previews = new Previews();
  readonly #own = new OwnEvents(key => this.#timeline.indexOf(key) !== undefined);

  /** `thread` is the id of the thread whose log this is. Without it, or with '', it is the session's own log, which derives it if possible. */
  constructor(thread?: string) {
    this.#stored = new StoredLog(thread === '' ? undefined : thread);
  }

  /** All rows, in order. The list changes with the transcript. */
  get rows(): readonly Row[] {
    return this.#list.rows;
  }

  /** All events, unchanged and in order. The list grows with the transcript. */
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

  get progress(): Progress {
    return this.#stored.factsAt(this.#timeline.events.length - 1).progress;
  }

  /** Yields all events in order, with events of type `export.gap` where some may be missing. */
  *loggedEvents(): Generator<TranscriptEvent> {
    for (const entry of this.#stored.entries()) {
      yield entry instanceof RowSource ? { type: gapEventType, problem: entry.problem } : entry;
    }
  }

  get shownThread(): string | undefined {
    return this.#timeline.shownThread;
  }

  /** Sets the thread of the session's own log, once a list of threads reveals it. */
  setShownThread(thread: string): readonly RowSplice[] {
    if (thread === this.#timeline.shownThread) {
      return [];
    }
    const splices = this.#commit(() => {
      this.#timeline.shownThread = thread;
    });
    // Links between events, and their ends, depend on the threads.
    const isNamed = this.#timeline.events.some(event => threadOf(event) === thread);
    return isNamed ? [...splices, ...this.#rebuild([...this.#stored.entries()])] : splices;
  }

  /** Marks the session as ended without an event, because it was archived or deleted, or undoes that. */
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
    return this.#rebuild([...this.#stored.entries()]);
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

  /** Replaces known events that have changed, for example because a queued message was processed. */
  change(events: readonly TranscriptEvent[]): readonly RowSplice[] {
    let needsRebuild = false;
    let first = Number.POSITIVE_INFINITY;
    const splices = this.#commit(() => {
      for (const event of events) {
        const index = this.#timeline.indexOfCopy(event);
        const changed = index === undefined ? [] : changedFields(this.#timeline.eventAt(index), event);
        if (index !== undefined && changed.length > 0) {
          needsRebuild ||= isStructural(event.type, changed);
          first = Math.min(first, index);
          this.#timeline.replace(index, event);
        }
      }
    });
    if (needsRebuild) {
      return [...splices, ...this.#rebuild([...this.#stored.entries()])];
    }
    if (first < Number.POSITIVE_INFINITY) {
      this.#stored.relearn(first);
    }
    return splices;
  }

  /** Handles `event_start` and `event_delta` of messages that are being written. */
  preview(events: readonly TranscriptEvent[]): PreviewChange {
    let texts: PreviewText[] = [];
    const splices: RowSplice[] = [];
    for (const event of this.#timeline.isOver ? [] : events) {
      if (event.type === 'event_start') {
        // Text added so far is returned in `texts`. Without this commit, the next splice would contain it again.
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

  /** Drops all previews: after a cut of the stream, they may be incomplete. */
  dropPreviews(): readonly RowSplice[] {
    return this.#commit(() => this.#previews.clear());
  }

  addOwn(sending: OwnSending): readonly RowSplice[] {
    return this.#commit(() => this.#own.add(sending));
  }

  /** Handles the response to a send: `events` as the service stored them. */
  ownStored(sending: OwnSending): readonly RowSplice[] {
    return this.#commit(() => this.#own.store(sending));
  }

  /** Handles a failed or uncertain send: keeps its messages and shows the problem with them, unless the log already has them. */
  ownFailed({ clientId, problem }: { readonly clientId: string; readonly problem: string }): readonly RowSplice[] {
    return this.#commit(() => this.#own.fail(clientId, problem));
  }

  removeOwn(clientId: string): readonly RowSplice[] {
    return this.#commit(() => this.#own.remove(clientId));
  }

  /** Returns whether all events of a send are in the log, whatever the response was. */
  isOwnStored(clientId: string): boolean {
    return this.#own.isStored(clientId);
  }

  /** Adds a gap at the end, before future events, or changes the problem of a known gap. */
  gap(id: string, problem: string): readonly RowSplice[] {
    return this.#commit(() => this.#stored.setGap(id, problem));
  }

  /**
   * Removes the gaps, and puts consecutive events of the log in their order, known ones unchanged. They start at the first gap or the first
   * known one. Other events after that follow, unless they have no id.
   */
  correct(events: readonly TranscriptEvent[]): readonly RowSplice[] {
    return this.#rebuild(this.#stored.corrected(events.filter(isStored)));
  }

  /** Returns the event with a key, as the service sent it: that of a row, or one folded into a row. */
  eventOf(key: string): TranscriptEvent | undefined {
    const index = this.#timeline.indexOf(key);
    return index === undefined ? this.#own.eventOf(key) : this.#timeline.eventAt(index);
  }

  eventsOf(key: string): readonly TranscriptEvent[] {
    return this.#stored.eventsOf(key);
  }

  /** Yields the stored rows with complete parts, one at a time. */
  wholeRows(): Generator<Row> {
    return this.#stored.wholeRows();
  }

  /** Returns a complete part of a row; `undefined` if there is no such part. `path` is that of the panel's protocol. */
  partOf(key: string, path: string): WholePart | undefined {
    return wholePartOf(this.#timeline, key, path);
  }

  /**
   * Returns the keys of the rows that contain a text, in order, ignoring case. `keysOnlyCut`: only rows with cut parts, where the text may
   * be in the rest.
   */
  search(query: string, options: { readonly keysOnlyCut?: boolean } = {}): readonly string[] {
    return findRows(this.#timeline, this.#list.rows, query, options.keysOnlyCut === true);
  }

  /** Returns the facts of the log after event `seq`, by default the last one. Answers being sent count only after the last one. */
  stateAt(seq = this.#timeline.events.length - 1): TranscriptState {
    const last = Math.min(Math.max(seq, -1), this.#timeline.events.length - 1);
    const isLatest = last === this.#timeline.events.length - 1;
    const answering = isLatest ? this.#own.answering : new Set<string>();
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
    if (key !== undefined && this.#timeline.indexOf(key) !== undefined) {
      this.#previews.end(key);
    }
    return key;
  }

  #rebuild(log: readonly LogEntry[]): readonly RowSplice[] {
    this.#stored.rebuild(log, (key, event) => this.#added(key, event));
    return this.#list.rebuild(this.#timeline, this.#tail());
  }

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

/** Fields that link events to each other or describe the session. A change in one of them can affect other rows. */
const structural = new Set([
  'type',
  'session_thread_id',
  'agent_name',
  'name',
  'tool_name',
  'input',
  'tool_use_id',
  'mcp_tool_use_id',
  'custom_tool_use_id',
  'evaluated_permission',
  'stop_reason',
  'requires_action_details',
  'model_request_start_id',
  'outcome_evaluation_start_id',
  'outcome_id',
  'iteration',
  'description',
  'result',
  'explanation',
  'title',
  'agent',
  'budget',
  'usage',
  'model_usage',
]);

/** Time fields. Events that a user sends get them later. No other row depends on these times, except that of an interrupt. */
const times = new Set(['processed_at', 'created_at', 'timestamp', 'processed_at_ms', 'ts']);

function changedFields(before: TranscriptEvent, after: TranscriptEvent): readonly string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].filter(field => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}

/** Returns whether a change of these fields can affect more than the event's own row. */
function isStructural(type: string, changed: readonly string[]): boolean {
  // The first message serves as the session's name.
  const isWords = type === 'user.message' && changed.includes('content');
  const isOwnTime = sentTypes.has(type) && type !== 'user.interrupt';
  return isWords || changed.some(field => structural.has(field) || (times.has(field) && !isOwnTime));
}
