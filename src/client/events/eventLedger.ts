import type { SessionEvent } from '../schemas/sessionEvents';
import { EventIndex, fingerprintOf, wasProcessed } from './eventIndex';
import { isPlace, Places, Tail } from './eventNames';

/** A place in what was given where events may be missing: after the event with the ordinal `after`. */
export interface Gap {
  readonly id: string;
  readonly after: number;
}

/** How far back waiting events are looked for again. */
const waitingReach = 1000;

/** What was given to the consumer of a watch: each event once, its latest body, and where something may be missing. */
export class EventLedger {
  readonly gaps: Gap[] = [];
  /** Whether the history has events that only their place names. */
  hasUnnamed = false;
  private readonly index = new EventIndex();
  private readonly places = new Places();
  private readonly tail = new Tail();
  /** Ordinals of events that the service had not taken up yet. */
  private readonly waiting = new Set<number>();
  private gapCount = 0;
  /** How often an event was new, or had changed. */
  news = 0;

  /** How many events were given: the ordinal of the last. */
  get count(): number {
    return this.index.size;
  }

  ordinalOf(name: string | undefined): number | undefined {
    return name === undefined ? undefined : this.index.find(name)?.ordinal;
  }

  /**
   * Writes down that an event is given; says whether it is new, or one that was given before with another body. Without a name
   * it is taken for one that follows all that were given.
   */
  take(event: SessionEvent, name: string | undefined): 'new' | 'changed' | 'known' {
    if (name === undefined) {
      return this.takeNamed(event, this.places.next(event));
    }
    this.hasUnnamed ||= isPlace(name);
    return this.takeNamed(event, name);
  }

  private takeNamed(event: SessionEvent, name: string): 'new' | 'changed' | 'known' {
    const verdict = this.judge(event, name);
    this.news += verdict === 'known' ? 0 : 1;
    return verdict;
  }

  private judge(event: SessionEvent, name: string): 'new' | 'changed' | 'known' {
    const fingerprint = fingerprintOf(event);
    const known = this.index.find(name);
    if (known === undefined) {
      const ordinal = this.index.set(name, fingerprint);
      if (isPlace(name)) {
        this.tail.add(event);
        this.places.count(event, name);
      }
      if (!wasProcessed(fingerprint)) {
        this.waiting.add(ordinal);
      }
      return 'new';
    }
    // Without an id nobody could tell which event has changed. One that was taken up does not wait again: this copy is older
    // than the one that was given.
    if (
      typeof event.id !== 'string' ||
      known.fingerprint === fingerprint ||
      (wasProcessed(known.fingerprint) && !wasProcessed(fingerprint))
    ) {
      return 'known';
    }
    this.index.set(name, fingerprint);
    if (wasProcessed(fingerprint)) {
      this.waiting.delete(known.ordinal);
    }
    return 'changed';
  }

  /** How many events at the start of `events`, which nothing names, repeat the latest such that were given. */
  overlap(events: readonly SessionEvent[]): number {
    return this.tail.overlap(events);
  }

  /** The place up to which everything was given: a reading that comes from the newest events has to come this far. */
  get whole(): number {
    return Math.min(this.count, ...this.gaps.map(({ after }) => after));
  }

  /** The first of the latest events that the service had not taken up. */
  get firstWaiting(): number {
    const from = this.count - waitingReach;
    for (const ordinal of this.waiting) {
      if (ordinal > from) {
        return ordinal;
      }
      this.waiting.delete(ordinal);
    }
    return this.count;
  }

  /** Notes that events may be missing after the last one that was given; undefined when that is noted already. */
  openGap(): Gap | undefined {
    if (this.gaps.at(-1)?.after === this.count) {
      return undefined;
    }
    const gap = { id: `gap-${++this.gapCount}`, after: this.count };
    this.gaps.push(gap);
    return gap;
  }
}
