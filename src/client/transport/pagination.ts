import type { ListOptions, Page } from './callResult';
import type { PageEnvelope } from './page';

/** Query parameters that carry a cursor. The response decides which parameter is used, never the resource. */
const cursorNames = ['page', 'cursor', 'after_id', 'after_seq'] as const;

export function isCursor(name: string): boolean {
  return cursorNames.some(known => known === name);
}

/** Returns the opaque cursor of the next page, or `undefined` on the last page. The cursor includes its kind: `after_id=msgbatch_1`. */
export function nextCursor(page: PageEnvelope): string | undefined {
  if (page.has_more === false) {
    return undefined;
  }
  if (page.next_page) {
    return `page=${page.next_page}`;
  }
  if (page.next_cursor) {
    return `cursor=${page.next_cursor}`;
  }
  if (page.has_more !== true) {
    return undefined;
  }
  if (page.last_id) {
    return `after_id=${page.last_id}`;
  }
  const last = page.data.at(-1);
  const seq = seqOf(last);
  const id = idOf(last);
  return seq !== undefined ? `after_seq=${seq}` : id !== undefined ? `after_id=${id}` : undefined;
}

/** Returns the sequence number of a list item, if it has one. */
export function seqOf(item: unknown): number | undefined {
  const seq = typeof item === 'object' && item !== null ? (item as { seq?: unknown }).seq : undefined;
  return typeof seq === 'number' ? seq : undefined;
}

/** Returns the query of a list call. A cursor without a known `name=` prefix is sent as `page`. */
export function listQuery(options: ListOptions | undefined): (readonly [string, string])[] {
  const query: (readonly [string, string])[] = [];
  if (options?.limit !== undefined) {
    query.push(['limit', String(options.limit)]);
  }
  const cursor = options?.cursor;
  if (cursor !== undefined) {
    const name = cursorNames.find(known => cursor.startsWith(`${known}=`));
    query.push(name === undefined ? ['page', cursor] : [name, cursor.slice(name.length + 1)]);
  }
  return query;
}

export function idOf(item: unknown): string | undefined {
  const id = typeof item === 'object' && item !== null ? (item as { id?: unknown }).id : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

const maxPages = 10_000;
/** Maximum number of consecutive pages without new items. A filter can leave some pages empty. */
const maxVainPages = 50;

/** Thrown at the end of a list that is incomplete according to the service. */
export class ListCutError extends Error {
  override readonly name = 'ListCutError';

  constructor(message = 'The service has more items, but does not say how to list them') {
    super(message);
  }
}

/** New items of a page, the cursor to follow, and the reason if a cursor is missing although the service has more items. */
interface AcceptedPage<T> extends Pick<Page<T>, 'items' | 'nextCursor'> {
  readonly cut?: ListCutError;
}

/**
 * Prevents endless paging. No item is returned twice. The list ends, as cut, at a page that begins like an earlier one and has no new
 * items. The list also ends at a cursor that was already followed, at the page cap, and after many pages without new items.
 */
export class PageGuard<T> {
  private readonly listedIds = new Set<string>();
  private readonly firstIds = new Set<string>();
  private readonly followed = new Set<string>();
  private pages = 0;
  private vainPages = 0;

  /** Creates a guard. `keyOf` distinguishes items that share an id, such as the versions of an agent. */
  constructor(
    private readonly cap = maxPages,
    private readonly keyOf: (item: T) => string | undefined = idOf,
  ) {}

  accept(page: Page<T>): AcceptedPage<T> {
    this.pages++;
    const [firstItem] = page.items;
    const first = firstItem === undefined ? undefined : this.keyOf(firstItem);
    const repeated = first !== undefined && this.firstIds.has(first);
    if (first !== undefined) {
      this.firstIds.add(first);
    }
    const items = page.items.filter(item => {
      const id = this.keyOf(item);
      if (id === undefined) {
        return !repeated;
      }
      const isNew = !this.listedIds.has(id);
      this.listedIds.add(id);
      return isNew;
    });
    this.vainPages = items.length === 0 ? this.vainPages + 1 : 0;
    const { nextCursor } = page;
    const cut = this.cutAt(page, repeated && items.length === 0);
    if (cut !== undefined) {
      return { items, nextCursor: undefined, cut };
    }
    if (nextCursor !== undefined) {
      this.followed.add(nextCursor);
    }
    return { items, nextCursor };
  }

  private cutAt({ nextCursor, isCut }: Page<T>, isRepeated: boolean): ListCutError | undefined {
    if (nextCursor === undefined) {
      return isCut === true ? new ListCutError() : undefined;
    }
    if (isRepeated || this.followed.has(nextCursor)) {
      return new ListCutError('The list is incomplete: its pages repeat');
    }
    if (this.vainPages >= maxVainPages) {
      return new ListCutError(`The list is incomplete: ${maxVainPages} pages contained nothing new`);
    }
    return this.pages >= this.cap ? new ListCutError(`The list is incomplete: it has more than ${this.cap} pages`) : undefined;
  }
}

export interface WalkOptions<T> extends Omit<ListOptions, 'cursor'> {
  readonly maxPages?: number;
  readonly keyOf?: (item: T) => string | undefined;
  /** Called at the end of an incomplete list, instead of throwing. */
  readonly onCut?: (error: ListCutError) => void;
}

/**
 * Yields every item of a list once, requesting pages as needed: `listAll(options => client.batches.list(options))`. Leaving the iteration
 * ends it. If a page fails, the items yielded before stay valid. Throws a `ListCutError` at the end of an incomplete list.
 */
export async function* listAll<T>(
  list: (options: ListOptions) => Promise<Page<T>>,
  options: WalkOptions<T> = {},
): AsyncGenerator<T, void, undefined> {
  const guard = new PageGuard<T>(options.maxPages, options.keyOf);
  let cursor: string | undefined;
  do {
    const page = guard.accept(await list({ signal: options.signal, limit: options.limit, cursor }));
    yield* page.items;
    cursor = page.nextCursor;
    if (page.cut !== undefined) {
      if (options.onCut === undefined) {
        throw page.cut;
      }
      options.onCut(page.cut);
    }
  } while (cursor !== undefined);
}

/** First items of a list. `isWhole` is false if the service may have more items. */
export interface ListStart<T> {
  readonly items: readonly T[];
  readonly isWhole: boolean;
  /** Reason why the end of the list could not be reached. Absent if reading stopped at `max`. */
  readonly cut?: ListCutError | undefined;
}

/** Reads a list up to `max` items, requesting pages as needed. */
export async function listUpTo<T>(
  list: (options: ListOptions) => Promise<Page<T>>,
  max: number,
  options: Omit<WalkOptions<T>, 'onCut'> = {},
): Promise<ListStart<T>> {
  const items: T[] = [];
  let cut: ListCutError | undefined;
  const onCut = (error: ListCutError) => {
    cut = error;
  };
  for await (const item of listAll(list, { ...options, onCut })) {
    if (items.length >= max) {
      return { items, isWhole: false };
    }
    items.push(item);
  }
  return { items, isWhole: cut === undefined, ...(cut && { cut }) };
}
