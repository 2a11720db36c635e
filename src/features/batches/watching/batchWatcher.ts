import { ServiceError } from '../../../client/transport/errors';
import type { Clock } from '../../../common/clock';
import { BackOff } from '../../../common/lists/backOff';
import { RequestBudget } from '../../../common/lists/requestBudget';
import { settlesWithin } from '../../../common/settlesWithin';
import { describeError } from '../../../common/text/describeError';
import type { Connection } from '../../connection';
import type { Submission } from '../../ledger';
import { isPending } from '../runRow';
import { BatchListing, pagedFrom } from './batchListing';
import { type BatchWatcherDependencies, PolledBatches } from './polledBatches';

/**
 * Polls batches. The window with the lease polls the batches of this machine. Other windows read the states from the ledger. Each window
 * lists the current connection while its view is visible, and polls its own emulator. Each batch has its own interval, and each connection
 * its own back-off. Background requests stay within a budget per minute and connection. Many due batches are read from list pages. A few
 * due batches are read one by one. Visible batches come first, then the batches that waited longest. Logs failures. Listing failures are
 * also in the store.
 */
export class BatchWatcher {
  private readonly polled: PolledBatches;
  private readonly listing: BatchListing;
  /** Keyed by connection name. */
  private readonly turns = new Map<string, ConnectionTurns>();
  private isAsked = false;

  /** `patience` is the time in milliseconds that a round waits for one service before it continues. */
  constructor(
    private readonly deps: BatchWatcherDependencies,
    private readonly patience = 10_000,
  ) {
    this.polled = new PolledBatches(deps);
    this.listing = new BatchListing(deps, this.polled);
  }

  /** Runs one round. Returns the delay until the next poll in milliseconds, or `undefined` if nothing needs polling. */
  async poll(signal: AbortSignal): Promise<number | undefined> {
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
    const polls = [...connections].filter(name => this.turnsOf(name).wait <= 0).map(name => this.pollConnection(name, round, signal));
    await settlesWithin(Promise.all(polls), this.patience);
    return signal.aborted ? undefined : this.nextDelay(round);
  }

  /** Makes the next poll refresh everything immediately, even without the lease: the user asked for it. */
  pollNow(): void {
    this.isAsked = true;
    this.forgetFailures();
  }

  /** Resets back-offs after connections, keys or services changed. */
  forgetFailures(): void {
    for (const turns of this.turns.values()) {
      turns.forgetFailures();
    }
    this.polled.forgetFailures();
    this.listing.forgetFailures();
  }

  /** Returns whether this window receives the outcome of a submission from its service or the ledger. */
  isWatched(submission: Submission): boolean {
    const connection = this.deps.connections.find(submission.connection);
    return connection !== undefined && this.deps.isReachable(connection) && !this.polled.isElsewhere(submission);
  }

  listedFor(): number | undefined {
    return this.listing.listedFor();
  }

  private async plan(isAsked: boolean): Promise<Round> {
    const { registry, lease, connections } = this.deps;
    const wanted = registry.all().filter(one => this.polled.delayOf(one) !== undefined && this.isWatched(one));
    const isOwn = ({ connection }: Submission) => connections.find(connection)?.isEmulator === true;
    const shared = wanted.filter(one => !isOwn(one));
    const leads = shared.length > 0 && (await lease.take());
    if (shared.length === 0) {
      await lease.release();
    }
    const current = connections.state === 'ready' ? connections.current : undefined;
    const isListed = current !== undefined && this.deps.isVisible() && this.deps.isReachable(current) && this.listing.isServedBy(current);
    return {
      isAsked,
      mine: wanted.filter(one => isAsked || leads || isOwn(one)),
      follows: shared.length > 0 && !leads,
      listing: isListed ? current : undefined,
    };
  }

  /** Polls everything that is due on one connection. Never rejects. */
  private async pollConnection(name: string, round: Round, signal: AbortSignal): Promise<void> {
    try {
      await this.turnsOf(name).during(() => this.pollDue(name, round, signal));
    } catch (error) {
      if (!signal.aborted) {
        this.deps.warn(`Batches of ${name} could not be polled: ${describeError(error)}`);
        this.turnsOf(name).failed(error);
      }
    }
  }

  private async pollDue(name: string, round: Round, signal: AbortSignal): Promise<void> {
    const { budget } = this.turnsOf(name);
    const due = round.mine.filter(one => one.connection === name && (round.isAsked || (this.polled.delayOf(one) ?? 0) <= togetherMs));
    const { listing } = round;
    const isDue =
      listing?.name === name &&
      (round.isAsked || budget.left > 0) &&
      (round.isAsked || this.listing.waitOf(listing) <= 0 || due.some(isPending));
    const listed = isDue ? await this.listing.list(listing, budget, signal) : undefined;
    const remaining = due.filter(({ id }) => listed?.found.has(id) !== true);
    const current = this.deps.connections.find(name);
    const paged = current && (await this.listing.find(current, remaining.filter(isPending), listed?.cursor, budget, signal));
    let requestsLeft = round.isAsked ? requestsPerMinute : budget.left;
    for (const submission of this.inPollOrder(remaining.filter(({ id }) => paged?.has(id) !== true))) {
      if (signal.aborted) {
        return;
      }
      const connection = this.deps.connections.find(submission.connection);
      if (this.deps.fetches.waitOf(submission) !== undefined) {
        // Not awaited, because fetching large results can take long.
        void this.fetchAgain(submission);
      } else if (connection !== undefined && requestsLeft > 0) {
        requestsLeft--;
        budget.spend(1);
        await this.polled.poll(submission, connection, await this.deps.reach(connection), signal);
      }
    }
  }

