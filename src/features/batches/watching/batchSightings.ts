import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import type { Clock } from '../../../common/clock';
import type { Connection } from '../../connection';
import { type Run, runOf, type Submission, SubmissionMovedOnError, type SubmissionRegistry } from '../../ledger';
import type { BatchStore } from '../batchStore';
import { nextLookIn } from '../reconciling/lookSchedule';
import type { EndFetches } from './endFetches';
import { Pace } from './pace';
import { endMarkerOf, hasRunEnded, isPending } from './runSummary';

export interface BatchSightingsDependencies {
  readonly registry: Pick<SubmissionRegistry, 'all' | 'update' | 'reload' | 'claimEndNotification'>;
  readonly store: BatchStore;
  /** Fetches results that nobody asked for. */
  readonly fetches: Pick<EndFetches, 'begin' | 'waitOf'>;
  /** Called once per run, over all windows and reloads, when all its batches have ended. */
  readonly onEnded: (run: Run) => void;
  /** Looks for the batch of a submission of which no verdict came back, and writes down that it did. Throws what the service answered. */
  readonly findOut: (
    submission: Submission,
    connection: Connection,
    client: ServiceClient,
    signal: AbortSignal,
  ) => Promise<Submission | undefined>;
  readonly clock: Clock;
}

/** What was seen of the batches that were submitted from this machine: written down, told once when a run has ended, and when to look again. */
export class BatchSightings {
  private readonly pace: Pace;
  /** Submissions that are not known where their connection leads now: another address, or the emulator of another workspace. */
  private readonly elsewhere = new Set<string>();
  private readonly met = new Set<string>();
  /** Submissions whose batch was not found, and when first: another key may not see what runs. */
  private readonly missing = new Map<string, number>();

  constructor(private readonly deps: BatchSightingsDependencies) {
    this.pace = new Pace(deps.clock);
  }

  /** Connections, keys or services may be others now. */
  forgetFailures(): void {
    this.elsewhere.clear();
    this.missing.clear();
  }

  /** Whether its connection leads somewhere now where it is not known. */
  isElsewhere({ id }: Submission): boolean {
    return this.elsewhere.has(id);
  }

  /** Milliseconds until it is to be asked about, `slowness` multiplies the waits; undefined when it is not. */
  turnOf(submission: Submission, slowness: number): number | undefined {
    const { clock, fetches } = this.deps;
    return isPending(submission)
      ? Math.max(this.pace.waitOf(submission.id, submission.startedAt, slowness), this.missingWait(submission.id))
      : (nextLookIn(submission, clock.now()) ?? fetches.waitOf(submission));
  }

  /** When it was last seen or asked about, monotonic milliseconds. */
  askedAt({ id }: Submission): number {
    return this.pace.askedAt(id);
  }

  /** Writes down a batch of ours as just seen, and tells once that its run has ended. */
  async see(submission: Submission, batch: MessageBatch): Promise<void> {
    const { registry, store } = this.deps;
    this.pace.note(submission.id);
    this.met.add(submission.id);
    this.missing.delete(submission.id);
    const ended = batch.processing_status === 'ended' && submission.batch?.processing_status !== 'ended';
    if (!ended && submission.deleted !== true && isSame(submission.batch, batch)) {
      return;
    }
    // Another key may not have found it.
    const there = submission.deleted === true ? { batch, deleted: undefined } : { batch };
    store.put(submission.connection, batch);
    if (!ended) {
      await registry.update(submission.id, there);
      return;
    }
    try {
      const seen = await registry.update(
        submission.id,
        { ...there, isEndSeen: false, ...this.deps.fetches.begin() },
        { onlyIf: isNotEnded },
      );
      await this.tellEnd(seen);
    } catch (error) {
      // Another window saw the end first, and is at what follows from it.
      if (!(error instanceof SubmissionMovedOnError)) {
        throw error;
      }
    }
  }

  /** Asks the service of its connection about one submission, and sees what it answers. Throws what the service answered. */
  async ask(submission: Submission, connection: Connection, client: ServiceClient, signal: AbortSignal): Promise<void> {
    if (submission.batchId === undefined || submission.state === 'unknown') {
      const found = await this.deps.findOut(submission, connection, client, signal);
      if (found?.batch !== undefined && found.state === 'created') {
        // What was not watched until now is told like what was.
        await this.see({ ...found, batch: undefined }, found.batch);
      }
      return;
    }
    this.pace.note(submission.id);
    try {
      const { data } = await client.batches.retrieve(submission.batchId, { signal });
      await this.see(submission, data);
    } catch (error) {
      if (!(error instanceof ServiceError && error.kind === 'not_found')) {
        throw error;
      }
      // Another service, or an emulator of another workspace, says nothing about it.
      const isOther = connection.isEmulator ? !this.met.has(submission.id) : new URL(client.baseUrl).origin !== submission.origin;
      if (isOther) {
        this.elsewhere.add(submission.id);
      } else if (this.isGone(submission)) {
        await this.deps.registry.update(submission.id, { deleted: true });
      }
    }
  }

  private async tellEnd(submission: Submission): Promise<void> {
    const { registry } = this.deps;
    if (submission.group !== undefined) {
      // Another window may have seen another part end.
      await registry.reload();
    }
    const run = runOf(registry.all(), submission);
    if (run !== undefined && hasRunEnded(run) && (await registry.claimEndNotification(endMarkerOf(run)))) {
      this.deps.onEnded(run);
    }
  }

  /** Whether it was not found at two looks apart: only what has ended can be deleted, and it was not seen to end. */
  private isGone({ id }: Submission): boolean {
    const now = this.deps.clock.monotonic();
    const since = this.missing.get(id);
    if (since === undefined) {
      this.missing.set(id, now);
    }
    return since !== undefined && now - since >= whileMissing;
  }

  private missingWait(id: string): number {
    const since = this.missing.get(id);
    return since === undefined ? 0 : since + whileMissing - this.deps.clock.monotonic();
  }
}

/** Milliseconds between the two looks after which a batch that is not found is gone. */
const whileMissing = 300_000;

function isNotEnded({ batch }: Submission): boolean {
  return batch?.processing_status !== 'ended';
}

function isSame(a: MessageBatch | undefined, b: MessageBatch): boolean {
  return a !== undefined && JSON.stringify(a) === JSON.stringify(b);
}
