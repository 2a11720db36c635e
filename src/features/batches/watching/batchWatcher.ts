import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import type { Clock } from '../../../common/clock';
import { BackOff } from '../../../common/lists/backOff';
import { describeError } from '../../../common/text/describeError';
import type { Connection, Connections } from '../../connection';
import { type Run, runOf, type Submission, type SubmissionRegistry } from '../../ledger';
import { type BatchStore, pageSize } from '../batchStore';
import { nextLookIn } from '../reconciling/lookSchedule';
import type { EndFetches } from './endFetches';
import { Pace } from './pace';
import { endMarkerOf, hasRunEnded, isPending } from './runSummary';
import type { WatchLease } from './watchLease';

export interface BatchWatcherDependencies {
  readonly connections: Pick<Connections, 'current' | 'access' | 'state' | 'find'>;
  /** The client of a connection, for nobody who asked just now. */
  readonly reach: (connection: Connection) => Promise<ServiceClient>;
  readonly registry: Pick<SubmissionRegistry, 'all' | 'findByBatch' | 'update' | 'reload' | 'claimEndNotification'>;
  readonly store: BatchStore;
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
  /** Fetches results that nobody asked for. */
  readonly fetches: Pick<EndFetches, 'begin' | 'waitOf' | 'again'>;
  /** Called once per run, over all windows and reloads, when all its batches have ended. */
  readonly onEnded: (run: Run) => void;
  /** Looks for the batch of a submission of which no verdict came back, and writes down that it did. Throws what the service answered. */
  readonly findOut: (
    submission: Submission,
    connection: Connection,
    client: ServiceClient,
    signal: AbortSignal,
  ) => Promise<Submission | undefined>;
  readonly warn: (message: string) => void;
  readonly clock: Clock;
}

/**
 * Looks after batches. Of all windows the one that holds the lease asks about those submitted from this machine until they have
 * ended; the others learn it from the ledger. Each window lists the current connection's for itself while its view is visible, and
 * asks its own emulator. Every batch has its own pace and every connection its own waits after a failure. Failures are never shown
 * from here; the store keeps those of the listing.
 */
export class BatchWatcher {
  private readonly pace: Pace;
  private readonly failures = new Map<string, { readonly backOff: BackOff; readonly until: number }>();
  private readonly busy = new Set<string>();
  /** Submissions that are not known where their connection leads now: another address, or the emulator of another workspace. */
  private readonly elsewhere = new Set<string>();
  private readonly met = new Set<string>();
  /** Submissions whose batch was not found, and when first: another key may not see what runs. */
  private readonly missing = new Map<string, number>();
  private listed: { readonly connection: string; readonly at: number } | undefined;
  /** Name and address of the connection whose service has no list of batches. */
  private unsupported: string | undefined;
  private isAsked = false;

  /** `patience`: how many milliseconds a round waits for a service before it goes on with the others. */
  constructor(
    private readonly deps: BatchWatcherDependencies,
    private readonly patience = 10_000,
  ) {
    this.pace = new Pace(deps.clock);
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
    const asking = [...connections].filter(name => this.waitOf(name) <= 0).map(name => this.ask(name, round, signal));
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
    this.failures.clear();
    this.elsewhere.clear();
    this.missing.clear();
    this.unsupported = undefined;
  }

  /** Whether what becomes of a submission is told to this window, by its service or through the ledger. */
  isWatched({ id, connection: name }: Submission): boolean {
    const connection = this.deps.connections.find(name);
    return connection !== undefined && this.deps.isReachable(connection) && !this.elsewhere.has(id);
  }

  /** Milliseconds since the batches of the store's connection were listed; undefined when they were not. */
  listedFor(): number | undefined {
    const { store, clock } = this.deps;
    const { listed } = this;
    const isListed = listed?.connection === store.connectionName && store.isListed;
    return listed !== undefined && isListed ? clock.monotonic() - listed.at : undefined;
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
    const seen = await registry.update(submission.id, ended ? { ...there, isEndSeen: false, ...this.deps.fetches.begin() } : there);
    store.put(submission.connection, batch);
    if (ended) {
      await this.tellEnd(seen);
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

  private async plan(isAsked: boolean): Promise<Round> {
    const { registry, lease, connections } = this.deps;
    const wanted = registry.all().filter(one => this.turnOf(one, 1) !== undefined && this.isWatched(one));
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
    return {
      isAsked,
      slowness,
      mine: wanted.filter(one => isAsked || leads || isOwn(one)),
      follows: shared.length > 0 && !leads,
      listing:
        current !== undefined && this.deps.isVisible() && this.deps.isReachable(current) && this.hasList(current) ? current : undefined,
    };
  }

  private hasList(connection: Connection): boolean {
    return this.unsupported !== addressOf(connection);
  }

  /** Asks one service for whatever is due there. Never rejects. */
  private async ask(name: string, round: Round, signal: AbortSignal): Promise<void> {
    this.busy.add(name);
    try {
      // What has no batch comes last: a list that cannot be had must not keep the others from their turn.
      const mine = round.mine
        .filter(one => one.connection === name && (round.isAsked || (this.turnOf(one, round.slowness) ?? 0) <= together))
        .sort((a, b) => Number(isPending(b)) - Number(isPending(a)));
      const { listing } = round;
      const lists = listing?.name === name && (round.isAsked || this.listWait(listing, round) <= 0 || mine.some(isPending));
      const listed = lists ? await this.list(listing, signal) : undefined;
      for (const submission of mine) {
        if (signal.aborted) {
          return;
        }
        if (this.deps.fetches.waitOf(submission) !== undefined) {
          // Not awaited: large results take long.
          void this.fetchAgain(submission);
        } else if (!listed?.has(submission.id)) {
          await this.askAbout(submission, signal);
        }
      }
      this.failures.delete(name);
    } catch (error) {
      if (!signal.aborted) {
        this.deps.warn(`Batches of ${name} could not be looked at: ${describeError(error)}`);
        this.noteFailure(name, error);
      }
    } finally {
      this.busy.delete(name);
    }
  }

  private noteFailure(name: string, error: unknown): void {
    const backOff = this.failures.get(name)?.backOff ?? new BackOff(this.deps.clock);
    this.failures.set(name, { backOff, until: this.deps.clock.monotonic() + backOff.failed(error) });
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
        this.noteFailure(submission.connection, error);
      }
    } catch (error) {
      warn(`Results could not be fetched again: ${describeError(error)}`);
    }
  }

