import type { SessionEvent } from '../schemas/sessionEvents';
import type { EventLog } from '../serviceClient';
import { idOf } from '../transport/pagination';
import { CursorRefusedError, EventHistory } from './eventHistory';
import type { EventLedger, Gap } from './eventLedger';
import { nameOf, PositionNames } from './eventNames';
import { News, type UpdateQueue } from './updateQueue';
import type { EventPosition, WatchUpdate } from './watchUpdates';

/** Number of consecutive known events that proves that two copies of a log overlap: servers swap neighbours between stream and list. */
const overlap = 8;
/** Number of earlier events to search for those that the service has not processed yet. */
const waitingReach = 1000;
/** Maximum number of events held in memory. A longer history is read again, oldest first, and delivered as it arrives. */
const maxHeld = 50_000;

/** Reads events from the history that the stream did not deliver, and delivers them at their positions. */
export class EventCatchUp {
  private readonly history: EventHistory;
  /** True once the history was read from start to end. */
  private isWhole = false;

  constructor(
    log: EventLog,
    private readonly ledger: EventLedger,
    private readonly queue: UpdateQueue,
    private readonly onProgress: () => void,
  ) {
    // Events delivered after a gap don't prove an order: one can be a change of an older event.
    this.history = new EventHistory(log, name => this.placed(ledger.ordinalOf(name)));
  }

  /**
   * Delivers all events not delivered yet and fills the gaps. Nothing else may be delivered meanwhile. Rejects if the history can't be
   * read; everything delivered until then is without gaps.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { ledger } = this;
    if (ledger.gaps.length > 0) {
      this.settle(await this.collect(signal));
      this.isWhole = true;
    } else if (!this.isWhole) {
      await this.giveFromOldest(signal, undefined);
      this.isWhole = true;
    } else {
      const missed = await this.collectBack(signal);
      if (missed === undefined) {
        await this.giveFromOldest(signal, this.reach);
      } else {
        this.settle(missed);
      }
    }
    await this.queue.room();
  }

  /**
   * Delivers missing events, in gaps and at the end, while the stream continues. Returns whether there were any. Rejects if the history
   * can't be read.
   */
  async fill(signal: AbortSignal): Promise<boolean> {
    const items = await this.collect(signal);
    const { count } = this.ledger;
    this.settle(items);
    this.isWhole = true;
    await this.queue.room();
    return this.ledger.count > count;
  }

  /** Ordinal up to which nothing is missing or can have changed. `undefined` if only positions identify events. */
  private get reach(): number | undefined {
    const { ledger } = this;
    return ledger.hasUnnamed ? undefined : Math.min(ledger.whole, ledger.firstWaiting);
  }

  private async giveFromOldest(signal: AbortSignal, reach: number | undefined): Promise<void> {
    await this.readFromOldest(signal, reach, async page => {
      const news = new News(this.queue, 0, false);
      for (const { event, name } of page) {
        news.add(event, this.ledger.take(event, name));
      }
      news.flush();
      this.onProgress();
      await this.queue.room();
    });
  }

  /** Collects the history, oldest first, as far back as events may be missing. */
  private async collect(signal: AbortSignal): Promise<readonly Item[]> {
    const back = await this.collectBack(signal);
    if (back !== undefined) {
      return back;
    }
    let reading = new Reading();
    await this.readFromOldest(
      signal,
      this.reach,
      async page => {
        for (const { event, name } of page) {
          reading.add(event, name, this.placed(this.known(event, name)));
        }
      },
      () => {
        reading = new Reading();
      },
    );
    return reading.items;
  }

