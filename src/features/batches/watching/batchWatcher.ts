import type { MessageBatch } from '../../../client/schemas/messageBatches';
import { ServiceError } from '../../../client/transport/errors';
import { describeError } from '../../../common/text/describeError';
import type { Connection, Connections } from '../../connection';
import type { Submission, SubmissionRegistry } from '../../ledger';
import { BatchListing, type BatchListingDependencies } from './batchListing';
import { BatchSightings, type BatchSightingsDependencies } from './batchSightings';
import { ConnectionWaits } from './connectionWaits';
import type { EndFetches } from './endFetches';
import { isPending } from './runSummary';
import type { WatchLease } from './watchLease';

export interface BatchWatcherDependencies extends BatchListingDependencies, BatchSightingsDependencies {
  readonly connections: Pick<Connections, 'current' | 'access' | 'state' | 'find'>;
  readonly registry: Pick<SubmissionRegistry, 'all' | 'findByBatch' | 'update' | 'reload' | 'claimEndNotification'>;
  readonly lease: Pick<WatchLease, 'take' | 'release' | 'tellFocus' | 'isSomeFocused'>;
  /** Reads what other windows wrote since. */
  readonly catchUp: () => Promise<void>;
  /** Whether the view is on screen. */
  readonly isVisible: () => boolean;
  /** Whether the window has the focus. */
  readonly isFocused: () => boolean;
  /** Whether the workspace is trusted; from any other nothing leaves without an explicit act. */
  readonly isTrusted: () => boolean;
  /** Whether the connection's service is there without starting it (the emulator may be stopped). */
  readonly isReachable: (connection: Connection) => boolean;
  readonly fetches: Pick<EndFetches, 'begin' | 'waitOf' | 'again'>;
}

/**
 * Looks after batches. Of all windows the one that holds the lease asks about those submitted from this machine until they have
 * ended; the others learn it from the ledger. Each window lists the current connection's for itself while its view is visible, and
 * asks its own emulator. Every batch has its own pace and every connection its own waits after a failure. Failures are never shown
 * from here; the store keeps those of the listing.
 */
export class BatchWatcher {
  private readonly waits: ConnectionWaits;
  private readonly sightings: BatchSightings;
  private readonly listing: BatchListing;
  private isAsked = false;

  /** `patience`: how many milliseconds a round waits for a service before it goes on with the others. */
  constructor(
    private readonly deps: BatchWatcherDependencies,
    private readonly patience = 10_000,
  ) {
    this.waits = new ConnectionWaits(deps.clock, patience);
    this.sightings = new BatchSightings(deps);
    this.listing = new BatchListing(deps, (submission, batch) => this.see(submission, batch));
  }

  /** One round; answers the milliseconds to the next, or undefined when there is nothing to look after. */
  async look(signal: AbortSignal): Promise<number | undefined> {
    const { lease } = this.deps;
    const isAsked = this.isAsked;
    this.isAsked = false;
    await this.deps.catchUp();
    if (!this.deps.isTrusted()) {
      await lease.release();
      return undefined;
    }
    const round = await this.plan(isAsked);
    const connections = new Set(round.mine.map(({ connection }) => connection));
    if (round.listing !== undefined) {
      connections.add(round.listing.name);
    }
    const asking = [...connections].filter(name => this.waits.waitOf(name) <= 0).map(name => this.ask(name, round, signal));
    await inTime(asking, this.patience);
    return signal.aborted ? undefined : this.nextDelay(round);
  }

  /** Lets the next look ask at once about everything, also from a window without the lease, because the user asked for it. */
  askNow(): void {
    this.isAsked = true;
    this.forgetFailures();
  }

  /** Lets the next look go ahead, because connections, keys or services changed. */
  forgetFailures(): void {
    this.waits.forgetFailures();
    this.sightings.forgetFailures();
    this.listing.forgetFailures();
  }

  /** Whether what becomes of a submission is told to this window, by its service or through the ledger. */
  isWatched(submission: Submission): boolean {
    const connection = this.deps.connections.find(submission.connection);
    return connection !== undefined && this.deps.isReachable(connection) && !this.sightings.isElsewhere(submission);
  }

  /** Milliseconds since the batches of the store's connection were listed; undefined when they were not. */
  listedFor(): number | undefined {
    return this.listing.listedFor();
  }

  /** Writes down a batch of ours as just seen, and tells once that its run has ended. */
  see(submission: Submission, batch: MessageBatch): Promise<void> {
    return this.sightings.see(submission, batch);
  }

