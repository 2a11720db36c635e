import type { SessionEvent } from '../schemas/sessionEvents';
import type { EventLog } from '../serviceClient';
import { CursorRefusedError, EventHistory } from './eventHistory';
import type { EventLedger, Gap } from './eventLedger';
import { nameOf, Places } from './eventNames';
import { distinct, followersOf, type Item, Reading, type Unplaced } from './historyReading';
import { News, type UpdateQueue } from './updateQueue';
import type { EventPlace, WatchUpdate } from './watchUpdates';

/** So many known events in a row are where two tellings of a log meet: servers swap neighbours between stream and list. */
const overlap = 8;
/** No further than this back for events that wait to be taken up. */
const waitingReach = 1000;
/** More events than this are not held: they are read again, oldest first, and given as they come. */
const maxHeld = 50_000;

/** Reads from the history what the stream did not bring, and gives it where it belongs. */
export class EventCatchUp {
  private readonly history: EventHistory;
  /** Whether the history was read from its beginning to its end. */
  private isWhole = false;

  constructor(
    log: EventLog,
    private readonly ledger: EventLedger,
    private readonly queue: UpdateQueue,
    private readonly onProgress: () => void,
  ) {
    this.history = new EventHistory(log, name => ledger.ordinalOf(name));
  }

  /**
   * Gives all events that are not given yet, and fills the gaps. Nothing else may be given meanwhile. Rejects when the history
   * cannot be read; what was given until then has no gap in it.
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
   * Gives what is missing, in gaps and at the end, while the stream goes on giving events; says whether anything was. Rejects when
   * the history cannot be read.
   */
  async fill(signal: AbortSignal): Promise<boolean> {
    const items = await this.collect(signal);
    const { count } = this.ledger;
    this.settle(items);
    this.isWhole = true;
    await this.queue.room();
    return this.ledger.count > count;
  }

  /** The ordinal up to which nothing can have changed, and nothing is missing; undefined where only places tell events apart. */
  private get reach(): number | undefined {
    const { ledger } = this;
    return ledger.hasUnnamed ? undefined : Math.min(ledger.whole, ledger.firstWaiting);
  }

  /** Gives page by page what is not given yet. */
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

  /** What the history has, oldest first, as far back as something may be missing. */
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
      const places = new Places();
      try {
        for await (const page of this.history.forward(signal, attempt === 1 ? reach : undefined)) {
          await onPage(page.map(event => ({ event, name: nameOf(event) ?? places.next(event) })));
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

  /** The end of the history as far back as something may be missing; undefined when it cannot or should not be read backwards. */
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

  /** The ordinal of an event that was given; a new body of it is given too. */
  private known(event: SessionEvent, name: string): number | undefined {
    const ordinal = this.ledger.ordinalOf(name);
    if (ordinal !== undefined && this.ledger.take(event, name) === 'changed') {
      this.queue.push({ type: 'changed', events: [event] });
    }
    return ordinal;
  }

  /** The ordinal of an event that was given before the first gap. What was given behind it can belong within it. */
  private placed(ordinal: number | undefined): number | undefined {
    return ordinal !== undefined && ordinal <= this.ledger.whole ? ordinal : undefined;
  }

  /** Gives what was collected, each event in its place: in a gap, or after what was given. */
  private settle(collected: readonly Item[]): void {
    const { ledger } = this;
    const given = new Map<number, Unplaced>();
    const told = collected.map(item => {
      const ordinal = typeof item === 'number' ? item : ledger.ordinalOf(item.name);
      if (ordinal !== undefined && typeof item !== 'number') {
        given.set(ordinal, item);
      }
      return ordinal ?? item;
    });
    const all = distinct(told, ledger.count);
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
      const place = gap === undefined && after !== Number.POSITIVE_INFINITY ? this.placeOf(item) : undefined;
      const verdict = ledger.take(item.event, item.name);
      if (verdict === 'new' && gap !== undefined) {
        filled.get(gap)?.push(item.event);
      } else if (verdict === 'new' && place !== undefined) {
        insert(inserted, item.event, place);
      } else {
        news.add(item.event, verdict);
      }
    });
    ledger.gaps.length = 0;
    for (const [{ id }, events] of filled) {
      this.queue.push({ type: 'gapFilled', id, events });
    }
    for (const { place, events } of inserted) {
      this.queue.push({ type: 'inserted', place, events });
    }
    for (const move of late.values()) {
      this.queue.push(move);
    }
    news.flush();
    this.onProgress();
  }

  /**
   * The events that were given behind a gap and stand within it, by their ordinals, with where they belong: what the service sent again
   * of what was missed. In the log they come before the first one that was given behind the gap.
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
        const place = older !== undefined ? { after: older.id } : newer !== undefined ? { before: newer.id } : undefined;
        if (typeof event?.id === 'string' && place !== undefined) {
          late.set(item, { type: 'moved', id: event.id, place });
        }
      }
    }
    return new Map([...late].reverse());
  }

  /** Where an event stands that has its place between others; undefined when none of its neighbours that were given has an id. */
  private placeOf({ older, newer }: Unplaced): EventPlace | undefined {
    const isGiven = <T extends { readonly name: string }>(one: T | undefined): one is T => this.ledger.ordinalOf(one?.name) !== undefined;
    return isGiven(older) ? { after: older.id } : isGiven(newer) ? { before: newer.id } : undefined;
  }
}

type Move = Extract<WatchUpdate, { readonly type: 'moved' }>;

interface Insertion {
  readonly place: EventPlace;
  readonly events: SessionEvent[];
}

/** Adds an event, to those before it where it follows them. */
function insert(inserted: Insertion[], event: SessionEvent, place: EventPlace): void {
  const last = inserted.at(-1);
  if (last !== undefined && 'after' in place && place.after === last.events.at(-1)?.id) {
    last.events.push(event);
  } else {
    inserted.push({ place, events: [event] });
  }
}
