import type { MessageBatch } from '../../../client/resources/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import type { Page } from '../../../client/transport/callResult';
import { ServiceError } from '../../../client/transport/errors';
import type { RequestBudget } from '../../../common/lists/requestBudget';
import { describeError } from '../../../common/text/describeError';
import type { Connection } from '../../connection';
import type { Submission } from '../../ledger';
import { pageSize } from '../batchStore';
import type { BatchWatcherDependencies, PolledBatches } from './polledBatches';

/** Polls the batch list of the view's connection. */
export class BatchListing {
  private listed: { readonly connection: string; readonly at: number } | undefined;
  /** Name and address of the connection whose service doesn't list batches. */
  private unsupported: string | undefined;
  /** Connections whose later pages can't be read. */
  private readonly refused = new Set<string>();
  /** Time of the last listing that included all later pages that could change, or of the first listing. */
  private completeAt = Number.POSITIVE_INFINITY;

  constructor(
    private readonly deps: BatchWatcherDependencies,
    private readonly polled: PolledBatches,
  ) {}

  isServedBy(connection: Connection): boolean {
    return this.unsupported !== addressOf(connection);
  }

  forgetFailures(): void {
    this.unsupported = undefined;
    this.refused.clear();
  }

  /** Returns the age of the shown list in milliseconds. If batches on later pages may change, counts from the last complete listing. */
  listedFor(): number | undefined {
    const { store, clock } = this.deps;
    const { listed } = this;
    const isListed = listed?.connection === store.scope && store.isListed;
    return listed !== undefined && isListed
      ? clock.monotonic() - (this.hasOpenFrom(largestPage) ? Math.min(listed.at, this.completeAt) : listed.at)
      : undefined;
  }

  /** Returns the delay until the next listing in milliseconds. It is longer while this window isn't focused. */
  waitOf({ name }: Connection): number {
    const { store, clock, isFocused } = this.deps;
    // Switching connections clears the list.
    if (this.listed?.connection !== name || !store.isListed) {
      return 0;
    }
    const running = store.items.some(isOpen);
    return this.listed.at + (running ? othersRunning : idle) * (isFocused() ? 1 : withoutFocus) - clock.monotonic();
  }

  /** Lists as many batches as are shown, up to one page, and later pages while their batches may change. Throws service errors. */
  async list(current: Connection, budget: RequestBudget, signal: AbortSignal) {
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
        // The key changed during the request. The change triggers another poll.
        return nothing;
      }
      const at = this.deps.clock.monotonic();
      if (this.listed?.connection !== current.name || !store.isListed) {
        this.completeAt = at;
      }
      this.listed = { connection: current.name, at };
      store.acceptFirstPage(current.name, page);
      const found = await this.recordAll(current.name, page.items);
      if (await this.readLater(client, current.name, page, budget, signal)) {
        this.completeAt = at;
      }
      return { found, cursor: page.nextCursor };
    } catch (error) {
      if (!signal.aborted) {
        store.acceptFailure(current.name, error);
      }
      if (signal.aborted || !store.isUnsupported) {
        throw error;
      }
      // Asking again is useless if the service has no batches.
      this.unsupported = addressOf(current);
      this.deps.warn(`${current.name} does not list batches: ${describeError(error)}`);
      return nothing;
    }
  }

  /**
   * Polls many submissions by list pages, within the budget, while each page has several of them. Returns the IDs of the batches found
   * before the list ended or failed. Throws errors that don't concern the list.
   */
  async find(
    connection: Connection,
    submissions: readonly Submission[],
    cursor: string | undefined,
    budget: RequestBudget,
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    const { name } = connection;
    const found = new Set<string>();
    const remaining = new Set(submissions.map(({ id }) => id));
    let next = cursor;
    let isWorth = !this.refused.has(name);
    while (isWorth && remaining.size >= pagedFrom && budget.left > 0 && !signal.aborted) {
      const before = remaining.size;
      try {
        const client = await this.deps.reach(connection);
        budget.spend(1);
        const page = await client.batches.list({ limit: largestPage, signal, cursor: next });
        for (const id of await this.recordAll(name, page.items)) {
          found.add(id);
          remaining.delete(id);
        }
        next = page.nextCursor;
        isWorth = next !== undefined && before - remaining.size >= minFound;
      } catch (error) {
        if (!(error instanceof ServiceError) || !listErrorKinds.has(error.kind)) {
          throw error;
        }
        this.refused.add(name);
        this.deps.warn(`Batches of ${name} are polled one by one: ${describeError(error)}`);
        return found;
      }
    }
    return found;
  }

  /** Reads later pages again, within the budget, while batches on them may change. Returns whether all of these batches were read. */
  private async readLater(
    client: ServiceClient,
    connection: string,
    first: Page<MessageBatch>,
    budget: RequestBudget,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { store, connections } = this.deps;
    const { access } = connections;
    let page = first;
    let passed = first.items.length;
    while (page.nextCursor !== undefined && this.hasOpenFrom(passed)) {
      // The rest of the budget is for the batches of this machine.
      if (budget.left < pagedFrom) {
        return false;
      }
      budget.spend(1);
      page = await client.batches.list({ limit: largestPage, signal, cursor: page.nextCursor });
      if (signal.aborted || connections.access !== access || page.items.length === 0) {
        return false;
      }
      store.refresh(connection, page.items);
      await this.recordAll(connection, page.items);
      passed += page.items.length;
    }
    return page.isCut !== true;
  }

  private hasOpenFrom(position: number): boolean {
    return this.deps.store.items.some((batch, index) => index >= position && isOpen(batch));
  }

  private async recordAll(connection: string, batches: readonly MessageBatch[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const batch of batches) {
      const submission = this.deps.registry.findByBatch(connection, batch.id);
      if (submission !== undefined) {
        found.add(submission.id);
        await this.polled.record(submission, batch);
      }
    }
    return found;
  }
}

const nothing = { found: new Set<string>(), cursor: undefined };

/** Maximum batches per page. */
const largestPage = 100;
/** Minimum number of due batches for which list pages are read instead of single batches. */
export const pagedFrom = 10;
/** Minimum number of wanted batches on a page for which the next page is read. */
const minFound = 2;

/** Error kinds that concern the list, not the service. */
const listErrorKinds: ReadonlySet<string> = new Set(['not_found', 'invalid_request', 'permission', 'other_status', 'mismatch']);

// Intervals in milliseconds, and the factor for a window without focus.
const othersRunning = 15_000;
const idle = 60_000;
const withoutFocus = 3;

function isOpen({ processing_status: status }: MessageBatch): boolean {
  return status !== 'ended';
}

function addressOf({ name, baseUrl }: Connection): string {
  return `${name}\n${baseUrl}`;
}
