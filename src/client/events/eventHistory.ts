import type { SessionEvent } from '../schemas/sessionEvents';
import type { EventLog } from '../serviceClient';
import type { Page } from '../transport/answer';
import { ServiceError } from '../transport/errors';
import { idOf, seqOf } from '../transport/pagination';
import { nameOf } from './eventNames';
import { type Direction, directionOf, heedsOrder } from './historyOrder';

type Order = 'asc' | 'desc';

interface HistoryPage {
  readonly events: readonly SessionEvent[];
  /** The cursor that led to it. */
  readonly cursor: string | undefined;
}

interface PageStart {
  readonly cursor: string | undefined;
  /** The name of its first event. */
  readonly first: string;
}

/** Cursors that were followed in a reading, and the names of the first events of its pages. */
interface Seen {
  readonly cursors: Set<string>;
  readonly firsts: Set<string | undefined>;
}

/** The service refused a cursor that it had given: what was read so far is right, and the reading has to begin again. */
export class CursorRefusedError extends Error {
  override readonly name = 'CursorRefusedError';
}

/** The service says that there are more events and gives them in no way that is known. */
export class HistoryCutError extends Error {
  override readonly name = 'HistoryCutError';
}

const maxPages = 10_000;
const largestLimit = 1000;
/** Where nothing else leads on, pages of up to this many events are asked for. */
const limitOfLimits = 100_000;
/** Pages that have to be small enough before larger ones are asked for again. */
const pagesUntilLarger = 10;

/**
 * The stored events of a log, page by page. `order` is always asked for and never trusted: which way the pages run is told from
 * the events. What it finds out about the service it keeps.
 */
export class EventHistory {
  /** Events asked for on a page; undefined for a service that takes no limit of ours. */
  private limit: number | undefined;
  private maxLimit: number;
  private fittingPages = 0;
  private isOrdered = true;
  private readonly found: Partial<Record<Order, Direction>> = {};
  private heeds: boolean | undefined;
  /** Where numbers did not lead on, and ids did. */
  private leadsOnById = false;
  /** The pages that were read oldest first, in their order. */
  private readonly pageStarts: PageStart[] = [];

  constructor(
    private readonly log: EventLog,
    private readonly ordinalOf: (name: string | undefined) => number | undefined,
    /** Events that are asked for on a page. */
    pageSize = largestLimit,
  ) {
    this.limit = pageSize;
    this.maxLimit = pageSize;
  }

  /** False once the service was found to give its events oldest first whatever it is asked for. */
  get runsBackward(): boolean {
    return this.found.desc !== 'oldestFirst';
  }

  /**
   * All events, oldest first. From a service that gives the newest first, whatever it is asked for, they are all read before the
   * first page is given. With `reach` it begins with the last page that is known to begin with the event of that ordinal or an
   * older one. Throws a `CursorRefusedError` when the reading has to begin again.
   */
  async *forward(signal: AbortSignal, reach?: number): AsyncGenerator<readonly SessionEvent[], void, undefined> {
    const start = this.startFor(reach ?? 0);
    const newestFirst: (readonly SessionEvent[])[] = [];
    for await (const { events, cursor, direction } of this.directed('asc', signal, start)) {
      if (direction === 'newestFirst') {
        newestFirst.push(events);
      } else {
        const first = events[0] === undefined ? undefined : nameOf(events[0]);
        if (first !== undefined) {
          this.pageStarts.push({ cursor, first });
        }
        yield events;
      }
    }
    for (const events of newestFirst.reverse()) {
      yield [...events].reverse();
    }
  }

  /** All events, newest first. Throws a `CursorRefusedError` when the service cannot do that, or refuses to page so. */
  async *backward(signal: AbortSignal): AsyncGenerator<readonly SessionEvent[], void, undefined> {
    for await (const { events, direction } of this.directed('desc', signal, undefined)) {
      if (direction === 'oldestFirst') {
        throw new CursorRefusedError('The service gives events oldest first only');
      }
      yield events;
    }
  }

  /** The cursor of the page to begin with; forgets those after it, which are read again. */
  private startFor(reach: number): string | undefined {
    const reaches = ({ first }: PageStart) => (this.ordinalOf(first) ?? Number.POSITIVE_INFINITY) <= reach;
    const index = this.pageStarts.findLastIndex(reaches);
    const cursor = this.pageStarts[index]?.cursor;
    this.pageStarts.length = Math.max(0, index);
    return cursor;
  }

  /** Pages with the way they run, each held back until that can be told. */
  private async *directed(order: Order, signal: AbortSignal, start: string | undefined) {
    let direction = this.found[order];
    const held: HistoryPage[] = [];
    for await (const page of this.pages(order, signal, start)) {
      held.push(page);
      if (direction === undefined) {
        direction = await this.direction(order, held, signal);
      }
      if (direction !== undefined) {
        for (const ready of held.splice(0)) {
          yield { ...ready, direction };
        }
      }
    }
    for (const last of held) {
      // Those that do not heed the order mostly tell a log as it was written.
      yield { ...last, direction: this.heeds === false ? ('oldestFirst' as const) : expected(order) };
    }
  }

