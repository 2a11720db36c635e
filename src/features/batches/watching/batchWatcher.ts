import { ServiceError } from '../../../client/errors';
import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import { BackOff } from '../../../common/backOff';
import type { Clock } from '../../../common/clock';
import { describeError } from '../../../common/describeError';
import type { Connection, Connections } from '../../connection/connection';
import type { BatchStore } from '../batchStore';
import type { Submission } from '../ledger/submission';
import type { SubmissionRegistry } from '../ledger/submissionRegistry';

export interface BatchWatcherDependencies {
  readonly connections: Pick<Connections, 'current' | 'state' | 'find' | 'client'>;
  readonly registry: Pick<SubmissionRegistry, 'all' | 'findByBatch' | 'update' | 'reload' | 'claimEndNotification'>;
  readonly store: BatchStore;
  /** Whether the view is on screen. */
  readonly isVisible: () => boolean;
  /** Whether the window has the focus. */
  readonly isFocused: () => boolean;
  /** Whether the workspace is trusted; from any other nothing leaves without an explicit act. */
  readonly isTrusted: () => boolean;
  /** Whether the connection's service is there without starting it (the emulator may be stopped). */
  readonly isReachable: (connection: Connection) => boolean;
  /** Called once per submission, over all windows and reloads, when its batch has ended. */
  readonly onEnded: (submission: Submission, batch: MessageBatch) => void;
  readonly warn: (message: string) => void;
  readonly clock: Clock;
}

/**
 * Looks after batches: lists the current connection's while the view is visible, and retrieves those submitted from this
 * machine until they have ended. Quick after a submission, slower later, slower still without focus, and after a failure
 * not before the service wants it. Failures are never shown from here; the store keeps them.
 */
export class BatchWatcher {
  private readonly backOff: BackOff;

  constructor(private readonly deps: BatchWatcherDependencies) {
    this.backOff = new BackOff(deps.clock, quickest);
  }

  /** One round; answers the milliseconds to the next, or undefined when there is nothing to look after. */
  async look(signal: AbortSignal): Promise<number | undefined> {
    const { registry, connections } = this.deps;
    if (!this.deps.isTrusted()) {
      return undefined;
    }
    const { wait } = this.backOff;
    if (wait > 0) {
      return wait;
    }
    await registry.reload();
    const listed = new Set<string>();
    let problem: unknown;
    const current = connections.state === 'ready' ? connections.current : undefined;
    const listing = current !== undefined && this.deps.isVisible() && this.deps.isReachable(current);
    if (listing) {
      problem = await this.list(current, listed, signal);
    }
    for (const submission of this.pending()) {
      if (!listed.has(`${submission.connection}\n${submission.batchId}`) && !signal.aborted) {
        problem = (await this.retrieve(submission, signal)) ?? problem;
      }
    }
    return signal.aborted ? undefined : this.nextDelay(listing, problem);
  }

  private async list(current: Connection, listed: Set<string>, signal: AbortSignal): Promise<unknown> {
    const { store, connections } = this.deps;
    if (store.connectionName !== current.name) {
      store.reset(current.name);
    }
    try {
      const client = await connections.client(current);
      const limit = Math.min(Math.max(pageSize, store.size), largestPage);
      const page = await client.batches.list({ limit, signal });
      store.acceptFirstPage(current.name, page);
      for (const batch of page.items) {
        const submission = this.deps.registry.findByBatch(current.name, batch.id);
        if (submission !== undefined) {
          listed.add(`${current.name}\n${batch.id}`);
          await this.see(submission, batch);
        }
      }
      return undefined;
    } catch (error) {
      if (!signal.aborted) {
        store.acceptFailure(current.name, error);
        this.deps.warn(`Batches of ${current.name} could not be listed: ${describeError(error)}`);
      }
      return error;
    }
  }

  private pending(): readonly Submission[] {
    return this.deps.registry
      .all()
      .filter(
        ({ state, batchId, deleted, batch }) =>
          state === 'created' && batchId !== undefined && !deleted && batch?.processing_status !== 'ended',
      );
  }

  private async retrieve(submission: Submission, signal: AbortSignal): Promise<unknown> {
    const connection = this.deps.connections.find(submission.connection);
    if (connection === undefined || submission.batchId === undefined || !this.deps.isReachable(connection)) {
      return undefined;
    }
    let client: ServiceClient;
    try {
      client = await this.deps.connections.client(connection);
      const { data } = await client.batches.retrieve(submission.batchId, { signal });
      await this.see(submission, data);
      return undefined;
    } catch (error) {
      if (error instanceof ServiceError && error.kind === 'not_found') {
        await this.deps.registry.update(submission.id, { deleted: true });
        return undefined;
      }
      if (!signal.aborted) {
        this.deps.warn(`Batch ${submission.batchId} could not be retrieved: ${describeError(error)}`);
      }
      return error;
    }
  }

  /** Lets the next look go ahead at once, because the user asked for it. */
  forgetWait(): void {
    this.backOff.forgetWait();
  }

  /** Writes down a batch of ours as just seen, and tells once that it has ended. */
  async see(submission: Submission, batch: MessageBatch): Promise<void> {
    const { registry, store } = this.deps;
    const ended = batch.processing_status === 'ended' && submission.batch?.processing_status !== 'ended';
    if (ended || !isSame(submission.batch, batch)) {
      const first = ended && (await registry.claimEndNotification(submission.id));
      const seen = await registry.update(submission.id, { batch });
      store.put(submission.connection, batch);
      if (first) {
        this.deps.onEnded(seen, batch);
      }
    }
  }

  private nextDelay(listing: boolean, problem: unknown): number | undefined {
    const { store } = this.deps;
    const pending = this.pending().filter(({ connection }) => {
      const found = this.deps.connections.find(connection);
      return found !== undefined && this.deps.isReachable(found);
    });
    if (!listing && pending.length === 0) {
      this.backOff.succeeded();
      return undefined;
    }
    if (problem !== undefined) {
      return this.backOff.failed(problem);
    }
    this.backOff.succeeded();
    const running = store.rows().some(row => row.kind === 'batch' && row.batch.processing_status !== 'ended');
    const delay = pending.length > 0 ? Math.min(...pending.map(submission => this.delayFor(submission))) : running ? othersRunning : idle;
    return this.deps.isFocused() ? delay : delay * withoutFocus;
  }

  /** A tenth of the time since the submission, within bounds: soon after it, seldom a day later. */
  private delayFor({ startedAt }: Submission): number {
    const elapsed = this.deps.clock.now() - Date.parse(startedAt);
    return Math.min(Math.max(Number.isFinite(elapsed) ? elapsed / 10 : 0, quickest), slowest);
  }
}

/** Batches asked for at a time. */
export const pageSize = 20;
// A refresh asks for all that is listed, up to this many.
const largestPage = 100;

// Milliseconds.
const quickest = 2_000;
const slowest = 60_000;
const othersRunning = 15_000;
const idle = 60_000;
const withoutFocus = 3;

function isSame(a: MessageBatch | undefined, b: MessageBatch): boolean {
  return a !== undefined && JSON.stringify(a) === JSON.stringify(b);
}