  private async plan(isAsked: boolean): Promise<Round> {
    const { registry, lease, connections } = this.deps;
    const wanted = registry.all().filter(one => this.sightings.turnOf(one, 1) !== undefined && this.isWatched(one));
    const isOwn = ({ connection }: Submission) => connections.find(connection)?.isEmulator === true;
    const shared = wanted.filter(one => !isOwn(one));
    const leads = shared.length > 0 && (await lease.take());
    if (shared.length === 0) {
      await lease.release();
    }
    const isFocused = this.deps.isFocused();
    await lease.tellFocus(isFocused && shared.length > 0);
    const slowness = isFocused || (leads && (await lease.isSomeFocused())) ? 1 : withoutFocus;
    const current = connections.state === 'ready' ? connections.current : undefined;
    const isListed = current !== undefined && this.deps.isVisible() && this.deps.isReachable(current) && this.listing.isServedBy(current);
    return {
      isAsked,
      slowness,
      mine: wanted.filter(one => isAsked || leads || isOwn(one)),
      follows: shared.length > 0 && !leads,
      listing: isListed ? current : undefined,
    };
  }

  /** Asks one service for whatever is due there. Never rejects. */
  private async ask(name: string, round: Round, signal: AbortSignal): Promise<void> {
    try {
      await this.waits.during(name, () => this.askDue(name, round, signal));
    } catch (error) {
      if (!signal.aborted) {
        this.deps.warn(`Batches of ${name} could not be looked at: ${describeError(error)}`);
        this.waits.failed(name, error);
      }
    }
  }

  private async askDue(name: string, round: Round, signal: AbortSignal): Promise<void> {
    // What has no batch comes last: a list that cannot be had must not keep the others from their turn.
    const mine = round.mine
      .filter(one => one.connection === name && (round.isAsked || (this.sightings.turnOf(one, round.slowness) ?? 0) <= together))
      .sort((a, b) => Number(isPending(b)) - Number(isPending(a)));
    const { listing } = round;
    const isDue = listing?.name === name && (round.isAsked || this.listing.waitOf(listing, round.slowness) <= 0 || mine.some(isPending));
    const listed = isDue ? await this.listing.list(listing, signal) : undefined;
    for (const submission of mine) {
      if (signal.aborted) {
        return;
      }
      const connection = this.deps.connections.find(submission.connection);
      if (this.deps.fetches.waitOf(submission) !== undefined) {
        // Not awaited: large results take long.
        void this.fetchAgain(submission);
      } else if (connection !== undefined && !listed?.has(submission.id)) {
        await this.sightings.ask(submission, connection, await this.deps.reach(connection), signal);
      }
    }
  }

  /** Fetches the results of a run again when it is their turn. Never rejects. */
  private async fetchAgain(submission: Submission): Promise<void> {
    const { fetches, warn } = this.deps;
    if ((fetches.waitOf(submission) ?? Number.POSITIVE_INFINITY) > together) {
      return;
    }
    try {
      const error = await fetches.again(submission);
      if (error instanceof ServiceError) {
        this.waits.failed(submission.connection, error);
      }
    } catch (error) {
      warn(`Results could not be fetched again: ${describeError(error)}`);
    }
  }

  private nextDelay({ mine, listing, slowness, follows }: Round): number | undefined {
    const { waits } = this;
    const delays = follows ? [leaseCheck] : [];
    const now = new Map(this.deps.registry.all().map(one => [one.id, one]));
    for (const { id } of mine) {
      const one = now.get(id);
      const turn = one && this.sightings.turnOf(one, slowness);
      if (one !== undefined && turn !== undefined && this.isWatched(one)) {
        delays.push(Math.max(turn, waits.waitOf(one.connection)));
      }
    }
    if (listing !== undefined && this.listing.isServedBy(listing)) {
      delays.push(Math.max(this.listing.waitOf(listing, slowness), waits.waitOf(listing.name)));
    }
    return delays.length === 0 ? undefined : Math.max(Math.min(...delays), soonest);
  }
}

interface Round {
  /** The user wants it now. */
  readonly isAsked: boolean;
  /** What the waits are multiplied by. */
  readonly slowness: number;
  /** Submissions that this window asks about. */
  readonly mine: readonly Submission[];
  /** Whether another window asks about some. */
  readonly follows: boolean;
  /** The connection whose batches are on screen. */
  readonly listing: Connection | undefined;
}

// Milliseconds.
const soonest = 100;
const leaseCheck = 5_000;
/** Batches whose turn comes this soon are asked about together. */
const together = 500;
/** What the waits are multiplied by while no window has the focus. */
const withoutFocus = 3;

/** Settles when all have, or when one takes too long for the others. */
async function inTime(asking: readonly Promise<void>[], patience: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<void>(resolve => {
    timer = setTimeout(resolve, patience).unref();
  });
  await Promise.race([Promise.all(asking), waited]);
  clearTimeout(timer);
}
