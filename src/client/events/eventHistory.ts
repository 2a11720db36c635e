import type { Page } from '../transport/callResult';
import { ServiceError } from '../transport/errors';
import { idOf, seqOf } from '../transport/pagination';
import type { EventLog, SessionEvent } from './eventLog';
import { nameOf } from './eventNames';
import { type Direction, directionOf, heedsOrder } from './historyOrder';

type Order = 'asc' | 'desc';

interface HistoryPage {
  readonly events: readonly SessionEvent[];
  readonly cursor: string | undefined;
}

interface PageStart {
  readonly cursor: string | undefined;
  /** Name of the page's first event. */
  readonly first: string;
}

/** Cursors already followed, and names of the first events of the pages already read. */
interface ReadPages {
  readonly cursors: Set<string>;
  readonly firsts: Set<string | undefined>;
}

/** Thrown when the service refuses a cursor that it returned. The events read so far are valid, but reading has to start again. */
export class CursorRefusedError extends Error {
  override readonly name = 'CursorRefusedError';
}

/** Thrown when the service says that there are more events but offers no known way to read them. */
export class HistoryCutError extends Error {
  override readonly name = 'HistoryCutError';
}

const maxPages = 10_000;
const largestLimit = 1000;
/** Maximum page size, used when no cursor leads to more events. */
const limitOfLimits = 100_000;
/** Number of small pages to read before larger pages are requested again. */
const pagesUntilLarger = 10;

/**
 * Stored events of a log, page by page. Always requests an `order` but never trusts it. The direction is derived from the events. Remembers
 * the observed behaviour of the service.
 */
export class EventHistory {
  /** Requested page size. `undefined` for a service that accepts no limit. */
  private limit: number | undefined;
  private maxLimit: number;
  private fittingPages = 0;
  private isOrdered = true;
  private readonly found: Partial<Record<Order, Direction>> = {};
  private heeds: boolean | undefined;
  /** True if cursors by id are tried first, because cursors by number failed. */
  private leadsOnById = false;
  /** Pages read oldest first, in order. */
  private readonly pageStarts: PageStart[] = [];

  constructor(
    private readonly log: EventLog,
    private readonly ordinalOf: (name: string | undefined) => number | undefined,
    pageSize = largestLimit,
  ) {
    this.limit = pageSize;
    this.maxLimit = pageSize;
  }

  /** False once the service turned out to return its oldest events first, whatever order is requested. */
  get runsBackward(): boolean {
    return this.found.desc !== 'oldestFirst';
  }

  /**
   * Yields all events, oldest first. If the service returns its newest events first, all pages are read before the first page is yielded.
   * With `reach`, starts with the last page known to begin at this ordinal or earlier. Throws a `CursorRefusedError` if reading has to
   * start again.
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

  /** Yields all events, newest first. Throws a `CursorRefusedError` if the service can't do that or refuses to page. */
  async *backward(signal: AbortSignal): AsyncGenerator<readonly SessionEvent[], void, undefined> {
    for await (const { events, direction } of this.directed('desc', signal, undefined)) {
      if (direction === 'oldestFirst') {
        throw new CursorRefusedError('The service only lists events oldest first');
      }
      yield events;
    }
  }

  /** Returns the cursor of the page to start with, and forgets the pages after it, which are read again. */
  private startFor(reach: number): string | undefined {
    const reaches = ({ first }: PageStart) => (this.ordinalOf(first) ?? Number.POSITIVE_INFINITY) <= reach;
    const index = this.pageStarts.findLastIndex(reaches);
    const cursor = this.pageStarts[index]?.cursor;
    this.pageStarts.length = Math.max(0, index);
    return cursor;
  }

