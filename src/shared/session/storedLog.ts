import type { TranscriptEvent } from './event';
import { FactsHistory } from './facts/factsHistory';
import type { SessionFacts } from './facts/sessionFacts';
import { Timeline } from './facts/timeline';
import type { GappedLog } from './gappedLog';
import { buildGapRow, gapEventType } from './rows/eventRows';
import type { RowSource } from './rows/rowSource';
import type { Row } from './rows/rows';

/** What the service has stored of a thread, as it came: its events in order, the gaps among them, and what they say of the session. */
export class StoredLog {
  readonly #thread: string | undefined;
  #timeline: Timeline;
  #facts = new FactsHistory();

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

  /** All events, in order, and among them events of type `export.gap` where some may be missing. */
  *loggedEvents(): Generator<TranscriptEvent> {
    let place = 0;
    for (const { seq, problem } of this.#gaps) {
      yield* this.#timeline.events.slice(place, seq);
      yield { type: gapEventType, problem };
      place = seq;
    }
    yield* this.#timeline.events.slice(place);
  }

  isKnown(event: TranscriptEvent): boolean {
    return typeof event.id === 'string' && event.id !== '' && this.#timeline.placeOf(event.id) !== undefined;
  }

  /** Adds an event at the end; the key it is known by. */
  add(event: TranscriptEvent): string {
    const key = this.#timeline.add(event);
    this.#facts.add(event, this.#timeline.momentAt(this.#timeline.events.length - 1));
    return key;
  }

  /** Puts a gap at the end; one that is known has another problem now. */
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

  /** Builds everything anew from a log that did not only grow at its end. */
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
      facts.add(event, timeline.momentAt(seq));
      onAdded(key, event);
    });
    addGaps(events.length);
    this.#timeline = timeline;
    this.#facts = facts;
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

  factsAt(seq: number): SessionFacts {
    return this.#facts.at(seq, this.#timeline);
  }

  get #gaps(): readonly RowSource[] {
    return this.#timeline.sources.filter(({ build }) => build === buildGapRow);
  }
}

function gapKey(id: string): string {
  return `gap ${id}`;
}
