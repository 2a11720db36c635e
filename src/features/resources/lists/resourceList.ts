import type { Disposable, Event } from 'vscode';
import type { ServiceClient } from '../../../client/serviceClient';
import type { Page } from '../../../client/transport/callResult';
import type { Clock } from '../../../common/clock';
import { Emitter } from '../../../common/emitter';
import { BackOff } from '../../../common/lists/backOff';
import { PagedList, pageAfter } from '../../../common/lists/pagedList';
import { Poller, type Timers } from '../../../common/lists/poller';
import { describeError } from '../../../common/text/describeError';
import type { PresentationContext } from '../../../common/text/presentation';
import type { Reference } from '../../../contributions';
import { type GroupRow, groupKeyOf, type Resource, type ResourceKind } from '../resourceKind';

// Interval between two reads while the list is visible, in milliseconds.
const whileVisible = 30_000;
const withoutFocus = 3;
const pageSize = 20;
const largestPage = 100;
/** Maximum number of consecutive pages that the client's filter left empty. */
const maxEmptyPages = 5;

/** Dependencies that all lists of a window share. */
export interface ListSurroundings {
  reach(connection: string): Promise<ServiceClient>;
  /** Returns the current access to a service, as `Connections.access`. Responses through any other access are dropped. */
  access(): string | undefined;
  isShown(): boolean;
  isFocused(): boolean;
  includeArchived(): boolean;
  warn(message: string): void;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timers?: Timers;
}

/**
 * Resources of one kind on a connection, or below one resource. The list is read when first needed. While the view is visible and the group
 * is expanded, the list is then read every half minute, with back-off after failures. Responses to requests from before `startOver` are
 * dropped.
 */
export class ResourceList<T extends Resource = Resource> {
  readonly list: PagedList<T>;
  private unfolded = false;
  private firstRead: Promise<void> | undefined;
  private row: ((context: PresentationContext) => GroupRow) | undefined;
  private generation = 0;
  private readonly changed = new Emitter<void>();
  private readonly backOff: BackOff;
  private readonly poller: Poller;
  private readonly following: Disposable;

  readonly onDidChange: Event<void> = this.changed.event;

  constructor(
    readonly kind: ResourceKind<T>,
    readonly connection: string,
    readonly parent: Reference | undefined,
    private readonly surroundings: ListSurroundings,
  ) {
    this.list = new PagedList<T>((before, now) => kind.carry?.(before, now) ?? now);
    this.list.reset(connection);
    this.following = this.list.onDidChange(() => this.changed.fire());
    this.backOff = new BackOff(surroundings.clock);
    this.poller = new Poller(signal => this.poll(signal), surroundings.timers);
  }

  get isUnfolded(): boolean {
    return this.unfolded;
  }

  /**
   * Marks the rows as visible. Reads them, and polls while they stay visible. Resolves when there is something to show. Repeated calls send
   * no further requests.
   */
  unfold(): Promise<void> {
    const wasFolded = !this.unfolded;
    this.unfolded = true;
    if (!this.list.isListed) {
      this.firstRead ??= this.trigger().finally(() => {
        this.firstRead = undefined;
      });
      return this.firstRead;
    }
    if (wasFolded) {
      void this.trigger();
    }
    return Promise.resolve();
  }

  fold(): void {
    this.unfolded = false;
  }

  summary(context: PresentationContext): GroupRow | undefined {
    return this.row?.(context);
  }

  /** Polls now if the list is visible. Resolves after the poll. */
  trigger(): Promise<void> {
    return this.poller.trigger();
  }

  /** Polls now like `trigger`, but ignores any back-off, because the user asked for it. */
  refresh(): Promise<void> {
    this.backOff.forgetWait();
    return this.trigger();
  }

  /** Clears the list and drops responses of running requests. */
  startOver(): void {
    this.generation++;
    this.row = undefined;
    this.list.reset(this.connection);
  }

  async loadMore(client: ServiceClient): Promise<void> {
    await this.list.loadMore(cursor => this.page(client, pageAfter(this.list.items.length), cursor));
  }

  /** Reads the first or the next page, even if the list is hidden. Uses the client of a user's request. A failure is stored in the list. */
  async readOn(client: ServiceClient): Promise<void> {
    if (this.list.isListed) {
      await this.loadMore(client);
      return;
    }
    const { generation, connection } = this;
    const accept = await this.page(client, largestPage, undefined).then(
      page => () => this.list.acceptFirstPage(connection, page),
      error => () => this.list.acceptFailure(connection, error),
    );
    if (generation === this.generation) {
      accept();
    }
  }

