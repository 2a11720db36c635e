import type { MessageBatch } from '../../../client/resources/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import type { Clock } from '../../../common/clock';
import type { Connection, Connections } from '../../connection';
import { type Run, runOf, type Submission, type SubmissionRegistry } from '../../ledger';
import type { BatchStore } from '../batchStore';
import { nextSearchIn } from '../reconciling/searchSchedule';
import { hasRunEnded, isPending } from '../runRow';
import type { EndFetches } from './endFetches';
import type { WatchLease } from './watchLease';

export interface BatchWatcherDependencies {
  readonly connections: Pick<Connections, 'current' | 'access' | 'state' | 'find'>;
  /** Returns the client of a connection for background requests. */
  readonly reach: (connection: Connection) => Promise<ServiceClient>;
  readonly registry: Pick<SubmissionRegistry, 'all' | 'findByBatch' | 'update' | 'updateIf' | 'reload'>;
  readonly store: BatchStore;
  readonly lease: Pick<WatchLease, 'take' | 'release'>;
  readonly fetches: Pick<EndFetches, 'begin' | 'waitOf' | 'attempt'>;
  readonly catchUp: () => Promise<void>;
  readonly isVisible: () => boolean;
  readonly isFocused: () => boolean;
  /** Returns whether the workspace is trusted. Otherwise no background request is sent. */
  readonly isTrusted: () => boolean;
  /** Returns whether the connection's service is available. The emulator may be stopped. */
  readonly isReachable: (connection: Connection) => boolean;
  /** Called by the window that recorded the end of a run's last batch. */
  readonly onEnded: (run: Run) => void;
  /** Searches for the batch of an `unknown` submission and records the search. Throws service errors. */
  readonly findOut: (
    submission: Submission,
    connection: Connection,
    client: ServiceClient,
    signal: AbortSignal,
  ) => Promise<Submission | undefined>;
  readonly warn: (message: string) => void;
  readonly clock: Clock;
}

/** Records the polled state of this machine's batches, reports each end of a run once, and schedules the next poll. */
export class PolledBatches {
  /** Monotonic time of the last poll of each submission, in milliseconds. */
  private readonly polled = new Map<string, number>();
  /** Monotonic time at which each submission was started, so that changes of the wall clock have no effect. */
  private readonly started = new Map<string, number>();
  /** Submissions that don't exist on the connection's service, because its address is new or it is the emulator of another workspace. */
  private readonly elsewhere = new Set<string>();
  private readonly confirmed = new Set<string>();
  /** Submissions whose batch was not found, with the time of the first failure. The key may lack access to it. */
  private readonly missing = new Map<string, number>();

  constructor(private readonly deps: BatchWatcherDependencies) {}

  forgetFailures(): void {
    this.elsewhere.clear();
    this.missing.clear();
  }

  /** Returns whether the submission does not exist on the service that its connection now leads to. */
  isElsewhere({ id }: Submission): boolean {
    return this.elsewhere.has(id);
  }

  /** Returns the delay until the next poll in milliseconds. `undefined` if no poll is needed. */
  delayOf(submission: Submission): number | undefined {
    const { clock, fetches } = this.deps;
    const missingSince = this.missing.get(submission.id) ?? Number.NEGATIVE_INFINITY;
    return isPending(submission)
      ? Math.max(this.pollWait(submission), missingSince + whileMissing - clock.monotonic())
      : (nextSearchIn(submission, clock.now()) ?? fetches.waitOf(submission));
  }

  polledAt({ id }: Submission): number {
    return this.polled.get(id) ?? Number.NEGATIVE_INFINITY;
  }

  /** Records a polled batch and reports the end of its run once. */
  async record(submission: Submission, batch: MessageBatch): Promise<void> {
    const { registry, store } = this.deps;
    this.polled.set(submission.id, this.deps.clock.monotonic());
    this.confirmed.add(submission.id);
    this.missing.delete(submission.id);
    const ended = batch.processing_status === 'ended' && submission.batch?.processing_status !== 'ended';
    if (!ended && submission.deleted !== true && JSON.stringify(submission.batch) === JSON.stringify(batch)) {
      return;
    }
    // A key without access to the batch may have marked it as deleted.
    const change = { batch, deleted: undefined };
    store.put(submission.connection, batch);
    if (!ended) {
      await registry.update(submission.id, change);
      return;
    }
    const last = { ...change, isEndSeen: false, ...this.deps.fetches.begin() };
    const updated = await registry.updateIf(submission.id, last, stored => stored.batch?.processing_status !== 'ended');
    // Otherwise another window detected the end first and reports it.
    if (updated !== undefined) {
      await this.reportEnd(updated);
    }
  }

  /** Polls one submission. Throws service errors. */
  async poll(submission: Submission, connection: Connection, client: ServiceClient, signal: AbortSignal): Promise<void> {
    if (submission.batchId === undefined || submission.state === 'unknown') {
      const found = await this.deps.findOut(submission, connection, client, signal);
      if (found?.batch !== undefined && found.state === 'created') {
        // A batch that is found late is reported like a polled batch.
        await this.record({ ...found, batch: undefined }, found.batch);
      }
      return;
    }
    this.polled.set(submission.id, this.deps.clock.monotonic());
    try {
      const { data } = await client.batches.retrieve(submission.batchId, { signal });
      await this.record(submission, data);
    } catch (error) {
      if (!(error instanceof ServiceError && error.kind === 'not_found')) {
        throw error;
      }
      // A 404 of another service, or of the emulator of another workspace, proves nothing.
      const isOther = connection.isEmulator ? !this.confirmed.has(submission.id) : new URL(client.baseUrl).origin !== submission.origin;
      if (isOther) {
        this.elsewhere.add(submission.id);
      } else if (this.isGone(submission)) {
        await this.deps.registry.update(submission.id, { deleted: true });
      }
    }
  }

  private async reportEnd(submission: Submission): Promise<void> {
    const { registry } = this.deps;
    if (submission.group !== undefined) {
      // Another window may have recorded the end of another part.
      await registry.reload();
    }
    const run = runOf(registry.all(), submission);
    if (run !== undefined && hasRunEnded(run)) {
      this.deps.onEnded(run);
    }
  }

  /** Returns whether the batch was missing in two polls that were far enough apart. */
  private isGone({ id }: Submission): boolean {
    const now = this.deps.clock.monotonic();
    const since = this.missing.get(id);
    if (since === undefined) {
      this.missing.set(id, now);
    }
    return since !== undefined && now - since >= whileMissing;
  }

  /** Returns the delay until the next poll in milliseconds. The interval is a tenth of the time since the submission, within bounds. */
  private pollWait({ id, startedAt }: Submission): number {
    const { clock } = this.deps;
    const last = this.polled.get(id);
    const now = clock.monotonic();
    let started = this.started.get(id);
    if (started === undefined) {
      const elapsed = clock.now() - Date.parse(startedAt);
      started = now - (elapsed > 0 ? elapsed : 0);
      this.started.set(id, started);
    }
    const every = Math.min(Math.max((now - started) / 10, quickest), slowest);
    return last === undefined ? 0 : Math.max(last + every - now, 0);
  }
}

/** Minimum time between two polls that don't find a batch, so that it counts as deleted, in milliseconds. */
const whileMissing = 300_000;

// Bounds of the poll interval in milliseconds.
const quickest = 2_000;
const slowest = 60_000;
