import type { TranscriptEvent } from './event';
import { idOf } from './eventFields';
import { FactsHistory } from './facts/factsHistory';
import type { SessionFacts } from './facts/sessionFacts';
import { Timeline } from './facts/timeline';
import { OwnEvents, type OwnSending, sentTypes } from './ownEvents';
import { buildGapRow, gapEventType } from './rows/eventRows';
import { findRows } from './rows/findRows';
import { isPreviewEvent, Previews, type PreviewText } from './rows/previews';
import { RowList } from './rows/rowList';
import type { RowSource } from './rows/rowSource';
import type { Row, RowSplice } from './rows/rows';
import { type WholePart, wholePartOf } from './rows/wholePart';
import { openAsksAt, type TranscriptAsk } from './transcriptAsks';

export interface TranscriptOptions {
  /** Thread whose log this is; absent for the session's own log, which finds out from its events where they tell. */
  readonly thread?: string;
}

/** Right behind, or right before, the event with this id. */
type EventPlace = { readonly after: string } | { readonly before: string };

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
  readonly #thread: string | undefined;
  readonly #list = new RowList();
  readonly #previews = new Previews();
  readonly #own = new OwnEvents(key => this.#timeline.placeOf(key) !== undefined);
  #timeline: Timeline;
  #facts = new FactsHistory();

  constructor(options: TranscriptOptions = {}) {
    this.#thread = options.thread === '' ? undefined : options.thread;
    this.#timeline = new Timeline(this.#thread);
  }

  /** All rows, in order. The list changes with the transcript. */
  get rows(): readonly Row[] {
    return this.#list.rows;
  }

  /** All events, in order, as they came. The list grows with the transcript. */
  get events(): readonly TranscriptEvent[] {
    return this.#timeline.events;
  }

  /** All events, in order, and among them events of type `export.gap` where some may be missing. */
  *loggedEvents(): Generator<TranscriptEvent> {
    const gaps = gapsOf(this.#timeline);
    let place = 0;
    for (const { seq, problem } of gaps) {
      yield* this.#timeline.events.slice(place, seq);
      yield { type: gapEventType, problem };
      place = seq;
    }
    yield* this.#timeline.events.slice(place);
  }

  /** The thread that is shown, as far as is known. */
  get shownThread(): string | undefined {
    return this.#timeline.shownThread;
  }

  /** Says which thread the session's own log belongs to, where a list of threads told. */
  setShownThread(thread: string): readonly RowSplice[] {
    return this.#commit(() => {
      this.#timeline.shownThread = thread;
    });
  }

  /** Events that come after all others. One that is known by its id counts as changed. */
  append(events: readonly TranscriptEvent[]): readonly RowSplice[] {
    const known: TranscriptEvent[] = [];
    const splices = this.#commit(() => {
      for (const event of events) {
        if (isPreviewEvent(event)) {
          continue;
        }
        if (this.#isKnown(event)) {
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
    let isStructural = false;
    const splices = this.#commit(() => {
      for (const event of events) {
        const place = this.#timeline.placeOf(idOf(event) ?? '');
        const changed = place === undefined ? [] : changedFields(this.#timeline.eventAt(place), event);
        if (place !== undefined && changed.length > 0) {
          // What a session is called by are the words of its first message.
          const isWords = event.type === 'user.message' && changed.includes('content');
          isStructural ||= isWords || changed.some(field => structural.has(field) || (times.has(field) && !sentTypes.has(event.type)));
          this.#timeline.replace(place, event);
        }
      }
    });
    return isStructural ? [...splices, ...this.#rebuild(this.#timeline.events, gapsOf(this.#timeline))] : splices;
  }

  /** `event_start` and `event_delta` of messages that are being written. */
  preview(events: readonly TranscriptEvent[]): PreviewChange {
    let texts: PreviewText[] = [];
    const splices: RowSplice[] = [];
    for (const event of events) {
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
    return this.#commit(() => {
      const known = gapsOf(this.#timeline).find(source => source.key === gapKey(id));
      if (known === undefined) {
        this.#timeline.addGap(gapKey(id), problem);
      } else {
        known.problem = problem;
        this.#timeline.dirty.add(known);
      }
    });
  }

  /** What stood in a gap after all, possibly nothing. */
  fillGap(id: string, events: readonly TranscriptEvent[]): readonly RowSplice[] {
    const gaps = gapsOf(this.#timeline);
    const gap = gaps.find(source => source.key === gapKey(id));
    if (gap === undefined) {
      return [];
    }
    const missed = events.filter(event => !isPreviewEvent(event) && !this.#isKnown(event));
    const log = [...this.#timeline.events.slice(0, gap.seq), ...missed, ...this.#timeline.events.slice(gap.seq)];
    const left = gaps.filter(source => source !== gap);
    return this.#rebuild(
      log,
      left.map(({ key, seq, index, problem }) => ({ key, seq: index < gap.index ? seq : seq + missed.length, problem })),
    );
  }

  /** Events that stand right behind, or right before, the one with this id; at the end where that is not known. */
  insert(place: EventPlace, events: readonly TranscriptEvent[]): readonly RowSplice[] {
    const neighbour = this.#timeline.placeOf('after' in place ? place.after : place.before);
    if (neighbour === undefined) {
      return this.append(events);
    }
    const seq = 'after' in place ? neighbour + 1 : neighbour;
    const added = events.filter(event => !isPreviewEvent(event) && !this.#isKnown(event));
    return this.#rebuild(
      [...this.#timeline.events.slice(0, seq), ...added, ...this.#timeline.events.slice(seq)],
      gapsOf(this.#timeline).map(({ key, seq: at, problem }) => ({ key, seq: at <= seq ? at : at + added.length, problem })),
    );
  }

  /** An event stands right behind, or right before, the one with this id; where either is not known nothing changes. */
  move(place: EventPlace, id: string): readonly RowSplice[] {
    const { events } = this.#timeline;
    const from = this.#timeline.placeOf(id);
    const neighbour = this.#timeline.placeOf('after' in place ? place.after : place.before);
    if (from === undefined || neighbour === undefined || from === neighbour) {
      return [];
    }
    const to = 'after' in place ? neighbour + 1 : neighbour;
    const seq = from < to ? to - 1 : to;
    const left = events.toSpliced(from, 1);
    const moved = events.slice(from, from + 1);
    return this.#rebuild(
      [...left.slice(0, seq), ...moved, ...left.slice(seq)],
      gapsOf(this.#timeline).map(({ key, seq: at, problem }) => {
        const without = from < at ? at - 1 : at;
        return { key, seq: seq < without ? without + 1 : without, problem };
      }),
    );
  }

  /** The event behind a row or behind one of the events folded into it, as the service sent it. */
  eventOf(key: string): TranscriptEvent | undefined {
    const place = this.#timeline.placeOf(key);
    return place === undefined ? this.#own.eventOf(key) : this.#timeline.eventAt(place);
  }

  /** All events that a row tells of, in order. */
  eventsOf(key: string): readonly TranscriptEvent[] {
    const place = this.#timeline.placeOf(key);
    const owner = place === undefined ? undefined : this.#timeline.ownerOf(place);
    return owner === undefined ? [] : [owner.seq, ...(owner.folded ?? [])].map(seq => this.#timeline.eventAt(seq));
  }

  /** The stored rows with the whole of their parts, one after the other. */
  *wholeRows(): Generator<Row> {
    for (const source of this.#timeline.sources) {
      yield this.#timeline.build(source, Number.POSITIVE_INFINITY);
    }
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
      facts: this.#facts.at(last, this.#timeline),
      asks: openAsksAt(this.#timeline, last, answering),
    };
  }

  #isKnown(event: TranscriptEvent): boolean {
    return typeof event.id === 'string' && event.id !== '' && this.#timeline.placeOf(event.id) !== undefined;
  }

  #add(event: TranscriptEvent): void {
    const key = this.#timeline.add(event);
    this.#facts.add(event, this.#timeline.momentAt(this.#timeline.events.length - 1));
    this.#previews.end(key);
    if (event.type === 'span.model_request_end') {
      this.#previews.clear();
    }
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
  #rebuild(events: readonly TranscriptEvent[], gaps: readonly Pick<RowSource, 'key' | 'seq' | 'problem'>[]): readonly RowSplice[] {
    const timeline = new Timeline(this.#thread ?? this.#timeline.shownThread);
    const facts = new FactsHistory();
    const left = [...gaps];
    const addGaps = (seq: number): void => {
      while (left[0] !== undefined && left[0].seq <= seq) {
        timeline.addGap(left[0].key, left[0].problem ?? '');
        left.shift();
      }
    };
    events.forEach((event, seq) => {
      addGaps(seq);
      const key = timeline.add(event);
      facts.add(event, timeline.momentAt(seq));
      this.#previews.end(key);
      this.#own.claim(key, event);
    });
    addGaps(events.length);
    this.#timeline = timeline;
    this.#facts = facts;
    return this.#list.rebuild(timeline, this.#tail());
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

function gapKey(id: string): string {
  return `gap ${id}`;
}

function gapsOf(timeline: Timeline): readonly RowSource[] {
  return timeline.sources.filter(({ build }) => build === buildGapRow);
}

/** Fields that link events to each other, or tell of the session: where one changes, much else may. */
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

/** Fields that say when: what a user sends gets them later, and nothing else goes by them. */
const times = new Set(['processed_at', 'created_at', 'timestamp', 'processed_at_ms', 'ts']);

function changedFields(before: TranscriptEvent, after: TranscriptEvent): readonly string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].filter(field => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}
