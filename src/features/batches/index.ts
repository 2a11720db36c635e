import * as vscode from 'vscode';
import type { MessageBatch } from '../../client/schemas/messageBatches';
import type { CommandRegistry } from '../../common/commands';
import { setContextKey } from '../../common/contextKeys';
import { combine } from '../../common/disposables';
import { Lazy } from '../../common/lazy';
import { Gathered } from '../../common/lists/gathered';
import type { Log } from '../../common/log';
import type { PresentationContext } from '../../common/text/presentation';
import { views } from '../../contributions';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import { type Connections, followConnection } from '../connection';
import type { EmulatorHost } from '../emulator';
import { type ChosenRuns, followMoves, type SubmissionRegistry } from '../ledger';
import type { RuleSettings } from '../requests';
import { choose, registerBatchCommands } from './batchCommands';
import { BatchesTreeDataProvider } from './batchesTreeDataProvider';
import { presentListingProblem } from './batchPresentation';
import { BatchStore } from './batchStore';
import { registerResultsCommands } from './fetching/resultsCommands';
import { registerSubmitCommands } from './submitting/submitCommands';

/** How a user says which run is meant; loaded when first used. */
export const loadRunChoice = () => import('./chooseRun');

export interface BatchesDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly rules: RuleSettings;
  readonly emulator: EmulatorHost;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
  readonly chosenRuns: Lazy<ChosenRuns>;
}

/** The Batches view and everything one does with a batch. */
export function registerBatches(deps: BatchesDependencies): vscode.Disposable {
  const { context, commands, connections, rules, registry, log, emulator, jobs } = deps;
  const store = new BatchStore(registry);
  const presentation = (): PresentationContext => ({ translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() });
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const details = new Lazy(async () =>
    (await import('./details/createBatchDetails')).createBatchDetails({ connections, registry, store, presentation, changed }),
  );
  const tree = new BatchesTreeDataProvider(store, presentation, async item => (await details.get()).hover(item));
  const view = vscode.window.createTreeView(views.batches, { treeDataProvider: tree, showCollapseAll: false });

  const watching = new Lazy(async () =>
    (await import('./watching/watchBatches')).watchBatches({
      log,
      connections,
      jobs,
      registry,
      store,
      view,
      isReachable: connection => !connection.isEmulator || emulator.running !== undefined,
      presentation,
      redraw: () => tree.refresh(),
    }),
  );
  const show = () => {
    view.message = store.state === 'filled' ? presentListingProblem(store, vscode.l10n.t) : undefined;
    setContextKey('managedAgents.batchesState', store.state);
    tree.refresh();
    details.current?.refresh();
  };
  const refresh = async () => (await watching.get()).refresh();
  const lookAnew = () => watching.current?.lookAnew();
  const onBatchChanged = (connection: string, batch: MessageBatch) => store.put(connection, batch);

  watching.get().catch(error => log.error('Batches are not looked after', error));
  return combine(
    store.onDidChange(show),
    followLedger(registry, store, () => watching.current?.look()),
    vscode.workspace.onDidRenameFiles(event =>
      followRenames(registry, event).catch(error => log.error('The submissions of a renamed file could not be changed', error)),
    ),
    followConnection(connections, { startOver: connection => store.reset(connection), look: lookAnew }),
    emulator.onDidChange(lookAnew),
    view,
    changed,
    details,
    vscode.workspace.registerTextDocumentContentProvider('managed-agents-batch', {
      onDidChange: changed.event,
      provideTextDocumentContent: async uri => (await details.get()).content(uri),
    }),
    vscode.window.registerWebviewPanelSerializer('managedAgents.batch', {
      deserializeWebviewPanel: async (panel, state) => (await details.get()).restore(panel, state),
    }),
    registerSubmitCommands({ commands, log, connections, jobs, registry, onBatchChanged, rules, extension: context.extensionUri }),
    registerResultsCommands({
      commands,
      log,
      connections,
      jobs,
      registry,
      onBatchChanged,
      pickBatch: (ability, question) => choose({ connections, store, presentation, refresh }, undefined, ability, question),
    }),
    commands.register('managedAgents.runs.show', async file => (await import('./fileRuns/showFileRuns')).showFileRuns(deps, file)),
    registerBatchCommands({ commands, connections, registry, store, details, presentation, refresh }),
    watching,
  );
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
