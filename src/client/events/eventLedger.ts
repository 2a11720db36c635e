import { fingerprintOf, wasProcessed } from './eventFingerprint';
import type { SessionEvent } from './eventLog';
import { isPositionName, type Named, PositionNames, Tail } from './eventNames';

/** Number of earlier events to search again for events that the service has not processed yet. */
export const waitingReach = 1000;

/** Events that were not delivered before, and delivered events with new bodies. */
export interface News {
  readonly fresh: readonly SessionEvent[];
  readonly changed: readonly SessionEvent[];
}

/** Events delivered to the consumer of a watch: each once, with its latest body, and the gaps between them. */
export class EventLedger {
  /** True if an event has no id of its own. A consumer can't identify such events, so only their order matters. */
  hasUnnamed = false;
  /** Ordinals of the events after which some may be missing, in order. */
  private gaps: number[] = [];
  /** Ordinal (1-based) and fingerprint of the body of each delivered event, by name. */
  private readonly known = new Map<string, { readonly ordinal: number; readonly fingerprint: number }>();
  private readonly positionNames = new PositionNames();
  private readonly tail = new Tail();
  /** Ordinals of events that the service had not processed yet. */
  private readonly waiting = new Set<number>();
  private gapCount = 0;
  /** Number of new and changed events. */
  newsCount = 0;

  /** Number of delivered events: the ordinal of the last one. */
  get count(): number {
    return this.known.size;
  }

  ordinalOf(name: string | undefined): number | undefined {
    return name === undefined ? undefined : this.known.get(name)?.ordinal;
  }

  /** Records events. An event without a name counts as following all delivered events. */
  take(events: readonly Named[]): News {
    const news = { fresh: [] as SessionEvent[], changed: [] as SessionEvent[] };
    for (const { event, name = this.positionNames.next(event) } of events) {
      const verdict = this.judge(event, name);
      if (verdict !== 'known') {
        news[verdict].push(event);
        this.newsCount++;
      }
    }
    return news;
  }

  private judge(event: SessionEvent, name: string): keyof News | 'known' {
    const fingerprint = fingerprintOf(event);
    const known = this.known.get(name);
    if (known === undefined) {
      const ordinal = this.count + 1;
      this.known.set(name, { ordinal, fingerprint });
      this.hasUnnamed ||= typeof event.id !== 'string';
      if (isPositionName(name)) {
        this.tail.add(event);
        this.positionNames.count(event, name);
      }
      if (!wasProcessed(fingerprint)) {
        this.waiting.add(ordinal);
      }
      return 'fresh';
    }
    // An event without an id can't be recognized as changed. A processed event can't become unprocessed, so an unprocessed copy is older
    // than the delivered one.
    if (
      typeof event.id !== 'string' ||
      known.fingerprint === fingerprint ||
      (wasProcessed(known.fingerprint) && !wasProcessed(fingerprint))
    ) {
      return 'known';
    }
    this.known.set(name, { ordinal: known.ordinal, fingerprint });
    if (wasProcessed(fingerprint)) {
      this.waiting.delete(known.ordinal);
    }
    return 'changed';
  }

  /** Returns how many unnamed events at the start of `events` repeat the latest unnamed events. */
  overlap(events: readonly SessionEvent[]): number {
    return this.tail.overlap(events);
  }

  /** Ordinal up to which nothing is missing. Reading the history backwards has to reach it. */
  get whole(): number {
    return this.gaps[0] ?? this.count;
  }

  /** Ordinal of the first recent event that the service had not processed. */
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

  get hasGap(): boolean {
    return this.gaps.length > 0;
  }

  /** Records that events may be missing after the last delivered event. Returns the id of the gap, or `undefined` if it is already open. */
  openGap(): string | undefined {
    if (this.gaps.at(-1) === this.count) {
      return undefined;
    }
    this.gaps.push(this.count);
    return `gap-${++this.gapCount}`;
  }

  closeGaps(): void {
    this.gaps = [];
  }
}
