import type { TranscriptEvent } from './event';
import { copyFacts, createSessionFacts, learnEvent, type SessionFacts } from './sessionFacts';

/** Events between two points from which the facts are found again. */
const step = 1000;

/** The facts of a log as they are and as they were: any moment of it is at most 1,000 events from one that is kept. */
export class FactsHistory {
  readonly #kept: SessionFacts[] = [];
  readonly #now = createSessionFacts();
  #size = 0;

  add(event: TranscriptEvent): void {
    if (this.#size % step === 0) {
      this.#kept.push(copyFacts(this.#now));
    }
    learnEvent(this.#now, event);
    this.#size++;
  }

  /** The facts after event `seq` of the same events, -1 for before all of them. Later events leave them alone. */
  at(seq: number, events: readonly TranscriptEvent[]): SessionFacts {
    if (seq >= this.#size - 1) {
      return copyFacts(this.#now);
    }
    const point = Math.floor((seq + 1) / step);
    const facts = copyFacts(this.#kept[point] ?? createSessionFacts());
    for (const event of events.slice(point * step, seq + 1)) {
      learnEvent(facts, event);
    }
    return facts;
  }
}
