import type { Event } from 'vscode';
import { isNotServed } from '../../client/dialect';
import type { Page } from '../../client/transport/callResult';
import { isUnreached, ServiceError } from '../../client/transport/errors';
import { ListCutError } from '../../client/transport/pagination';
import { Emitter } from '../emitter';

/** Returns the size of the next page, 20 to 100. It grows with the list, because VS Code redraws the whole list. */
export function pageAfter(listed: number): number {
  return Math.min(Math.max(listed, 20), 100);
}

/** State of the last listing. `unsupported`: the service has no such list. */
type ListingState = 'loading' | 'empty' | 'filled' | 'unauthorized' | 'unreachable' | 'unsupported' | 'failed';

/**
 * Items of a list of the service, newest first. Only the first page is refreshed. Later pages stay. The list belongs to a scope, such as a
 * connection name, and ignores responses for another scope. A failed listing keeps the items.
 */
export class PagedList<T extends { readonly id: string }> {
  /** Items by ID, in the same order as `listed`. */
  private byId = new Map<string, T>();
  private listed: readonly T[] = [];
  private nextCursor: string | undefined;
  private hasFirstPage = false;
  private listingState: ListingState = 'loading';
  private listingProblem: unknown;
  /** Error to show at the end of an incomplete list. */
  private cut: ListCutError | undefined;
  private laterProblem: unknown;
  private currentScope: string | undefined;
  protected readonly changed = new Emitter<void>();

  readonly onDidChange: Event<void> = this.changed.event;

  /** `carry` copies local information from the previous item to the newly read item. */
  constructor(private readonly carry: (before: T, now: T) => T = (_, now) => now) {}

  get scope(): string | undefined {
    return this.currentScope;
  }

  get items(): readonly T[] {
    return this.listed;
  }

  /** State of the last listing. Always `filled` if there are items. */
  get state(): ListingState {
    return this.listed.length > 0 ? 'filled' : this.listingState;
  }

  get problem(): unknown {
    return this.listingProblem;
  }

  /** True if a first page was read since the last reset. Adding items with `put` does not count. */
  get isListed(): boolean {
    return this.hasFirstPage;
  }

  get hasMore(): boolean {
    return this.nextCursor !== undefined;
  }

  get moreProblem(): unknown {
    return this.laterProblem;
  }

  find(id: string): T | undefined {
    return this.byId.get(id);
  }

  reset(scope: string | undefined): void {
    this.currentScope = scope;
    this.show([]);
    this.nextCursor = undefined;
    this.hasFirstPage = false;
    this.listingState = 'loading';
    this.cut = undefined;
    this.listingProblem = undefined;
    this.laterProblem = undefined;
    this.changed.fire();
  }

  acceptFirstPage(scope: string, page: Page<T>): void {
    if (scope !== this.currentScope) {
      return;
    }
    const fresh = this.entriesOf(page.items);
    const isCut = page.isCut === true;
    const older = page.nextCursor === undefined && !isCut ? [] : this.olderThan(fresh, isCut);
    this.show([...fresh, ...older]);
    this.hasFirstPage = true;
    if (older.length === 0) {
      this.nextCursor = page.nextCursor;
    }
    this.listingState = this.listed.length === 0 && page.nextCursor === undefined ? 'empty' : 'filled';
    this.cut = isCut ? new ListCutError() : older.length > 0 ? this.cut : undefined;
    this.listingProblem = this.cut;
    this.changed.fire();
  }

  acceptFailure(scope: string, error: unknown): void {
    if (scope !== this.currentScope) {
      return;
    }
    this.listingState = toListingState(error);
    this.listingProblem = error;
    this.changed.fire();
  }

