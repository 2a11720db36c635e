import * as vscode from 'vscode';
import type { MessageBatch } from '../../client/schemas/messageBatches';
import { afterStart } from '../../common/afterStart';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import { Lazy } from '../../common/lazy';
import type { Log } from '../../common/log';
import { createNodeTreeView } from '../../common/tree/createNodeTreeView';
import { type BatchReference, type RunReference, views } from '../../contributions';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import type { Connections } from '../connection';
import type { EmulatorHost } from '../emulator';
import type { ChosenRuns, SubmissionRegistry } from '../ledger';
import type { RuleSettings } from '../requests';
import type { BatchRow } from './batchStore';
import { registerResultsCommands } from './fetching/resultsCommands';
import type { SpentSession } from './spend/spendRows';
import { registerSubmitCommands } from './submitting/submitCommands';

/** Loads `chooseRun.ts` on demand. */
export const loadRunChoice = () => import('./chooseRun');

/** Loads the calculation of costs on demand. */
export const loadMoney = async () => ({
  ...(await import('./fileRuns/runCost')),
  ...(await import('./sheet/presentation/estimateMoney')),
});

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
  /** Returns the sessions that this window knows. */
  readonly sessions: () => readonly SpentSession[];
}

/** Returns whether a command's argument is a batch or a run. */
function isBatchTarget(target: unknown): target is BatchReference | RunReference {
  return target === 'batch' || (typeof target === 'object' && target !== null && ('batchId' in target || 'runId' in target));
}

/** Registers the Batches view and the commands on batches. Loads the watcher shortly after activation. */
export function registerBatches(deps: BatchesDependencies): vscode.Disposable {
  const { context, commands, connections, rules, registry, log, jobs } = deps;
  const documentChanged = new vscode.EventEmitter<vscode.Uri>();
  const batches = new Lazy(async () => {
    const { createBatchesView } = await import('./batchesView');
    const created = createBatchesView({ ...deps, documentChanged }, shown.view);
    shown.follow(created.tree);
    return created;
  });
  const shown = createNodeTreeView<BatchRow>(views.batches, async () => (await batches.get()).tree, { showCollapseAll: true });
  const spend = new Lazy(async () => new (await import('./spend/spendPage')).SpendPage(deps));
  // Before the view is loaded, there are no rows to update.
  const onBatchChanged = (connection: string, batch: MessageBatch) => batches.current?.store.put(connection, batch);
  const listedBatches = (connection: string) => batches.current?.store.idsOf(connection) ?? [];
  commands.kinds.register({
    verbs: ['showJson', 'copyId', 'copyLink', 'delete', 'refresh'],
    owns: isBatchTarget,
    isVisible: () => shown.view.visible,
    kinds: async () => [{ label: `$(server-process) ${vscode.l10n.t('Batches')}`, value: 'batch' }],
    handlers: async () => (await batches.get()).commands,
  });
  return combine(
    shown,
    documentChanged,
    afterStart(() => void batches.get().catch(error => log.error('Batches are not looked after', error))),
    vscode.workspace.registerTextDocumentContentProvider('managed-agents-batch', {
      onDidChange: documentChanged.event,
      provideTextDocumentContent: async uri => (await (await batches.get()).details.get()).documents.content(uri),
    }),
    vscode.window.registerWebviewPanelSerializer('managedAgents.batch', {
      deserializeWebviewPanel: async (panel, state) => (await (await batches.get()).details.get()).pages.restore(panel, state),
    }),
    vscode.window.registerWebviewPanelSerializer('managedAgents.spend', {
      deserializeWebviewPanel: async panel => (await spend.get()).restore(panel),
    }),
    commands.register('managedAgents.spend.show', async () => (await spend.get()).show()),
    commands.register('managedAgents.spend.export', async () => (await spend.get()).export()),
    spend,
    registerSubmitCommands({
      ...{ commands, log, connections, jobs, registry, rules, extension: context.extensionUri },
      ...{ onBatchChanged, listedBatches },
    }),
    registerResultsCommands({
      commands,
      log,
      connections,
      jobs,
      registry,
      onBatchChanged,
      pickBatch: async ability => (await batches.get()).pick(ability),
    }),
    commands.register('managedAgents.run.showAtLines', async target => (await import('./fileRuns/showAtLines')).showAtLines(deps, target)),
    commands.register('managedAgents.batches.loadMore', async () => (await batches.get()).commands['managedAgents.batches.loadMore']()),
    commands.register('managedAgents.batch.open', async target => (await batches.get()).commands['managedAgents.batch.open'](target)),
    commands.register('managedAgents.batch.cancel', async target => (await batches.get()).commands['managedAgents.batch.cancel'](target)),
    batches,
  );
}
