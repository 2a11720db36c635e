import * as vscode from 'vscode';
import { setContextKey } from '../../common/contextKeys';
import { combine } from '../../common/disposables';
import { Lazy } from '../../common/lazy';
import { Throttle } from '../../common/lists/throttle';
import type { BatchRowWord } from '../../contributions';
import { followConnection } from '../connection';
import type { EmulatorHost } from '../emulator';
import { applyRenames, type SubmissionRegistry } from '../ledger';
import type { BatchDependencies } from './batchDependencies';
import { choose, createBatchCommands } from './batchCommands';
import { createBatchesTree } from './batchesTreeDataProvider';
import { type BatchContext, presentListingProblem } from './batchPresentation';
import { BatchStore } from './batchStore';
import { watchBatches } from './watching/watchBatches';

export interface BatchesViewDependencies extends Pick<BatchDependencies, 'log' | 'connections' | 'jobs' | 'registry'> {
  readonly emulator: EmulatorHost;
  readonly documentChanged: vscode.EventEmitter<vscode.Uri>;
}

/** Minimum time between two updates, in milliseconds. */
const minPauseMs = 250;

/** Creates the content of `view`, keeps it up to date, and watches the batches of this machine. */
export function createBatchesView(deps: BatchesViewDependencies, view: vscode.TreeView<unknown>) {
  const { connections, registry, log, emulator, jobs, documentChanged } = deps;
  const store = new BatchStore(registry);
  const presentation = (): BatchContext => ({
    ...{ translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() },
    nameOf: store.nameOf,
  });
  const details = new Lazy(async () =>
    (await import('./details/batchTexts')).createBatchDetails({ connections, registry, store, presentation }, documentChanged),
  );
  const tree = createBatchesTree(store, presentation, async row => (await details.get()).hover(row));
  const show = () => {
    view.message = store.state === 'filled' ? presentListingProblem(store, vscode.l10n.t) : undefined;
    setContextKey('managedAgents.batchesState', store.state);
    tree.refresh();
    details.current?.refresh();
  };
  const drawing = new Throttle(show, minPauseMs);
  let retry = () => {};
  const following = combine(
    drawing,
    store.onDidChange(() => drawing.ask()),
    followConnection(connections, { startOver: connection => store.reset(connection), look: () => retry() }),
    emulator.onDidChange(() => retry()),
  );
  // Created after `followConnection`, so that the first poll lists the batches of the current connection.
  const watching = watchBatches({
    ...{ log, connections, jobs, registry, store, view, presentation },
    isReachable: connection => !connection.isEmulator || emulator.running !== undefined,
    redraw: () => tree.refresh(),
  });
  retry = () => watching.retry();
  const refresh = () => watching.refresh();
  const lifetime = new AbortController();
  const subscriptions = combine(
    following,
    followLedger(registry, store, () => watching.poll()),
    vscode.workspace.onDidRenameFiles(event =>
      followRenames(registry, event).catch(error => log.error('The submissions of a renamed file could not be changed', error)),
    ),
    details,
    tree,
    { dispose: () => lifetime.abort() },
    watching,
  );
  return {
    tree,
    store,
    details,
    commands: createBatchCommands({
      ...{ log, connections, registry, store, details, presentation, refresh, jobs },
      lifetime: lifetime.signal,
    }),
    pick: (ability: BatchRowWord) => choose({ connections, store, presentation, refresh }, undefined, ability),
    dispose: () => subscriptions.dispose(),
  };
}

/** Refreshes rows when submissions change. Calls `poll` after a new batch. */
function followLedger(registry: SubmissionRegistry, store: BatchStore, poll: () => void): vscode.Disposable {
  const created = new Set<string>();
  let isNew = false;
  const update = new Throttle(() => {
    store.touch();
    if (isNew) {
      isNew = false;
      poll();
    }
  });
  const following = registry.onDidChange(submission => {
    update.ask();
    if (submission.state === 'created' && !created.has(submission.id)) {
      created.add(submission.id);
      isNew = true;
    }
  });
  return combine(following, update);
}

async function followRenames(registry: SubmissionRegistry, { files }: vscode.FileRenameEvent): Promise<void> {
  const uriOf = (uri: vscode.Uri) => uri.toString().replace(/\/$/, '');
  const moves = files.map(({ oldUri, newUri }) => ({
    from: uriOf(oldUri),
    to: uriOf(newUri),
    fromPath: oldUri.fsPath,
    toPath: newUri.fsPath,
  }));
  await applyRenames(registry, moves);
}
