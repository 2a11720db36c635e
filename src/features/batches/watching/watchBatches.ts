import * as vscode from 'vscode';
import { systemClock } from '../../../common/clock';
import { commandLink } from '../../../common/commands';
import { combine } from '../../../common/disposables';
import { Poller } from '../../../common/lists/poller';
import { Throttle } from '../../../common/lists/throttle';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { describeError } from '../../../common/text/describeError';
import { describeAge } from '../../../common/text/presentation';
import { isWindowThere } from '../../../common/windowUse';
import { views } from '../../../contributions';
import { type Connection, mayUse, reach } from '../../connection';
import { type Run, runOf, type SubmissionRegistry } from '../../ledger';
import type { BatchDependencies } from '../batchDependencies';
import type { BatchContext } from '../batchPresentation';
import type { BatchStore } from '../batchStore';
import { whenNoSheet } from '../sheet/whenNoSheet';
import { BatchWatcher } from './batchWatcher';
import { EndFetches, type FetchedEnd, fetchEnded, notifyEnded } from './endFetches';
import { LedgerChanges } from './ledgerChanges';
import { type RunSummary, summarize } from './runSummary';
import { presentStatus } from './statusPresentation';
import { leaseName, WatchLease } from './watchLease';

/** Creates the status bar item. Returns a function that updates it, and the badge and the description of the view. */
function createStatus(
  { registry, view, presentation, jobs }: WatchDependencies,
  watcher: Pick<BatchWatcher, 'isWatched' | 'listedFor'>,
  report: (error: unknown) => void,
) {
  const item = vscode.window.createStatusBarItem('managedAgents.batches', vscode.StatusBarAlignment.Left, 20);
  item.name = vscode.l10n.t('Managed Agents Batches');
  let isMarking = false;
  /** Marks ended runs as seen while the view is visible in a focused window. */
  const mark = ({ ended }: RunSummary) => {
    if (view.visible && vscode.window.state.focused && ended.length > 0 && !isMarking) {
      isMarking = true;
      void markSeen(registry, ...ended)
        .catch(report)
        .finally(() => {
          isMarking = false;
        });
    }
  };
  const draw = () => {
    const summary = summarize(registry.all(), submission => watcher.isWatched(submission));
    mark(summary);
    jobs.keepReady('runningBatches', summary.running.length > 0);
    const { length: waiting } = summary.unknown;
    view.badge = waiting === 0 ? undefined : { value: waiting, tooltip: vscode.l10n.t('Batches that need you: {0}', waiting) };
    const age = watcher.listedFor();
    view.description =
      age === undefined ? undefined : vscode.l10n.t('updated {0}', describeAge(new Date(Date.now() - age).toISOString(), presentation()));
    const status = presentStatus(summary, presentation());
    if (status === undefined || !readSetting('managedAgents.batches.statusBar')) {
      item.hide();
      return;
    }
    item.text = status.text;
    item.tooltip = status.tooltip.join('\n');
    item.accessibilityInformation = { label: status.spoken };
    item.backgroundColor = status.needsUser ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.command =
      status.resolve === undefined
        ? { command: `${views.batches}.focus`, title: vscode.l10n.t('Show Batches') }
        : commandLink('managedAgents.submission.resolve', vscode.l10n.t('Show Submission Log'), status.resolve);
    item.show();
  };
  return { draw, dispose: () => item.dispose() };
}

/** Records that the user has seen the ends of runs. */
async function markSeen(registry: SubmissionRegistry, ...runs: readonly Run[]): Promise<void> {
  for (const { id } of runs.flatMap(({ submissions }) => submissions)) {
    if (registry.find(id)?.isEndSeen === false) {
      await registry.update(id, { isEndSeen: true });
    }
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
  const { connections, registry, store, view, log } = deps;
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
    findOut: async (submission, { isEmulator }, client, signal) => {
      const { searchForBatch } = await import('../reconciling/searchForBatch');
      const { submission: found } = await searchForBatch(registry, submission, { client, isEmulator }, { signal });
      if (submission.state === 'abandoned') {
        const { warnOfLateBatch } = await import('../reconciling/askAboutUnknown');
        // Not awaited: the message waits for the user.
        void warnOfLateBatch(registry.all(), submission, found).catch(report);
      }
      return found;
    },
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

  const status = createStatus(deps, watcher, report);
  const { draw } = status;
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