  /** Appends the next page, which `list` reads. Never rejects. An error becomes `moreProblem`. */
  async loadMore(list: (cursor: string) => Promise<Page<T>>): Promise<void> {
    const { currentScope: scope, nextCursor } = this;
    if (scope === undefined || nextCursor === undefined) {
      return;
    }
    try {
      const page = await list(nextCursor);
      if (scope !== this.currentScope || nextCursor !== this.nextCursor) {
        return;
      }
      const fresh = page.items.filter(({ id }) => !this.byId.has(id));
      this.show([...this.byId, ...this.entriesOf(fresh)]);
      // A service that ignores the cursor returns the first page forever.
      const isOver = page.nextCursor !== undefined && (page.nextCursor === nextCursor || (fresh.length === 0 && page.items.length > 0));
      this.nextCursor = isOver ? undefined : page.nextCursor;
      if (isOver || page.isCut === true) {
        this.cut = new ListCutError();
        this.listingProblem = this.cut;
      }
      this.laterProblem = undefined;
    } catch (error) {
      if (scope === this.currentScope) {
        this.laterProblem = error;
      }
    }
    this.changed.fire();
  }

  /** Reads the first page with `list`, or the next page. Never rejects. Errors become `problem` or `moreProblem`. */
  async readOn(list: (cursor?: string) => Promise<Page<T>>): Promise<void> {
    const { currentScope: scope } = this;
    if (this.hasFirstPage || scope === undefined) {
      await this.loadMore(list);
      return;
    }
    try {
      this.acceptFirstPage(scope, await list());
    } catch (error) {
      this.acceptFailure(scope, error);
    }
  }

  /** Replaces an item at its position, or adds a new item at the top. */
  put(scope: string, item: T): void {
    if (scope === this.currentScope) {
      const entries = this.entriesOf([item]);
      // A repeated key of a `Map` keeps its first position.
      this.show(this.byId.has(item.id) ? [...this.byId, ...entries] : [...entries, ...this.byId]);
      this.changed.fire();
    }
  }

  /** Replaces several items at their positions. Ignores unlisted items. Fires the change event at most once. */
  refresh(scope: string, items: readonly T[]): void {
    const known = scope === this.currentScope ? items.filter(({ id }) => this.byId.has(id)) : [];
    if (known.length > 0) {
      this.show([...this.byId, ...this.entriesOf(known)]);
      this.changed.fire();
    }
  }

  /** Removes an item that no longer exists on the service. */
  remove(scope: string, id: string): void {
    if (scope === this.currentScope) {
      this.show([...this.byId].filter(([other]) => other !== id));
      this.listingState = this.listed.length === 0 && this.listingState === 'filled' ? 'empty' : this.listingState;
      this.changed.fire();
    }
  }

  private show(entries: Iterable<readonly [string, T]>): void {
    this.byId = new Map(entries);
    this.listed = [...this.byId.values()];
  }

  private entriesOf(items: readonly T[]): ReadonlyMap<string, T> {
    return new Map(items.map(item => [item.id, this.carried(item)]));
  }

  /**
   * Returns the listed items that follow the last item of a fresh first page. Earlier items that are missing on the page were deleted. If
   * the page is empty, or is cut and ends with a new item, returns all items that are not on the page.
   */
  private olderThan(page: ReadonlyMap<string, T>, isCut: boolean): readonly [string, T][] {
    const last = [...this.byId.keys()].indexOf([...page.keys()].at(-1) ?? '');
    const keepsAll = page.size === 0 || (isCut && last < 0);
    const behind = keepsAll || last >= 0 ? [...this.byId].slice(keepsAll ? 0 : last + 1) : [];
    return behind.filter(([id]) => !page.has(id));
  }

  /** Returns the item to list. If nothing changed, returns the previous object, so that derived values are not computed again. */
  private carried(item: T): T {
    const before = this.find(item.id);
    const now = before === undefined ? item : this.carry(before, item);
    return before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now;
  }
}

export function toListingState(error: unknown): ListingState {
  if (!(error instanceof ServiceError)) {
    return 'failed';
  }
  switch (error.kind) {
    case 'authentication':
    case 'permission':
      return 'unauthorized';
    case 'not_found':
      return 'unsupported';
    default:
      if (isUnreached(error.kind)) {
        return 'unreachable';
      }
      return isNotServed(error.status) ? 'unsupported' : 'failed';
  }
}
