import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import type { Clock } from '../../../common/clock';
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

/** The list of the current connection's batches, as its view shows it: when it was had, and when it is its turn again. */
export class BatchListing {
  private listed: { readonly connection: string; readonly at: number } | undefined;
  /** Name and address of the connection whose service has no list of batches. */
  private unsupported: string | undefined;

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

  /** Milliseconds since the batches of the store's connection were listed; undefined when they were not. */
  listedFor(): number | undefined {
    const { store, clock } = this.deps;
    const { listed } = this;
    const isListed = listed?.connection === store.connectionName && store.isListed;
    return listed !== undefined && isListed ? clock.monotonic() - listed.at : undefined;
  }

  /** Milliseconds until it is to be listed again; `slowness` multiplies the waits. */
  waitOf({ name }: Connection, slowness: number): number {
    const { store, clock } = this.deps;
    // A connection that was left and chosen again has nothing listed any more.
    if (this.listed?.connection !== name || !store.isListed) {
      return 0;
    }
    const running = store.rows().some(row => row.kind === 'batch' && row.batch.processing_status !== 'ended');
    return this.listed.at + (running ? othersRunning : idle) * slowness - clock.monotonic();
  }

  /** Lists as much as is shown, up to a page; answers which submissions it told of. Throws what the service answered. */
  async list(current: Connection, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { store, connections, reach } = this.deps;
    if (store.connectionName !== current.name) {
      store.reset(current.name);
    }
    const { access } = connections;
    try {
      const client = await reach(current);
      const limit = Math.min(Math.max(pageSize, store.size), largestPage);
      const page = await client.batches.list({ limit, signal });
      if (connections.access !== access) {
        // Listed with another key than is used by now; the change begins a look of its own.
        return new Set();
      }
      this.listed = { connection: current.name, at: this.deps.clock.monotonic() };
      store.acceptFirstPage(current.name, page);
      return await this.seeAll(current.name, page.items);
    } catch (error) {
      if (!signal.aborted) {
        store.acceptFailure(current.name, error);
      }
      if (signal.aborted || !store.isUnsupported) {
        throw error;
      }
      // A service without batches does not get them by being asked again.
      this.unsupported = addressOf(current);
      this.deps.warn(`${current.name} has no list of batches: ${describeError(error)}`);
      return new Set();
    }
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

// A refresh asks for all that is listed, up to this many.
const largestPage = 100;

// Milliseconds.
const othersRunning = 15_000;
const idle = 60_000;

function addressOf({ name, baseUrl }: Connection): string {
  return `${name}\n${baseUrl}`;
}
