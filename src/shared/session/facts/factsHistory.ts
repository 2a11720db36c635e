import type { TranscriptEvent } from '../event';
import type { Moment } from '../eventFields';
import type { RowContext } from '../rows/rowSource';
import { copyFacts, createSessionFacts, learnEvent, type SessionFacts } from './sessionFacts';

/** Number of events between two snapshots of the facts. */
const step = 1000;

type LearnedLog = Pick<RowContext, 'eventAt' | 'momentAt' | 'shownThread'>;

/** History of a log's facts. Any event is at most 1,000 events after a snapshot. */
export class FactsHistory {
  readonly #cached: SessionFacts[] = [];
  #now = createSessionFacts();
  #size = 0;

  add(event: TranscriptEvent, at: Moment | undefined, shownThread: string | undefined): void {
    if (this.#size % step === 0) {
      this.#cached.push(copyFacts(this.#now));
    }
    learnEvent(this.#now, event, at, shownThread);
    this.#size++;
  }

  relearn(seq: number, log: LearnedLog): void {
    const point = Math.floor(seq / step);
    const size = this.#size;
    this.#now = copyFacts(this.#cached[point] ?? createSessionFacts());
    this.#cached.length = point;
    this.#size = point * step;
    while (this.#size < size) {
      this.add(log.eventAt(this.#size), log.momentAt(this.#size), log.shownThread);
    }
  }

  /** Returns the facts after event `seq` of the log, -1 for those before the first. Later events don't change the returned object. */
  at(seq: number, log: LearnedLog): SessionFacts {
    if (seq >= this.#size - 1) {
      return copyFacts(this.#now);
    }
    const point = Math.floor((seq + 1) / step);
    const facts = copyFacts(this.#cached[point] ?? createSessionFacts());
    for (let next = point * step; next <= seq; next++) {
      learnEvent(facts, log.eventAt(next), log.momentAt(next), log.shownThread);
    }
    return facts;
  }
}
