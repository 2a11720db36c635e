import type { TranscriptEvent } from './event';
import { FactsHistory } from './facts/factsHistory';
import type { SessionFacts } from './facts/sessionFacts';
import { Timeline } from './facts/timeline';
import { buildGapRow, gapEventType } from './rows/eventRows';
import type { RowSource } from './rows/rowSource';
import type { Row } from './rows/rows';

/** Position immediately after or before the event with this id. */
export type EventPosition = { readonly after: string } | { readonly before: string };

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

  get gapped(): GappedLog {
    return { events: this.#timeline.events, gaps: this.#gaps };
  }

  /** Yields all events in order, with events of type `export.gap` where some may be missing. */
  *loggedEvents(): Generator<TranscriptEvent> {
    let place = 0;
    for (const { seq, problem } of this.#gaps) {
      yield* this.#timeline.events.slice(place, seq);
      yield { type: gapEventType, problem };
      place = seq;
    }
    yield* this.#timeline.events.slice(place);
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

  /** Adds an event at the end. Returns its key. */
  add(event: TranscriptEvent): string {
    const key = this.#timeline.add(event);
    this.#facts.add(event, this.#timeline.momentAt(this.#timeline.events.length - 1), this.#timeline.shownThread);
    return key;
  }

  /** Learns the facts from event `seq` on again, because events were replaced. */
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

  /** Returns the log with a gap filled; `undefined` if the gap is unknown. */
  withGapFilled(id: string, missed: readonly TranscriptEvent[]): GappedLog | undefined {
    const gap = this.gapOf(id);
    return gap === undefined ? undefined : withGapFilled(this.gapped, gap, this.#unknown(missed));
  }

  /** Returns the log with events inserted; `undefined` if the position is unknown. */
  withInserted(place: EventPosition, events: readonly TranscriptEvent[]): GappedLog | undefined {
    const seq = this.#seqOf(place);
    return seq === undefined ? undefined : withInserted(this.gapped, seq, this.#unknown(events));
  }

  /** Returns the log with one event moved; `undefined` if nothing changes, or an event is unknown. */
  withMoved(place: EventPosition, id: string): GappedLog | undefined {
    const from = this.#timeline.indexOf(id);
    const neighbour = 'after' in place ? place.after : place.before;
    const seq = this.#seqOf(place);
    return from === undefined || seq === undefined || neighbour === id ? undefined : withMoved(this.gapped, from, seq);
  }

  /** Rebuilds everything from a log that did not only grow at its end. */
  rebuild({ events, gaps }: GappedLog, onAdded: (key: string, event: TranscriptEvent) => void): void {
    const left = [...gaps];
    const timeline = new Timeline(this.#thread ?? this.#timeline.shownThread);
    const facts = new FactsHistory();
    const addGaps = (seq: number): void => {
      while (left[0] !== undefined && left[0].seq <= seq) {
        timeline.addGap(left[0].key, left[0].problem ?? '');
        left.shift();
      }
    };
    events.forEach((event, seq) => {
      addGaps(seq);
      const key = timeline.add(event);
      facts.add(event, timeline.momentAt(seq), timeline.shownThread);
      onAdded(key, event);
    });
    addGaps(events.length);
    this.#timeline = timeline;
    this.#facts = facts;
    if (this.#isClosed) {
      timeline.close();
    }
  }

  /** Returns all events of a row, in order. */
  eventsOf(key: string): readonly TranscriptEvent[] {
    const place = this.#timeline.indexOf(key);
    const owner = place === undefined ? undefined : this.#timeline.ownerOf(place);
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

  #seqOf(place: EventPosition): number | undefined {
    const neighbour = this.#timeline.indexOf('after' in place ? place.after : place.before);
    return neighbour === undefined || 'before' in place ? neighbour : neighbour + 1;
  }

  get #gaps(): readonly RowSource[] {
    return this.#timeline.sources.filter(({ build }) => build === buildGapRow);
  }
}

function gapKey(id: string): string {
  return `gap ${id}`;
}

/** A gap: events may be missing before the one at `seq`. */
interface Gap {
  readonly key: string;
  readonly seq: number;
  readonly problem?: string | undefined;
}

/** Events and gaps, each in order. Several gaps can have the same position. */
export interface GappedLog {
  readonly events: readonly TranscriptEvent[];
  readonly gaps: readonly Gap[];
}

/** Returns the log with a gap replaced by the missing events. */
export function withGapFilled({ events, gaps }: GappedLog, gap: Gap, missed: readonly TranscriptEvent[]): GappedLog {
  const place = gaps.indexOf(gap);
  return {
    events: [...events.slice(0, gap.seq), ...missed, ...events.slice(gap.seq)],
    gaps: gaps
      .map(({ key, seq, problem }, index) => ({ key, seq: index < place ? seq : seq + missed.length, problem }))
      .filter((_, index) => index !== place),
  };
}

/** Returns the log with events inserted before the one at `seq`. A gap at that position stays before them. */
export function withInserted({ events, gaps }: GappedLog, seq: number, added: readonly TranscriptEvent[]): GappedLog {
  return {
    events: [...events.slice(0, seq), ...added, ...events.slice(seq)],
    gaps: gaps.map(({ key, seq: at, problem }) => ({ key, seq: at <= seq ? at : at + added.length, problem })),
  };
}

/** Returns the log with the event at `from` moved before the one at `to`. */
export function withMoved({ events, gaps }: GappedLog, from: number, to: number): GappedLog {
  const seq = from < to ? to - 1 : to;
  const left = events.toSpliced(from, 1);
  return {
    events: [...left.slice(0, seq), ...events.slice(from, from + 1), ...left.slice(seq)],
    gaps: gaps.map(({ key, seq: at, problem }) => {
      const without = from < at ? at - 1 : at;
      return { key, seq: seq < without ? without + 1 : without, problem };
    }),
  };
}