  /** Lists the first page; answers which submissions it told of. */
  private async list(current: Connection, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { store, connections, registry, reach } = this.deps;
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
      const found = new Set<string>();
      for (const batch of page.items) {
        const submission = registry.findByBatch(current.name, batch.id);
        if (submission !== undefined) {
          found.add(submission.id);
          await this.see(submission, batch);
        }
      }
      return found;
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

  private async askAbout(submission: Submission, signal: AbortSignal): Promise<void> {
    const connection = this.deps.connections.find(submission.connection);
    if (connection === undefined) {
      return;
    }
    const client = await this.deps.reach(connection);
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

  /** Whether it was not found at two looks apart: only what has ended can be deleted, and it was not seen to end. */
  private isGone({ id }: Submission): boolean {
    const now = this.deps.clock.monotonic();
    const since = this.missing.get(id);
    if (since === undefined) {
      this.missing.set(id, now);
    }
    return since !== undefined && now - since >= whileMissing;
  }

  /** Milliseconds until it is to be asked about; undefined when it is not. */
  private turnOf(submission: Submission, slowness: number): number | undefined {
    return isPending(submission)
      ? Math.max(this.pace.waitOf(submission.id, submission.startedAt, slowness), this.missingWait(submission.id))
      : (nextLookIn(submission, this.deps.clock.now()) ?? this.deps.fetches.waitOf(submission));
  }

  private missingWait(id: string): number {
    const since = this.missing.get(id);
    return since === undefined ? 0 : since + whileMissing - this.deps.clock.monotonic();
  }

  /** Milliseconds for which a connection is to be left alone. */
  private waitOf(name: string): number {
    const until = this.failures.get(name)?.until ?? Number.NEGATIVE_INFINITY;
    return this.busy.has(name) ? this.patience : until - this.deps.clock.monotonic();
  }

  private listWait({ name }: Connection, { slowness }: Round): number {
    // A connection that was left and chosen again has nothing listed any more.
    if (this.listed?.connection !== name || !this.deps.store.isListed) {
      return 0;
    }
    const running = this.deps.store.rows().some(row => row.kind === 'batch' && row.batch.processing_status !== 'ended');
    return this.listed.at + (running ? othersRunning : idle) * slowness - this.deps.clock.monotonic();
  }

  private nextDelay(round: Round): number | undefined {
    const waits = round.follows ? [leaseCheck] : [];
    const now = new Map(this.deps.registry.all().map(one => [one.id, one]));
    for (const { id } of round.mine) {
      const one = now.get(id);
      const turn = one === undefined ? undefined : this.turnOf(one, round.slowness);
      if (one !== undefined && turn !== undefined && this.isWatched(one)) {
        waits.push(Math.max(turn, this.waitOf(one.connection)));
      }
    }
    if (round.listing !== undefined && this.hasList(round.listing)) {
      waits.push(Math.max(this.listWait(round.listing, round), this.waitOf(round.listing.name)));
    }
    return waits.length === 0 ? undefined : Math.max(Math.min(...waits), soonest);
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

// A refresh asks for all that is listed, up to this many.
const largestPage = 100;

// Milliseconds.
const soonest = 100;
const othersRunning = 15_000;
const idle = 60_000;
const leaseCheck = 5_000;
/** Between the two looks after which a batch that is not found is gone. */
const whileMissing = 300_000;
const withoutFocus = 3;
/** Batches whose turn comes this soon are asked about together. */
const together = 500;

/** Settles when all have, or when one takes too long for the others. */
async function inTime(asking: readonly Promise<void>[], patience: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<void>(resolve => {
    timer = setTimeout(resolve, patience).unref();
  });
  await Promise.race([Promise.all(asking), waited]);
  clearTimeout(timer);
}

function addressOf({ name, baseUrl }: Connection): string {
  return `${name}\n${baseUrl}`;
}

function isSame(a: MessageBatch | undefined, b: MessageBatch): boolean {
  return a !== undefined && JSON.stringify(a) === JSON.stringify(b);
}
