import type { TranscriptEvent } from '../event';
import type { Moment } from '../eventFields';
import type { RowContext } from '../rows/rowSource';
import { copyFacts, createSessionFacts, learnEvent, type SessionFacts } from './sessionFacts';

/** Events between two points from which the facts are found again. */
const step = 1000;

/** The facts of a log as they are and as they were: any moment of it is at most 1,000 events from one that is kept. */
export class FactsHistory {
  readonly #kept: SessionFacts[] = [];
  readonly #now = createSessionFacts();
  #size = 0;

  add(event: TranscriptEvent, at: Moment | undefined, shownThread: string | undefined): void {
    if (this.#size % step === 0) {
      this.#kept.push(copyFacts(this.#now));
    }
    learnEvent(this.#now, event, at, shownThread);
    this.#size++;
  }

  /** The facts after event `seq` of the log, -1 for before all of them. Later events leave them alone. */
  at(seq: number, log: Pick<RowContext, 'eventAt' | 'momentAt' | 'shownThread'>): SessionFacts {
    if (seq >= this.#size - 1) {
      return copyFacts(this.#now);
    }
    const point = Math.floor((seq + 1) / step);
    const facts = copyFacts(this.#kept[point] ?? createSessionFacts());
    for (let place = point * step; place <= seq; place++) {
      learnEvent(facts, log.eventAt(place), log.momentAt(place), log.shownThread);
    }
    return facts;
  }
}