  private async readFromOldest(
    signal: AbortSignal,
    reach: number | undefined,
    onPage: (page: readonly { readonly event: SessionEvent; readonly name: string }[]) => Promise<void>,
    onRestart: () => void = () => {},
  ): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const names = new PositionNames();
      try {
        for await (const page of this.history.forward(signal, attempt === 1 ? reach : undefined)) {
          await onPage(page.map(event => ({ event, name: nameOf(event) ?? names.next(event) })));
          signal.throwIfAborted();
        }
        return;
      } catch (error) {
        if (!(error instanceof CursorRefusedError) || attempt === 3) {
          throw error;
        }
        onRestart();
      }
    }
  }

  /**
   * Collects the end of the history as far back as events may be missing. Returns `undefined` if it can't or shouldn't be read backwards.
   */
  private async collectBack(signal: AbortSignal): Promise<readonly Item[] | undefined> {
    const { ledger, history } = this;
    if (!history.runsBackward) {
      return undefined;
    }
    const { whole, firstWaiting } = ledger;
    const reading = new Reading();
    let oldest = Number.POSITIVE_INFINITY;
    let run = 0;
    let held = 0;
    try {
      for await (const page of history.backward(signal)) {
        for (const event of page) {
          const name = nameOf(event);
          if (name === undefined) {
            return undefined;
          }
          const ordinal = this.known(event, name);
          reading.add(event, name, this.placed(ordinal));
          if (ordinal === undefined) {
            held++;
            run = 0;
          } else {
            oldest = Math.min(oldest, ordinal);
            run = ordinal <= whole ? run + 1 : 0;
          }
        }
        signal.throwIfAborted();
        if (run >= overlap && (oldest <= firstWaiting || run >= waitingReach)) {
          break;
        }
        if (held > maxHeld && ledger.gaps.length === 0) {
          return undefined;
        }
      }
    } catch (error) {
      if (error instanceof CursorRefusedError) {
        return undefined;
      }
      throw error;
    }
    return reading.reversed();
  }

  /** Returns the ordinal of a delivered event. Delivers the event again if its body changed. */
  private known(event: SessionEvent, name: string): number | undefined {
    const ordinal = this.ledger.ordinalOf(name);
    if (ordinal !== undefined && this.ledger.take(event, name) === 'changed') {
      this.queue.push({ type: 'changed', events: [event] });
    }
    return ordinal;
  }

  /** Returns the ordinal if the event was delivered before the first gap. Events delivered after the gap may belong inside it. */
  private placed(ordinal: number | undefined): number | undefined {
    return ordinal !== undefined && ordinal <= this.ledger.whole ? ordinal : undefined;
  }

  /** Delivers the collected events at their positions: in a gap, or at the end. */
  private settle(collected: readonly Item[]): void {
    const { ledger } = this;
    const given = new Map<number, Unplaced>();
    const named = collected.map(item => {
      const ordinal = typeof item === 'number' ? item : ledger.ordinalOf(item.name);
      if (ordinal !== undefined && typeof item !== 'number') {
        given.set(ordinal, item);
      }
      return ordinal ?? item;
    });
    const all = distinct(named, ledger.count);
    const late = this.lateOf(all, given);
    const items = late.size === 0 ? all : all.filter(item => typeof item !== 'number' || !late.has(item));
    const followers = followersOf(items);
    const filled = new Map<Gap, SessionEvent[]>(ledger.gaps.map(gap => [gap, []]));
    const news = new News(this.queue, 0, false);
    const inserted: Insertion[] = [];
    let before = 0;
    items.forEach((item, index) => {
      if (typeof item === 'number') {
        before = item;
        return;
      }
      const after = followers[index] ?? Number.POSITIVE_INFINITY;
      const gap = ledger.gaps.find(({ after: start }) => before <= start && start < after);
      const position = gap === undefined && after !== Number.POSITIVE_INFINITY ? this.positionOf(item) : undefined;
      const verdict = ledger.take(item.event, item.name);
      if (verdict === 'new' && gap !== undefined) {
        filled.get(gap)?.push(item.event);
      } else if (verdict === 'new' && position !== undefined) {
        insert(inserted, item.event, position);
      } else {
        news.add(item.event, verdict);
      }
    });
    ledger.gaps.length = 0;
    for (const [{ id }, events] of filled) {
      this.queue.push({ type: 'gapFilled', id, events });
    }
    for (const { position, events } of inserted) {
      this.queue.push({ type: 'inserted', place: position, events });
    }
    for (const move of late.values()) {
      this.queue.push(move);
    }
    news.flush();
    this.onProgress();
  }

  /**
   * Returns events that were delivered after a gap but belong inside it, by ordinal, with their positions: the service sent missed events
   * again. In the log they precede the first event that was delivered after the gap.
   */
  private lateOf(items: readonly Item[], given: ReadonlyMap<number, Unplaced>): ReadonlyMap<number, Move> {
    const late = new Map<number, Move>();
    for (const { after: start } of this.ledger.gaps) {
      const first = items.indexOf(start + 1);
      for (let index = first - 1; index >= 0; index--) {
        const item = items[index];
        if (typeof item !== 'number') {
          continue;
        }
        if (item <= start) {
          break;
        }
        const { event, older, newer } = given.get(item) ?? {};
        const position = older !== undefined ? { after: older.id } : newer !== undefined ? { before: newer.id } : undefined;
        if (typeof event?.id === 'string' && position !== undefined) {
          late.set(item, { type: 'moved', id: event.id, place: position });
        }
      }
    }
    return new Map([...late].reverse());
  }

  /** Returns the position of an event between delivered ones. `undefined` if no delivered neighbour has an id. */
  private positionOf({ older, newer }: Unplaced): EventPosition | undefined {
    const isGiven = <T extends { readonly name: string }>(one: T | undefined): one is T => this.ledger.ordinalOf(one?.name) !== undefined;
    return isGiven(older) ? { after: older.id } : isGiven(newer) ? { before: newer.id } : undefined;
  }
}