  dispose(): void {
    this.generation++;
    this.following.dispose();
    this.poller.dispose();
  }

  private async poll(signal: AbortSignal): Promise<number | undefined> {
    const { surroundings, generation, connection } = this;
    const isRead = this.kind.isImmutable === true && this.list.isListed;
    if (!this.unfolded || !surroundings.isShown() || isRead) {
      return undefined;
    }
    if (this.backOff.wait > 0) {
      return this.backOff.wait;
    }
    const access = surroundings.access();
    const isStale = () => signal.aborted || generation !== this.generation || access !== surroundings.access();
    try {
      const client = await surroundings.reach(connection);
      const limit = Math.min(Math.max(pageSize, this.list.items.length), largestPage);
      const [page, row] = await Promise.all([
        this.page(client, limit, undefined, signal),
        this.kind.summary?.(client, this.parent, signal).catch(() => undefined),
      ]);
      if (isStale()) {
        return undefined;
      }
      this.row = row;
      this.list.acceptFirstPage(connection, page);
      this.backOff.succeeded();
      if (this.kind.isImmutable === true) {
        return undefined;
      }
      return surroundings.isFocused() ? whileVisible : whileVisible * withoutFocus;
    } catch (error) {
      if (isStale()) {
        return undefined;
      }
      this.list.acceptFailure(connection, error);
      surroundings.warn(`The list of ${this.kind.kind} of ${connection} could not be read: ${describeError(error)}`);
      // Repeated requests don't help if the service has no such list.
      return this.list.state === 'unsupported' ? undefined : this.backOff.failed(error);
    }
  }

  private async page(client: ServiceClient, limit: number, from: string | undefined, signal?: AbortSignal): Promise<Page<T>> {
    const calls = this.kind.calls(client, this.parent);
    const filter = this.kind.hasArchived === true && this.surroundings.includeArchived() ? { includeArchived: true } : {};
    let page: Page<T>;
    let cursor = from;
    let pages = 0;
    do {
      const after = cursor === undefined ? {} : { cursor };
      page = await calls.list({ limit, ...after, ...filter, ...(signal === undefined ? {} : { signal }) });
      cursor = page.nextCursor;
      pages++;
    } while (page.items.length === 0 && cursor !== undefined && pages < maxEmptyPages);
    return page;
  }
}

/** Groups of one connection, and the lists of the groups that were expanded. */
export class ResourceStore {
  private readonly lists = new Map<string, ResourceList>();
  private readonly changed = new Emitter<void>();
  private scope: string | undefined;
  private includesArchived = false;

  readonly onDidChange: Event<void> = this.changed.event;

  constructor(
    readonly kinds: readonly ResourceKind[],
    private readonly surroundings: Omit<ListSurroundings, 'includeArchived'>,
  ) {}

  get connection(): string | undefined {
    return this.scope;
  }

  /** Clears everything and switches to a connection, which may be the current connection. */
  reset(connection: string | undefined): void {
    this.scope = connection;
    for (const list of this.lists.values()) {
      list.dispose();
    }
    this.lists.clear();
    this.changed.fire();
  }

  listOf(connection: string, kind: ResourceKind, parent?: Reference): ResourceList {
    const key = groupKeyOf(connection, kind.kind, parent);
    let list = this.lists.get(key);
    if (list === undefined) {
      list = new ResourceList(kind, connection, parent, { ...this.surroundings, includeArchived: () => this.includesArchived });
      list.onDidChange(() => this.changed.fire());
      this.lists.set(key, list);
    }
    return list;
  }

  all(): readonly ResourceList[] {
    return [...this.lists.values()];
  }

  /** Polls all lists now. */
  async refresh(): Promise<void> {
    await Promise.all(this.all().map(list => list.refresh()));
  }

  /** Shows or hides archived resources. */
  async toggleArchived(): Promise<void> {
    this.includesArchived = !this.includesArchived;
    for (const list of this.all().filter(({ kind }) => kind.hasArchived)) {
      list.startOver();
    }
    await this.refresh();
  }

  find({ connection, kind, id, parent }: Reference): Resource | undefined {
    return this.lists.get(groupKeyOf(connection, kind, parent))?.list.find(id);
  }

  /** Adds or updates a resource that was just created, changed or read. Does nothing if its list was never requested. */
  put({ connection, kind, parent }: Omit<Reference, 'id'>, value: Resource): void {
    this.lists.get(groupKeyOf(connection, kind, parent))?.list.put(connection, value);
  }

  dispose(): void {
    this.reset(undefined);
  }
}
