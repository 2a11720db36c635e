import * as vscode from 'vscode';
import { setContextKey } from '../../common/contextKeys';
import { combine } from '../../common/disposables';
import { Lazy } from '../../common/lazy';
import { Gathered } from '../../common/lists/gathered';
import type { Log } from '../../common/log';
import type { BatchReference } from '../../contributions';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import { type Connections, followConnection } from '../connection';
import type { EmulatorHost } from '../emulator';
import { followMoves, type SubmissionRegistry } from '../ledger';
import { type BatchCommands, choose, createBatchCommands } from './batchCommands';
import { BatchesTreeDataProvider, type BatchesTreeItem } from './batchesTreeDataProvider';
import { type BatchContext, presentListingProblem } from './batchPresentation';
import { BatchStore } from './batchStore';
import type { BatchDetails } from './details/createBatchDetails';
import { SourceNames } from './sourceNames';
import { watchBatches } from './watching/watchBatches';

export interface BatchesViewDependencies {
  readonly log: Log;
  readonly connections: Connections;
  readonly emulator: EmulatorHost;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
  /** Fired for a document of a batch whose text may be another one. */
  readonly documentChanged: vscode.EventEmitter<vscode.Uri>;
}

/** What the Batches view shows, and what looks after it. */
export interface BatchesView extends vscode.Disposable {
  readonly tree: BatchesTreeDataProvider;
  readonly store: BatchStore;
  readonly commands: BatchCommands;
  readonly details: Lazy<BatchDetails>;
  /** Lets the user choose a batch whose abilities include a word; throws a `CancelledError` when none is chosen. */
  pick(ability: string, question: string): Promise<BatchReference>;
}

/** Lists batches, keeps `view` up to date, and looks after the batches of this machine. */
export function createBatchesView(deps: BatchesViewDependencies, view: vscode.TreeView<BatchesTreeItem>): BatchesView {
  const { connections, registry, log, emulator, jobs, documentChanged } = deps;
  const store = new BatchStore(registry);
  const names = new SourceNames();
  const presentation = (): BatchContext => ({
    ...{ translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() },
    nameOf: names.of(registry.all()),
  });
  const details = new Lazy(async () =>
    (await import('./details/createBatchDetails')).createBatchDetails({
      connections,
      registry,
      store,
      presentation,
      changed: documentChanged,
    }),
  );
  const tree = new BatchesTreeDataProvider(store, presentation, async item => (await details.get()).hover(item));
  const show = () => {
    view.message = store.state === 'filled' ? presentListingProblem(store, vscode.l10n.t) : undefined;
    setContextKey('managedAgents.batchesState', store.state);
    tree.refresh();
    details.current?.refresh();
  };
  // Batches change one by one, and the view is drawn whole.
  const drawing = new Gathered(show);
  let lookAnew = () => {};
  const following = combine(
    drawing,
    store.onDidChange(() => drawing.ask()),
    followConnection(connections, { startOver: connection => store.reset(connection), look: () => lookAnew() }),
    emulator.onDidChange(() => lookAnew()),
  );
  // When the store knows its connection, so that the first look is at that one's batches.
  const watching = watchBatches({
    log,
    connections,
    jobs,
    registry,
    store,
    view,
    isReachable: connection => !connection.isEmulator || emulator.running !== undefined,
    presentation,
    redraw: () => tree.refresh(),
  });
  lookAnew = () => watching.lookAnew();
  const refresh = () => watching.refresh();
  const lifetime = new AbortController();
  const subscriptions = combine(
    following,
    followLedger(registry, store, () => watching.look()),
    vscode.workspace.onDidRenameFiles(event =>
      followRenames(registry, event).catch(error => log.error('The submissions of a renamed file could not be changed', error)),
    ),
    details,
    { dispose: () => lifetime.abort() },
    watching,
  );
  return {
    tree,
    store,
    details,
    commands: createBatchCommands({
      log,
      connections,
      registry,
      store,
      details,
      presentation,
      refresh,
      jobs,
      lifetime: lifetime.signal,
    }),
    pick: (ability, question) => choose({ connections, store, presentation, refresh }, undefined, ability, question),
    dispose: () => subscriptions.dispose(),
  };
}

/** Draws rows again as submissions change, gathered; `look` is called for those that became a batch. */
function followLedger(registry: SubmissionRegistry, store: BatchStore, look: () => void): vscode.Disposable {
  const created = new Set<string>();
  let isNew = false;
  const touched = new Gathered(() => {
    store.touch();
    if (isNew) {
      isNew = false;
      look();
    }
  });
  const following = registry.onDidChange(submission => {
    touched.ask();
    if (submission.state === 'created' && !created.has(submission.id)) {
      created.add(submission.id);
      isNew = true;
    }
  });
  return combine(following, touched);
}

async function followRenames(registry: SubmissionRegistry, { files }: vscode.FileRenameEvent): Promise<void> {
  const place = (uri: vscode.Uri) => uri.toString().replace(/\/$/, '');
  const moves = files.map(({ oldUri, newUri }) => ({
    from: place(oldUri),
    to: place(newUri),
    fromPath: oldUri.fsPath,
    toPath: newUri.fsPath,
  }));
  await followMoves(registry, moves);
}
