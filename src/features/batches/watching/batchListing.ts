import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import type { Clock } from '../../../common/clock';
import type { RequestBudget } from '../../../common/lists/requestBudget';
import { describeError } from '../../../common/text/describeError';
import type { Connection, Connections } from '../../connection';
import type { Submission, SubmissionRegistry } from '../../ledger';
import { type BatchStore, pageSize } from '../batchStore';

export interface BatchListingDependencies {
  readonly connections: Pick<Connections, 'access'>;
  /** The client of a connection, for nobody who asked just now. */
  readonly reach: (connection: Connection) => Promise<ServiceClient>;
  readonly registry: Pick<SubmissionRegistry, 'findByBatch'>;
  readonly store: BatchStore;
  readonly warn: (message: string) => void;
  readonly clock: Clock;
}

/** What a listing told. */
export interface Listed {
  /** Submissions whose batches it had. */
  readonly told: ReadonlySet<string>;
  /** Where the service's list goes on behind the first page. */
  readonly cursor: string | undefined;
}

/** One way through the pages behind the first one, as far as they are listed. */
interface Sweep {
  readonly begunAt: number;
  cursor: string | undefined;
  /** Batches that it has passed, those on the first page too. */
  passed: number;
}

/** The list of the current connection's batches, as its view shows it: when it was had, and when it is its turn again. */
export class BatchListing {
  private listed: { readonly connection: string; readonly at: number } | undefined;
  /** Name and address of the connection whose service has no list of batches. */
  private unsupported: string | undefined;
  private sweep: Sweep | undefined;
  /** When the last sweep that came to its end began; before that, when the first page was first had. */
  private sweptAt = Number.POSITIVE_INFINITY;

  /** `see` is told each batch of ours that the list has. */
  constructor(
    private readonly deps: BatchListingDependencies,
    private readonly see: (submission: Submission, batch: MessageBatch) => Promise<void>,
  ) {}

  /** Whether the service is not known to have none. */
  isServedBy(connection: Connection): boolean {
    return this.unsupported !== addressOf(connection);
  }

  /** Connections, keys or services may be others now. */
  forgetFailures(): void {
    this.unsupported = undefined;
  }

  /**
   * Milliseconds since the batches of the store's connection were listed, of those on later pages that may still change the longest;
   * undefined when they were not.
   */
  listedFor(): number | undefined {
    const { store, clock } = this.deps;
    const { listed } = this;
    const isListed = listed?.connection === store.scope && store.isListed;
    return listed !== undefined && isListed
      ? clock.monotonic() - (this.hasOpenBehind() ? Math.min(listed.at, this.sweptAt) : listed.at)
      : undefined;
  }

  /** Milliseconds until it is to be listed again; `slowness` multiplies the waits. */
  waitOf({ name }: Connection, slowness: number): number {
    const { store, clock } = this.deps;
    // A connection that was left and chosen again has nothing listed any more.
    if (this.listed?.connection !== name || !store.isListed) {
      return 0;
    }
    const running = store.items.some(isOpen);
    return this.listed.at + (running ? othersRunning : idle) * slowness - clock.monotonic();
  }

  /**
   * Lists as much as is shown, up to a page, and goes on through the pages behind it where something on them can still change. Throws what the
   * service answered.
   */
  async list(current: Connection, budget: RequestBudget, signal: AbortSignal): Promise<Listed> {
    const { store, connections, reach } = this.deps;
    if (store.scope !== current.name) {
      store.reset(current.name);
    }
    const { access } = connections;
    try {
      const client = await reach(current);
      const limit = Math.min(Math.max(pageSize, store.items.length), largestPage);
      budget.spend(1);
      const page = await client.batches.list({ limit, signal });
      if (connections.access !== access) {
        // Listed with another key than is used by now; the change begins a look of its own.
        return nothing;
      }
      const at = this.deps.clock.monotonic();
      if (this.listed?.connection !== current.name || !store.isListed) {
        this.sweep = undefined;
        this.sweptAt = at;
      }
      this.listed = { connection: current.name, at };
      store.acceptFirstPage(current.name, page);
      const told = await this.seeAll(current.name, page.items);
      await this.goOn(client, current.name, { cursor: page.nextCursor, passed: page.items.length, begunAt: at }, budget, signal);
      return { told, cursor: page.nextCursor };
    } catch (error) {
      // A cursor that the service does not know any more leads nowhere.
      this.sweep = undefined;
      if (!signal.aborted) {
        store.acceptFailure(current.name, error);
      }
      if (signal.aborted || !store.isUnsupported) {
        throw error;
      }
      // A service without batches does not get them by being asked again.
      this.unsupported = addressOf(current);
      this.deps.warn(`${current.name} has no list of batches: ${describeError(error)}`);
      return nothing;
    }
  }

  /** Reads some of the pages behind the first one again: what is listed on them and may still change is not to stay as it was loaded. */
  private async goOn(client: ServiceClient, connection: string, begin: Sweep, budget: RequestBudget, signal: AbortSignal): Promise<void> {
    const { store, connections } = this.deps;
    const { access } = connections;
    for (let pages = 0; pages < pagesAtOnce && budget.left > 0 && this.hasOpenBehind(); pages++) {
      this.sweep ??= begin;
      const { sweep } = this;
      const { cursor } = sweep;
      const page = await client.batches.list({ limit: largestPage, signal, ...(cursor !== undefined && { cursor }) });
      budget.spend(1);
      if (signal.aborted || connections.access !== access || this.sweep !== sweep) {
        return;
      }
      store.refresh(connection, page.items);
      await this.seeAll(connection, page.items);
      sweep.passed += page.items.length;
      sweep.cursor = page.nextCursor;
      if (page.nextCursor === undefined || page.nextCursor === cursor || page.items.length === 0 || sweep.passed >= store.items.length) {
        // An empty page that promises more says nothing about the rest of the list.
        if (page.isCut !== true && (page.items.length > 0 || page.nextCursor === undefined)) {
          this.sweptAt = sweep.begunAt;
        }
        this.sweep = undefined;
        return;
      }
    }
  }

  /** Whether a batch behind the first page may still change. */
  private hasOpenBehind(): boolean {
    return this.deps.store.items.some((batch, place) => place >= largestPage && isOpen(batch));
  }

  private async seeAll(connection: string, batches: readonly MessageBatch[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const batch of batches) {
      const submission = this.deps.registry.findByBatch(connection, batch.id);
      if (submission !== undefined) {
        found.add(submission.id);
        await this.see(submission, batch);
      }
    }
    return found;
  }
}

const nothing: Listed = { told: new Set(), cursor: undefined };

// A refresh asks for all that is listed, up to this many, and for so many pages of those behind them.
const largestPage = 100;
const pagesAtOnce = 4;

// Milliseconds.
const othersRunning = 15_000;
const idle = 60_000;

function isOpen({ processing_status: status }: MessageBatch): boolean {
  return status !== 'ended';
}

function addressOf({ name, baseUrl }: Connection): string {
  return `${name}\n${baseUrl}`;
}