  private async *pages(order: Order, signal: AbortSignal, start: string | undefined) {
    const seen: Seen = { cursors: new Set(), firsts: new Set() };
    let cursor = start;
    let page = await this.page(order, signal, cursor);
    for (let count = 0; count < maxPages; count++) {
      yield { events: page.items, cursor };
      if (page.nextCursor === undefined && page.isCut !== true) {
        return;
      }
      const following = await this.following(order, signal, page, seen);
      if (following !== undefined) {
        ({ page, cursor } = following);
      } else {
        const whole = await this.larger(order, signal, cursor, page);
        page = { ...whole, items: whole.items.slice(page.items.length) };
      }
    }
    throw new HistoryCutError(`The list of events has more than ${maxPages} pages`);
  }

  /** The page after this one, by whatever leads there; undefined where nothing does. */
  private async following(order: Order, signal: AbortSignal, { items, nextCursor }: Page<SessionEvent>, seen: Seen) {
    if (nextCursor === undefined) {
      return undefined;
    }
    const [first, last] = [items[0], items.at(-1)];
    if (first !== undefined) {
      seen.firsts.add(nameOf(first));
    }
    const id = isSeq(nextCursor) ? idOf(last) : undefined;
    const cursors = id === undefined ? [nextCursor] : [nextCursor, `after_id=${id}`];
    for (const cursor of this.leadsOnById ? cursors.reverse() : cursors) {
      if (seen.cursors.has(cursor)) {
        throw new HistoryCutError('The pages of events go round in a circle');
      }
      seen.cursors.add(cursor);
      if (isSeq(cursor) && (seqOf(first) ?? 0) > (seqOf(last) ?? 0)) {
        throw new CursorRefusedError('Numbers lead on only from the oldest event');
      }
      const page = await this.page(order, signal, cursor);
      const next = page.items[0] && nameOf(page.items[0]);
      // A page that was read before is what a service gives that does not know the cursor.
      if (next === undefined || !seen.firsts.has(next)) {
        this.leadsOnById = !isSeq(cursor);
        return { page, cursor };
      }
    }
    return undefined;
  }

  /** The same page with more events on it. Throws a `HistoryCutError` where the service gives no more. */
  private async larger(
    order: Order,
    signal: AbortSignal,
    cursor: string | undefined,
    page: Page<SessionEvent>,
  ): Promise<Page<SessionEvent>> {
    const limit = (this.limit ?? limitOfLimits) * 10;
    if (limit <= limitOfLimits) {
      try {
        const whole = await this.log.list({ signal, cursor, limit, order: this.isOrdered ? order : undefined });
        if (whole.items.length > page.items.length) {
          this.limit = limit;
          this.maxLimit = limit;
          return whole;
        }
      } catch (error) {
        signal.throwIfAborted();
        throw new HistoryCutError(cutWords, { cause: error });
      }
    }
    throw new HistoryCutError(cutWords);
  }

  private async page(order: Order, signal: AbortSignal, cursor: string | undefined) {
    for (;;) {
      try {
        const page = await this.log.list({ signal, cursor, limit: this.limit, order: this.isOrdered ? order : undefined });
        if (this.limit !== undefined && this.limit < this.maxLimit && ++this.fittingPages >= pagesUntilLarger) {
          this.limit *= 10;
          this.fittingPages = 0;
        }
        return page;
      } catch (error) {
        this.adapt(error, cursor !== undefined);
      }
    }
  }

  /** Asks in another way for what was refused; throws when there is none. */
  private adapt(error: unknown, hasCursor: boolean): void {
    const { status, kind } = error instanceof ServiceError ? error : { status: undefined, kind: undefined };
    if (kind === 'too_large' && this.limit !== 1) {
      this.limit = (this.limit ?? largestLimit) / 10;
      this.fittingPages = 0;
      return;
    }
    if (hasCursor && (status === 400 || status === 404 || status === 410 || status === 422)) {
      throw new CursorRefusedError('A page of events was refused', { cause: error });
    }
    const isRefusal = !hasCursor && (status === 400 || status === 422);
    // Services differ in the page size they take, and in whether they know an order.
    if (isRefusal && this.limit !== undefined) {
      this.limit = this.limit === largestLimit ? 100 : undefined;
      this.maxLimit = 100;
    } else if (isRefusal && this.isOrdered) {
      this.isOrdered = false;
    } else {
      throw error;
    }
  }

  /** Which way the pages run that are asked for in this order and begin with these; undefined while there is too little to tell. */
  private async direction(order: Order, pages: readonly HistoryPage[], signal: AbortSignal): Promise<Direction | undefined> {
    const events = pages.flatMap(page => page.events);
    if (events.length < 2) {
      return undefined;
    }
    const told = directionOf(events, event => this.ordinalOf(nameOf(event)));
    let direction: Direction | undefined = told;
    if (told !== expected(order)) {
      // What the events tell against the order that was asked for can be chance: does the service heed the order at all?
      this.heeds ??= heedsOrder(events, (await this.page(order === 'asc' ? 'desc' : 'asc', signal, undefined)).items);
      direction = this.heeds ? expected(order) : told;
    }
    this.found[order] = direction;
    return direction;
  }
}

const cutWords = 'The service says that there are more events, and gives them in no way that is known here';

function isSeq(cursor: string): boolean {
  return cursor.startsWith('after_seq=');
}

function expected(order: Order): Direction {
  return order === 'asc' ? 'oldestFirst' : 'newestFirst';
}
