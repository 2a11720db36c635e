import { type FSWatcher, watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import { type Clock, systemClock } from '../../../common/clock';
import { combine } from '../../../common/disposables';
import { Poller } from '../../../common/lists/poller';
import { Throttle } from '../../../common/lists/throttle';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { describeError } from '../../../common/text/describeError';
import { isWindowThere } from '../../../common/windowUse';
import { type Connection, mayUse, reach } from '../../connection';
import { changedName, type Run, runOf, type Submission, type SubmissionRegistry } from '../../ledger';
import type { BatchDependencies } from '../batchDependencies';
import type { BatchContext } from '../batchPresentation';
import type { BatchStore } from '../batchStore';
import type { searchForBatch as LookFor } from '../reconciling/searchForBatch';
import { whenNoSheet } from '../sheet/whenNoSheet';
import { BatchWatcher } from './batchWatcher';
import { EndFetches, type FetchedEnd, fetchEnded, notifyEnded } from './endFetches';
import { leaseName, WatchLease } from './watchLease';
import { markSeen, WatchStatus } from './watchStatus';

/** Minimum interval between reads for file events, in milliseconds. */
const debounceMs = 250;
/** Interval to read the folder without file events, in milliseconds: some disks report none. */
const slowReload = 30_000;

interface LedgerChangesOptions {
  readonly root: string;
  readonly reload: () => Promise<void>;
  /** Called when a file in the folder was created or deleted. `name` is `undefined` if the system doesn't report it. */
  readonly onFile: (name: string | undefined) => void;
  readonly warn: (message: string) => void;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Keeps this window's view of the ledger up to date: immediately after file events, otherwise by polling. */
export class LedgerChanges {
  private watcher: FSWatcher | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readAt = Number.NEGATIVE_INFINITY;
  private isDisposed = false;

  constructor(private readonly options: LedgerChangesOptions) {}

  /** Starts watching the folder. Also settles if the system can't watch it. Then only `catchUp` reads the folder. */
  async start(): Promise<void> {
    const { root, onFile } = this.options;
    try {
      await mkdir(root, { recursive: true, mode: 0o700 });
      if (this.isDisposed) {
        return;
      }
      this.watcher = watch(root, { persistent: false }, (event, name) => {
        if (name === null || name === changedName) {
          this.schedule();
        }
        if (event === 'rename') {
          onFile(name ?? undefined);
        }
      });
      this.watcher.on('error', () => this.stopWatching());
    } catch {
      this.options.warn('The system reports no changes in the folder of submissions, so it is read every 30 seconds.');
    }
  }

  /** Reads the folder if a change was reported, if a read is due, or if nothing is watched. */
  async catchUp(): Promise<void> {
    const { clock, reload } = this.options;
    const isReported = this.timer !== undefined;
    clearTimeout(this.timer);
    this.timer = undefined;
    if (isReported || this.watcher === undefined || clock.monotonic() - this.readAt >= slowReload) {
      this.readAt = clock.monotonic();
      await reload();
    }
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    this.stopWatching();
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => {
      this.catchUp().catch(() => this.options.warn('The folder of submissions could not be read.'));
    }, debounceMs).unref();
  }

  private stopWatching(): void {
    this.watcher?.close();
    this.watcher = undefined;
  }
}

interface WatchDependencies extends Pick<BatchDependencies, 'log' | 'connections' | 'jobs' | 'registry'> {
  readonly store: BatchStore;
  readonly view: vscode.TreeView<unknown>;
  readonly isReachable: (connection: Connection) => boolean;
  readonly presentation: () => BatchContext;
  /** Refreshes rows that show a relative time. */
  readonly redraw: () => void;
}

/** Interval to refresh relative times on screen, in milliseconds. */
const tickMs = 5_000;

/** Starts to watch the batches of this machine. Shows their state in the status bar and in the view. */
export function watchBatches(deps: WatchDependencies) {
  const { connections, registry, store, view, log, presentation } = deps;
  const warn = (message: string) => log.warn(message);
  const lease = new WatchLease({ folder: registry.root, warn, isWindowThere });
  const changes = new LedgerChanges({
    root: registry.root,
    reload: () => registry.reload(),
    // If the lease was deleted, this window may take it.
    onFile: name => (name === undefined || name === leaseName) && void poller.trigger(),
    warn,
    clock: systemClock,
  });
  const lifetime = new AbortController();
  const report = (error: unknown) => log.error('Polling the batches failed', error);
  const fetches = createFetches(deps, lifetime.signal, report);
  const watcher = new BatchWatcher({
    connections,
    reach: async connection => (await reach(connections, connection, 'look')).client,
    registry,
    store,
    lease,
    catchUp: () => changes.catchUp(),
    isVisible: () => view.visible,
    isFocused: () => vscode.window.state.focused,
    isTrusted: () => mayUse('look'),
    isReachable: deps.isReachable,
    findOut: (submission, { isEmulator }, client, signal) => findOut(registry, submission, { client, isEmulator }, signal, report),
    fetches,
    onEnded: run => void fetches.attempt(run.lead).catch(report),
    warn,
    clock: systemClock,
  });
  const poller = new Poller(async signal => {
    try {
      return await watcher.poll(signal);
    } catch (error) {
      report(error);
      return afterFault;
    } finally {
      draw();
    }
  });

  const status = new WatchStatus({
    ...{ registry, view, watcher, presentation, report },
    onRunning: isRunning => deps.jobs.keepReady('runningBatches', isRunning),
  });
  const draw = () => status.draw();
  const poll = () => void poller.trigger();
  const subscriptions = combine(
    status,
    changes,
    poller,
    drawOnChanges(deps, draw),
    view.onDidChangeVisibility(poll),
    vscode.window.onDidChangeWindowState(poll),
  );
  draw();
  void changes.start().then(poll, error => warn(describeError(error)));
  return {
    /** Polls all batches that are due. */
    poll,
    /** Polls again without back-offs, after connections, keys or services changed. */
    retry: () => {
      watcher.forgetFailures();
      poll();
    },
    /** Polls everything, because the user asked for it. Settles when the responses are in the store. */
    refresh: () => {
      watcher.pollNow();
      return poller.trigger();
    },
    dispose: () => {
      lifetime.abort();
      subscriptions.dispose();
      void lease.release();
    },
  };
}

/** Creates the object that fetches and reports results after a run has ended. `closing` is aborted when this window closes. */
function createFetches(deps: WatchDependencies, closing: AbortSignal, report: (error: unknown) => void): EndFetches {
  const { registry, presentation } = deps;
  const notify = async (run: Run, fetched: FetchedEnd | undefined) => {
    // Results that were fetched meanwhile are part of the message.
    if (!closing.aborted && (await notifyEnded(runOf(registry.all(), run.lead) ?? run, fetched, presentation()))) {
      await markSeen(registry, run);
    }
  };
  return new EndFetches({
    registry,
    clock: systemClock,
    isOn: () => readSetting('managedAgents.results.fetchWhenEnded'),
    isClosing: () => closing.aborted,
    whenFree: whenNoSheet,
    fetch: run => fetchEnded(deps, run, closing),
    notify: (run, fetched) => void notify(run, fetched).catch(report),
  });
}

/** Searches for the batch of an `unknown` submission. If it was marked as not created, warns of a possible batch. */
async function findOut(
  registry: SubmissionRegistry,
  submission: Submission,
  service: Parameters<typeof LookFor>[2],
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<Submission> {
  const { searchForBatch } = await import('../reconciling/searchForBatch');
  const { submission: found } = await searchForBatch(registry, submission, service, { signal });
  if (submission.state === 'abandoned') {
    const { warnOfLateBatch } = await import('../reconciling/askAboutUnknown');
    // Not awaited: the message waits for the user.
    void warnOfLateBatch(registry.all(), submission, found).catch(report);
  }
  return found;
}

/** Calls `draw` after changes, and every few seconds while relative times are visible. */
function drawOnChanges({ store, registry, view, redraw }: WatchDependencies, draw: () => void): vscode.Disposable {
  // Throttled, because the ledger fires for each submission when it is first read.
  const drawing = new Throttle(draw);
  const tick = setInterval(() => {
    if (vscode.window.state.focused) {
      draw();
      if (view.visible) {
        redraw();
      }
    }
  }, tickMs);
  tick.unref();
  return combine(
    { dispose: () => clearInterval(tick) },
    drawing,
    store.onDidChange(() => drawing.ask()),
    registry.onDidChange(() => drawing.ask()),
    onDidChangeSettings(['managedAgents.batches.statusBar'], draw),
  );
}

/** Delay after an internal error, in milliseconds. */
const afterFault = 60_000;
