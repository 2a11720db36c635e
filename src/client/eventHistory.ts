import { ServiceError } from './errors';
import { nameOf } from './eventNames';
import { type Direction, directionOf, heedsOrder } from './historyOrder';
import { idOf } from './pagination';
import type { SessionEvent } from './schemas/sessionEvents';
import type { EventLog } from './serviceClient';

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

/** The service refused a cursor that it had given: what was read so far is right, and the reading has to begin again. */
export class CursorRefusedError extends Error {
  override readonly name = 'CursorRefusedError';
}

const maxPages = 10_000;
const largestLimit = 1000;
/** Pages that have to be small enough before larger ones are asked for again. */
const pagesUntilLarger = 10;

/**
 * The stored events of a log, page by page. `order` is always asked for and never trusted: which way the pages run is told from
 * the events. What it finds out about the service it keeps.
 */
export class EventHistory {
  /** Events asked for on a page; undefined for a service that takes no limit of ours. */
  private limit: number | undefined = largestLimit;
  private maxLimit = largestLimit;
  private fittingPages = 0;
  private isOrdered = true;
  private readonly found: Partial<Record<Order, Direction>> = {};
  private heeds: boolean | undefined;
  /** The pages that were read oldest first, in their order. */
  private readonly pageStarts: PageStart[] = [];

  constructor(
    private readonly log: EventLog,
    private readonly ordinalOf: (name: string | undefined) => number | undefined,
  ) {}

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
    const followed = new Set<string>();
    let cursor = start;
    let firstOfLast: string | undefined;
    for (let count = 0; count < maxPages; count++) {
      const page = await this.page(order, signal, cursor);
      const first = idOf(page.items[0]);
      if (first !== undefined && first === firstOfLast) {
        throw new Error('The service gives the same page of events again and again');
      }
      firstOfLast = first;
      yield { events: page.items, cursor };
      cursor = page.nextCursor;
      if (cursor === undefined) {
        return;
      }
      if (followed.has(cursor)) {
        throw new Error('The pages of events go round in a circle');
      }
      followed.add(cursor);
    }
    throw new Error(`The list of events has more than ${maxPages} pages`);
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

function expected(order: Order): Direction {
  return order === 'asc' ? 'oldestFirst' : 'newestFirst';
}
