import type { TranscriptEvent } from './event';
import { FactsHistory } from './facts/factsHistory';
import type { SessionFacts } from './facts/sessionFacts';
import { Timeline } from './facts/timeline';
import { buildGapRow } from './rows/eventRows';
import { RowSource } from './rows/rowSource';
import type { Row } from './rows/rows';

/** Position immediately after or before the event with this id. */
export type EventPosition = { readonly after: string } | { readonly before: string };

/** An event, or a gap before which events may be missing. */
export type LogEntry = TranscriptEvent | RowSource;

/** Stored events of a thread in order, unchanged, with the gaps among them and the facts about the session. */
export class StoredLog {
  readonly #thread: string | undefined;
  #timeline: Timeline;
  #facts = new FactsHistory();
  #isClosed = false;

  constructor(thread: string | undefined) {
    this.#thread = thread;
    this.#timeline = new Timeline(thread);
  }

  get timeline(): Timeline {
    return this.#timeline;
  }

  *entries(): Generator<LogEntry> {
    let start = 0;
    for (const gap of this.#gaps) {
      yield* this.#timeline.events.slice(start, gap.seq);
      yield gap;
      start = gap.seq;
    }
    yield* this.#timeline.events.slice(start);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Marks the session as ended although its events don't say so. */
  close(): void {
    this.#isClosed = true;
    this.#timeline.close();
  }

  /** Undoes `close`. Ended rows stay ended until the log is rebuilt. */
  reopen(): void {
    this.#isClosed = false;
  }

  isKnown(event: TranscriptEvent): boolean {
    return typeof event.id === 'string' && event.id !== '' && this.#timeline.indexOfCopy(event) !== undefined;
  }

  add(event: TranscriptEvent): string {
    const key = this.#timeline.add(event);
    this.#facts.add(event, this.#timeline.momentAt(this.#timeline.events.length - 1), this.#timeline.shownThread);
    return key;
  }

  relearn(seq: number): void {
    this.#facts.relearn(seq, this.#timeline);
  }

  /** Adds a gap at the end, or changes the problem of a known gap. */
  setGap(id: string, problem: string): void {
    const known = this.gapOf(id);
    if (known === undefined) {
      this.#timeline.addGap(gapKey(id), problem);
    } else {
      known.problem = problem;
      this.#timeline.dirty.add(known);
    }
  }

  gapOf(id: string): RowSource | undefined {
    return this.#gaps.find(source => source.key === gapKey(id));
  }

  /** Returns the log with a gap replaced by the missing events; `undefined` if the gap is unknown. */
  withGapFilled(id: string, missed: readonly TranscriptEvent[]): readonly LogEntry[] | undefined {
    const gap = this.gapOf(id);
    return gap && [...this.entries()].flatMap((entry): readonly LogEntry[] => (entry === gap ? this.#unknown(missed) : [entry]));
  }

  /** Returns the log with events inserted, after a gap at that position; `undefined` if the position is unknown. */
  withInserted(position: EventPosition, events: readonly TranscriptEvent[]): readonly LogEntry[] | undefined {
    const seq = this.#seqOf(position);
    return seq === undefined ? undefined : this.#insert([...this.entries()], seq, this.#unknown(events));
  }

  /** Returns the log with one event moved; `undefined` if nothing changes, or an event is unknown. */
  withMoved(position: EventPosition, id: string): readonly LogEntry[] | undefined {
    const from = this.#timeline.indexOf(id);
    const neighbour = 'after' in position ? position.after : position.before;
    const seq = this.#seqOf(position);
    if (from === undefined || seq === undefined || neighbour === id || seq === from) {
      return undefined;
    }
    const moved = this.#timeline.eventAt(from);
    const others = [...this.entries()].filter(entry => entry !== moved);
    return this.#insert(others, seq, [moved]);
  }

  rebuild(entries: readonly LogEntry[], onAdded: (key: string, event: TranscriptEvent) => void): void {
    const timeline = new Timeline(this.#thread ?? this.#timeline.shownThread);
    const facts = new FactsHistory();
    for (const entry of entries) {
      if (entry instanceof RowSource) {
        timeline.addGap(entry.key, entry.problem ?? '');
      } else {
        const key = timeline.add(entry);
        facts.add(entry, timeline.momentAt(timeline.events.length - 1), timeline.shownThread);
        onAdded(key, entry);
      }
    }
    this.#timeline = timeline;
    this.#facts = facts;
    if (this.#isClosed) {
      timeline.close();
    }
  }

  eventsOf(key: string): readonly TranscriptEvent[] {
    const seq = this.#timeline.indexOf(key);
    const owner = seq === undefined ? undefined : this.#timeline.ownerOf(seq);
    return owner === undefined ? [] : [owner.seq, ...(owner.folded ?? [])].map(seq => this.#timeline.eventAt(seq));
  }

  /** Yields the stored rows with complete parts, one at a time. */
  *wholeRows(): Generator<Row> {
    for (const source of this.#timeline.sources) {
      yield this.#timeline.build(source, Number.POSITIVE_INFINITY);
    }
  }

  factsAt(seq: number): SessionFacts {
    return this.#facts.at(seq, this.#timeline);
  }

  #unknown(events: readonly TranscriptEvent[]): readonly TranscriptEvent[] {
    return events.filter(event => !this.isKnown(event));
  }

  #seqOf(position: EventPosition): number | undefined {
    const neighbour = this.#timeline.indexOf('after' in position ? position.after : position.before);
    return neighbour === undefined || 'before' in position ? neighbour : neighbour + 1;
  }

  #insert(entries: readonly LogEntry[], seq: number, events: readonly TranscriptEvent[]): readonly LogEntry[] {
    const next = this.#timeline.events[seq];
    const at = next === undefined ? entries.length : entries.indexOf(next);
    return [...entries.slice(0, at), ...events, ...entries.slice(at)];
  }

  get #gaps(): readonly RowSource[] {
    return this.#timeline.sources.filter(({ build }) => build === buildGapRow);
  }
}

function gapKey(id: string): string {
  return `gap ${id}`;
}