type Move = Extract<WatchUpdate, { readonly type: 'moved' }>;

interface Insertion {
  readonly position: EventPosition;
  readonly events: SessionEvent[];
}

/** Adds an event to the last insertion if it follows that directly, otherwise as a new one. */
function insert(inserted: Insertion[], event: SessionEvent, position: EventPosition): void {
  const last = inserted.at(-1);
  if (last !== undefined && 'after' in position && position.after === last.events.at(-1)?.id) {
    last.events.push(event);
  } else {
    inserted.push({ position, events: [event] });
  }
}

/** Id and name (`nameOf`) of an event. */
interface Neighbour {
  readonly id: string;
  readonly name: string;
}

/** An event whose position among the delivered events is unknown, with its neighbours in the log. */
interface Unplaced {
  readonly event: SessionEvent;
  readonly name: string;
  older: Neighbour | undefined;
  newer: Neighbour | undefined;
}

/** One event of a reading: its ordinal if it was delivered and not after a gap. */
type Item = number | Unplaced;

/** Events of a history as they are read, in one direction. */
class Reading {
  readonly items: Item[] = [];
  private last: Neighbour | undefined;

  /** Adds an event. `ordinal` is set for a delivered event whose position is known. */
  add(event: SessionEvent, name: string, ordinal: number | undefined): void {
    const id = idOf(event);
    const neighbour = id === undefined ? undefined : { id, name };
    const before = this.items.at(-1);
    if (typeof before === 'object') {
      before.newer = neighbour;
    }
    this.items.push(ordinal ?? { event, name, older: this.last, newer: undefined });
    this.last = neighbour;
  }

  /** Returns the items of a newest-first reading, oldest first. */
  reversed(): readonly Item[] {
    return this.items.reverse().map(item => (typeof item === 'number' ? item : { ...item, older: item.newer, newer: item.older }));
  }
}

/**
 * Returns each item once, at its first position. Pages counted from the newest event overlap when the log grows meanwhile; the page read
 * later has the right order. `count` is the highest ordinal.
 */
function distinct(items: readonly Item[], count: number): readonly Item[] {
  const ordinals = new Uint8Array(count + 1);
  const names = new Set<string>();
  return items.filter(item => {
    if (typeof item === 'number') {
      const isNew = ordinals[item] === 0;
      ordinals[item] = 1;
      return isNew;
    }
    const isNew = !names.has(item.name);
    names.add(item.name);
    return isNew;
  });
}

/** Returns, for each item, the ordinal of the next delivered one after it. */
function followersOf(items: readonly Item[]): readonly number[] {
  const followers = new Array<number>(items.length);
  let after = Number.POSITIVE_INFINITY;
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index];
    followers[index] = after;
    after = typeof item === 'number' ? item : after;
  }
  return followers;
}