  /** Yields pages with their direction. Each is held back until the direction is known. */
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
      // Services that ignore the order usually return their oldest events first.
      yield { ...last, direction: this.heeds === false ? ('oldestFirst' as const) : expected(order) };
    }
  }

  private async *pages(order: Order, signal: AbortSignal, start: string | undefined) {
    const read: ReadPages = { cursors: new Set(), firsts: new Set() };
    let cursor = start;
    let page = await this.page(order, signal, cursor);
    for (let count = 0; count < maxPages; count++) {
      yield { events: page.items, cursor };
      if (page.nextCursor === undefined && page.isCut !== true) {
        return;
      }
      const following = await this.following(order, signal, page, read);
      if (following !== undefined) {
        ({ page, cursor } = following);
      } else {
        const whole = await this.larger(order, signal, cursor, page);
        page = { ...whole, items: whole.items.slice(page.items.length) };
      }
    }
    throw new HistoryCutError(`The list of events has more than ${maxPages} pages`);
  }

  /** Returns the page after the given one, by any cursor that works. Returns `undefined` after the last page. */
  private async following(order: Order, signal: AbortSignal, { items, nextCursor }: Page<SessionEvent>, read: ReadPages) {
    if (nextCursor === undefined) {
      return undefined;
    }
    const [first, last] = [items[0], items.at(-1)];
    if (first !== undefined) {
      read.firsts.add(nameOf(first));
    }
    const id = isSeq(nextCursor) ? idOf(last) : undefined;
    const cursors = id === undefined ? [nextCursor] : [nextCursor, `after_id=${id}`];
    for (const cursor of this.leadsOnById ? cursors.reverse() : cursors) {
      if (read.cursors.has(cursor)) {
        throw new HistoryCutError('The pages of events repeat');
      }
      read.cursors.add(cursor);
      if (isSeq(cursor) && (seqOf(first) ?? 0) > (seqOf(last) ?? 0)) {
        throw new CursorRefusedError('Numeric cursors only work from the oldest event on');
      }
      const page = await this.page(order, signal, cursor);
      const next = page.items[0] && nameOf(page.items[0]);
      // A service that doesn't know the cursor returns a page that was read before.
      if (next === undefined || !read.firsts.has(next)) {
        this.leadsOnById = !isSeq(cursor);
        return { page, cursor };
      }
    }
    return undefined;
  }

  /** Requests the same page with more events on it. Throws a `HistoryCutError` if the service returns no more. */
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

  /** Changes the form of a refused request. Throws if there is no other form. */
  private adapt(error: unknown, hasCursor: boolean): void {
    const { status, kind } = error instanceof ServiceError ? error : { status: undefined, kind: undefined };
    if (kind === 'too_large' && this.limit !== 1) {
      this.limit = (this.limit ?? largestLimit) / 10;
      this.fittingPages = 0;
      return;
    }
    if (hasCursor && (status === 400 || status === 404 || status === 410 || status === 422)) {
      throw new CursorRefusedError('The service rejected a page of events', { cause: error });
    }
    const isRefusal = !hasCursor && (status === 400 || status === 422);
    // Services differ in the page sizes they accept and in whether they know an order.
    if (isRefusal && this.limit !== undefined) {
      this.limit = this.limit === largestLimit ? 100 : undefined;
      this.maxLimit = 100;
    } else if (isRefusal && this.isOrdered) {
      this.isOrdered = false;
    } else {
      throw error;
    }
  }

  /** Returns the direction of pages requested in `order`, derived from their events. Returns `undefined` if there are too few events. */
  private async direction(order: Order, pages: readonly HistoryPage[], signal: AbortSignal): Promise<Direction | undefined> {
    const events = pages.flatMap(page => page.events);
    if (events.length < 2) {
      return undefined;
    }
    const observed = directionOf(events, event => this.ordinalOf(nameOf(event)));
    let direction: Direction | undefined = observed;
    if (observed !== expected(order)) {
      // The events may contradict the requested order by chance, so check whether the service honours the order.
      this.heeds ??= heedsOrder(events, (await this.page(order === 'asc' ? 'desc' : 'asc', signal, undefined)).items);
      direction = this.heeds ? expected(order) : observed;
    }
    this.found[order] = direction;
    return direction;
  }
}

const cutWords = 'The service has more events, but its paging is not supported';

function isSeq(cursor: string): boolean {
  return cursor.startsWith('after_seq=');
}

function expected(order: Order): Direction {
  return order === 'asc' ? 'oldestFirst' : 'newestFirst';
}
