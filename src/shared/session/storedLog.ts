import type { TranscriptEvent } from './event';
import { FactsHistory } from './facts/factsHistory';
import type { SessionFacts } from './facts/sessionFacts';
import { Timeline } from './facts/timeline';
import { buildGapRow } from './rows/eventRows';
import { RowSource } from './rows/rowSource';
import type { Row } from './rows/rows';

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
    return isNamed(event) && this.#timeline.indexOfCopy(event) !== undefined;
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

  /** Returns the log in which these events follow each other; see `Transcript.correct`. */
  corrected(events: readonly TranscriptEvent[]): readonly LogEntry[] {
    const ordered = events.map(event => {
      const index = isNamed(event) ? this.#timeline.indexOfCopy(event) : undefined;
      return index === undefined ? event : this.#timeline.eventAt(index);
    });
    const moved = new Set<LogEntry>(ordered);
    const entries = [...this.entries()];
    const start = Math.max(
      0,
      entries.findIndex(entry => entry instanceof RowSource || moved.has(entry)),
    );
    const others = entries.slice(start).filter(entry => !(entry instanceof RowSource) && isNamed(entry) && !moved.has(entry));
    return [...entries.slice(0, start), ...ordered, ...others];
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

  get #gaps(): readonly RowSource[] {
    return this.#timeline.sources.filter(({ build }) => build === buildGapRow);
  }
}

function isNamed({ id }: TranscriptEvent): boolean {
  return typeof id === 'string' && id !== '';
}

function gapKey(id: string): string {
  return `gap ${id}`;
}