  /**
   * Sorts for polling. Known batches come first, because a search of the list may fail. Visible batches come next, then batches that waited
   * longest.
   */
  private inPollOrder(submissions: readonly Submission[]): readonly Submission[] {
    const { store, isVisible } = this.deps;
    const isShown = isVisible();
    return submissions
      .map(one => {
        const isOnScreen = isShown && one.batchId !== undefined && store.findIn(one.connection, one.batchId) !== undefined;
        return { one, rank: (isPending(one) ? 0 : 2) + (isOnScreen ? 0 : 1), polledAt: this.polled.polledAt(one) };
      })
      .sort((a, b) => a.rank - b.rank || (a.polledAt === b.polledAt ? 0 : a.polledAt - b.polledAt))
      .map(({ one }) => one);
  }

  private turnsOf(name: string): ConnectionTurns {
    const turns = this.turns.get(name) ?? new ConnectionTurns(this.deps.clock, this.patience);
    this.turns.set(name, turns);
    return turns;
  }

  /** Retries to fetch a run's results if the fetch is due. Never rejects. */
  private async fetchAgain(submission: Submission): Promise<void> {
    const { fetches, warn } = this.deps;
    if ((fetches.waitOf(submission) ?? Number.POSITIVE_INFINITY) > togetherMs) {
      return;
    }
    try {
      const error = await fetches.attempt(submission);
      if (error instanceof ServiceError) {
        this.turnsOf(submission.connection).failed(error);
      }
    } catch (error) {
      warn(`Results could not be fetched again: ${describeError(error)}`);
    }
  }

  private nextDelay({ mine, listing, follows }: Round): number | undefined {
    const delays = follows ? [leaseCheck] : [];
    const byId = new Map(this.deps.registry.all().map(one => [one.id, one]));
    for (const { id } of mine) {
      const one = byId.get(id);
      const delay = one && this.polled.delayOf(one);
      if (one !== undefined && delay !== undefined && this.isWatched(one)) {
        delays.push(Math.max(delay, this.turnsOf(one.connection).budgetWait));
      }
    }
    if (listing !== undefined && this.listing.isServedBy(listing)) {
      delays.push(Math.max(this.listing.waitOf(listing), this.turnsOf(listing.name).budgetWait));
    }
    return delays.length === 0 ? undefined : Math.max(Math.min(...delays), soonest);
  }
}

interface Round {
  readonly isAsked: boolean;
  readonly mine: readonly Submission[];
  /** True if another window polls some submissions. */
  readonly follows: boolean;
  /** The connection whose batches are visible. */
  readonly listing: Connection | undefined;
}

/** Maximum background requests per minute and connection, and maximum burst after a quiet time. */
const requestsPerMinute = 100;
const maxAtOnce = 20;

// Minimum delay between two rounds, in milliseconds.
const soonest = 100;
const leaseCheck = 5_000;
/** Batches that are due within this time are polled together. */
const togetherMs = 500;

/** Budget and pauses for the requests to one connection. Pauses apply while the connection is polled and after failures. */
class ConnectionTurns {
  readonly budget: RequestBudget;
  private failure: { readonly backOff: BackOff; readonly until: number } | undefined;
  private isBusy = false;

  /** `patience` is the delay in milliseconds while a poll is running. */
  constructor(
    private readonly clock: Clock,
    private readonly patience: number,
  ) {
    this.budget = new RequestBudget(clock, requestsPerMinute, maxAtOnce);
  }

  /** Milliseconds until the connection may be polled. 0 or less if it may be polled now. */
  get wait(): number {
    return this.isBusy ? this.patience : (this.failure?.until ?? Number.NEGATIVE_INFINITY) - this.clock.monotonic();
  }

  /** Milliseconds until both the pauses and the budget allow the next poll. */
  get budgetWait(): number {
    return Math.max(this.wait, this.budget.left > 0 ? 0 : this.budget.waitFor(pagedFrom));
  }

  /** Runs `work`, and delays other polls meanwhile. Rejects as `work` does. */
  async during(work: () => Promise<void>): Promise<void> {
    this.isBusy = true;
    const before = this.failure;
    try {
      await work();
      // A failure during `work` still counts.
      this.failure = this.failure === before ? undefined : this.failure;
    } finally {
      this.isBusy = false;
    }
  }

  /** Lengthens the back-off, to at least the service's `Retry-After`. */
  failed(error: unknown): void {
    const backOff = this.failure?.backOff ?? new BackOff(this.clock);
    this.failure = { backOff, until: this.clock.monotonic() + backOff.failed(error) };
  }

  forgetFailures(): void {
    this.failure = undefined;
  }
}
