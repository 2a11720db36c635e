import * as vscode from 'vscode';
import { systemClock } from '../../../common/clock';
import { combine } from '../../../common/disposables';
import { isWindowThere } from '../../../common/isWindowThere';
import { Gathered } from '../../../common/lists/gathered';
import { Poller } from '../../../common/lists/poller';
import type { Log } from '../../../common/log';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { describeError } from '../../../common/text/describeError';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import { type Connection, type Connections, mayUse, reach } from '../../connection';
import { type Run, runOf, type Submission, type SubmissionRegistry } from '../../ledger';
import type { BatchContext } from '../batchPresentation';
import type { BatchStore } from '../batchStore';
import type { lookFor as LookFor } from '../reconciling/lookFor';
import { whenNoSheet } from '../sheet/whenNoSheet';
import { BatchWatcher } from './batchWatcher';
import { EndFetches } from './endFetches';
import { type FetchedEnd, fetchEnded } from './fetchEnded';
import { LedgerNews } from './ledgerNews';
import { notifyEnded } from './notifyEnded';
import { leaseFiles, WatchLease } from './watchLease';
import { markSeen, WatchStatus } from './watchStatus';

export interface WatchDependencies {
  readonly log: Log;
  readonly connections: Connections;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
  readonly store: BatchStore;
  readonly view: vscode.TreeView<unknown>;
  readonly isReachable: (connection: Connection) => boolean;
  readonly presentation: () => BatchContext;
  /** Has what depends on the time of day drawn again. */
  readonly redraw: () => void;
}

/** What looks after batches in this window. */
export interface Watching extends vscode.Disposable {
  /** Looks now at what is due. */
  look(): void;
  /** Connections, keys or services are other ones: what failed may go well now. */
  lookAnew(): void;
  /** Looks at everything, because the user asked for it; settles when what the service said is in the store. */
  refresh(): Promise<void>;
}

/** How often what tells the time is drawn again while it is on screen, in milliseconds. */
const tickMs = 5_000;

/** Begins to look after the batches of this machine and shows in the status bar and at the view what becomes of them. */
export function watchBatches(deps: WatchDependencies): Watching {
  const { connections, registry, store, view, log, presentation } = deps;
  const warn = (message: string) => log.warn(message);
  const lease = new WatchLease({ folder: registry.root, warn, isWindowThere });
  const news = new LedgerNews({
    root: registry.root,
    reload: () => registry.reload(),
    readTold: () => registry.catchUp(),
    // A lease that went is free to take; who has the focus sets the pace.
    onFile: name => (name === undefined || leaseFiles.has(name)) && void poller.trigger(),
    warn,
    clock: systemClock,
  });
  const lifetime = new AbortController();
  const report = (error: unknown) => log.error('Looking after batches failed', error);
  const fetches = createFetches(deps, lifetime.signal, report);
  const watcher = new BatchWatcher({
    connections,
    reach: async connection => (await reach(connections, connection, 'look')).client,
    registry,
    store,
    lease,
    catchUp: () => news.catchUp(),
    isVisible: () => view.visible,
    isFocused: () => vscode.window.state.focused,
    isTrusted: () => mayUse('look'),
    isReachable: deps.isReachable,
    findOut: (submission, { isEmulator }, client, signal) => findOut(registry, submission, { client, isEmulator }, signal, report),
    fetches,
    onEnded: run => void fetches.ended(run).catch(report),
    warn,
    clock: systemClock,
  });
  const poller = new Poller(async signal => {
    try {
      return await watcher.look(signal);
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
  const look = () => void poller.trigger();
  const subscriptions = combine(
    status,
    news,
    poller,
    drawWhenNews(deps, draw),
    view.onDidChangeVisibility(look),
    vscode.window.onDidChangeWindowState(look),
  );
  draw();
  void news.start().then(look, error => warn(describeError(error)));
  return {
    look,
    lookAnew: () => {
      watcher.forgetFailures();
      look();
    },
    refresh: () => {
      watcher.askNow();
      return poller.trigger();
    },
    dispose: () => {
      lifetime.abort();
      subscriptions.dispose();
      void lease.dispose();
    },
  };
}

/** Fetches the results of what has ended where the user wants that, and tells of it. `closing` aborts when this window ends. */
function createFetches(deps: WatchDependencies, closing: AbortSignal, report: (error: unknown) => void): EndFetches {
  const { registry, presentation } = deps;
  const tell = async (run: Run, fetched: FetchedEnd | undefined) => {
    // What was fetched meanwhile says more of it.
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
    tell: (run, fetched) => void tell(run, fetched).catch(report),
  });
}

/** Looks for the batch of a submission without a verdict; of one that was given up the user is told that there is one after all. */
async function findOut(
  registry: SubmissionRegistry,
  submission: Submission,
  place: Parameters<typeof LookFor>[2],
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<Submission> {
  const { lookFor } = await import('../reconciling/lookFor');
  const { submission: found } = await lookFor({ registry, clock: systemClock }, submission, place, { signal });
  if (submission.state === 'abandoned') {
    const { tellAfterAll } = await import('../reconciling/tellAfterAll');
    // Not awaited: the message waits for the user.
    void tellAfterAll(registry.all(), submission, found).catch(report);
  }
  return found;
}

/** Draws again whenever there may be something else to show, and what tells the time while it can be seen. */
function drawWhenNews({ store, registry, view, redraw }: WatchDependencies, draw: () => void): vscode.Disposable {
  // The ledger tells of each submission when it is read for the first time.
  const drawn = new Gathered(draw);
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
    drawn,
    store.onDidChange(() => drawn.ask()),
    registry.onDidChange(() => drawn.ask()),
    onDidChangeSettings(['managedAgents.batches.statusBar'], draw),
  );
}

/** After a fault of ours, in milliseconds. */
const afterFault = 60_000;
