import * as vscode from 'vscode';
import type { MessageBatch } from '../../client/resources/messageBatches';
import { afterStart } from '../../common/afterStart';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import { ReadonlyDocuments } from '../../common/documents/readonlyDocuments';
import { Lazy } from '../../common/lazy';
import { createNodeTreeView } from '../../common/tree/createNodeTreeView';
import { type BatchReference, type RunReference, views } from '../../contributions';
import { sheetChoices } from '../../shared/sheet/sheetProtocol';
import { mayUse } from '../connection';
import type { EmulatorHost } from '../emulator';
import type { ChosenRuns } from '../ledger';
import type { BatchDependencies } from './batchDependencies';
import type { BatchRow } from './batchStore';
import { hashSoon } from './hashSoon';
import type { SpentSession } from './spend/spendPresentation';

export const loadRunChoice = () => import('./chooseRun');

export interface BatchesDependencies extends Pick<BatchDependencies, 'log' | 'connections' | 'jobs' | 'registry' | 'rules'> {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly emulator: EmulatorHost;
  readonly chosenRuns: Lazy<ChosenRuns>;
  readonly sessions: () => readonly SpentSession[];
}

/** Registers the Batches view and the commands on batches. Loads their code on demand, and the watcher shortly after activation. */
export function registerBatches(deps: BatchesDependencies): vscode.Disposable {
  const { context, commands, connections, rules, registry, log, jobs, chosenRuns } = deps;
  const documents = new ReadonlyDocuments('managed-agents-batch');
  const batches = new Lazy(async () => {
    const { createBatchesView } = await import('./batchesView');
    const created = createBatchesView({ ...deps, documents }, shown.view);
    shown.follow(created.tree);
    return created;
  });
  const shown = createNodeTreeView<BatchRow>(views.batches, async () => (await batches.get()).tree, { showCollapseAll: true });
  const onView = async () => (await batches.get()).commands;
  const lifetime = new AbortController();
  const acting: BatchDependencies = {
    ...{ log, connections, jobs, registry, rules, extension: context.extensionUri, lifetime: lifetime.signal },
    // Before the view is loaded, there are no rows to update.
    onBatchChanged: (connection: string, batch: MessageBatch) => batches.current?.store.put(connection, batch),
    listedBatches: connection => batches.current?.store.idsOf(connection) ?? [],
  };
  const fetching = { ...acting, busy: new Set<string>() };
  const sheets = new Lazy(async () => new (await import('./sheet/sheets')).Sheets(acting));
  const steps = new Lazy(async () => (await import('./reconciling/stepsCommands')).createStepsPages(registry));
  const chooseTarget = async (given: vscode.Uri | undefined, isToSend: boolean) =>
    await (await import('./submitting/createBatchTarget')).chooseTarget(given, isToSend);
  const spend = new Lazy(async () => (await import('./spend/spendPage')).createSpendPage(deps));
  commands.kinds.register({
    verbs: ['showJson', 'copyId', 'copyLink', 'delete', 'refresh'],
    owns: (target): target is BatchReference | RunReference =>
      target === 'batch' || (typeof target === 'object' && target !== null && ('batchId' in target || 'runId' in target)),
    isVisible: () => shown.view.visible,
    kinds: async () => [{ label: `$(server-process) ${vscode.l10n.t('Batches')}`, value: 'batch' }],
    handlers: onView,
  });
  return combine(
    shown,
    documents,
    sheets,
    steps,
    { dispose: () => lifetime.abort() },
    afterStart(() => void batches.get().catch(error => log.error('Could not start polling the batches', error))),
    hashSoon(acting),
    vscode.window.registerWebviewPanelSerializer('managedAgents.batch', {
      deserializeWebviewPanel: async (panel, state) => (await (await batches.get()).details.get()).restorePage(panel, state),
    }),
    vscode.window.registerWebviewPanelSerializer('managedAgents.sheet', {
      deserializeWebviewPanel: async (panel, state) => (await sheets.get()).restore(panel, state),
    }),
    vscode.window.registerWebviewPanelSerializer('managedAgents.spend', {
      deserializeWebviewPanel: async panel => (await spend.get()).restore(panel),
    }),
    commands.register('managedAgents.spend.show', async () => (await spend.get()).show()),
    commands.register('managedAgents.spend.export', async () => (await spend.get()).export()),
    spend,
    commands.register('managedAgents.batch.create', async (given, choice, size) => {
      const file = given !== undefined && 'batchId' in given ? vscode.Uri.parse(given.source ?? '') : given;
      const target = await chooseTarget(file, true);
      // Menus pass other values as the second argument.
      const wanted = sheetChoices.find(one => one === choice);
      return await (await sheets.get()).show(target, { wish: wanted && { choice: wanted, size } });
    }),
    commands.register('managedAgents.file.check', async given =>
      (await sheets.get()).show(await chooseTarget(given, false), { isToSend: false }),
    ),
    commands.register('managedAgents.retry.plan', async target => {
      const { file, runId } = await (await loadRunChoice()).chooseRunToRetry(registry, target);
      return await (await sheets.get()).show(file, { wish: { choice: 'retry', runId }, isToSend: mayUse('change') });
    }),
    commands.register('managedAgents.submission.resolve', async target =>
      (await import('./reconciling/stepsCommands')).findOut(acting, await steps.get(), target),
    ),
    commands.register('managedAgents.submission.forget', async target =>
      (await import('./reconciling/stepsCommands')).forget(registry, target),
    ),
    commands.register('managedAgents.batch.adopt', async target => {
      const chosen = target ?? (await (await onView()).pick('adoptable'));
      await (await import('./reconciling/adoptBatch')).adoptBatch(acting, chosen);
    }),
    commands.register('managedAgents.group.resume', async target => (await import('./groups/resumeGroup')).resume(acting, target)),
    commands.register('managedAgents.batch.fetchResults', async target => {
      const chosen = target ?? (await (await onView()).pick('hasResults'));
      await registry.load();
      const run = await (await loadRunChoice()).findRun(registry, chosen, vscode.l10n.t);
      await (await import('./fetching/fetchCommand')).fetchCommand(fetching, run);
    }),
    commands.register('managedAgents.batch.openResults', async target => (await import('./openRunFiles')).openResults(registry, target)),
    commands.register('managedAgents.batch.openSource', async target => (await import('./openRunFiles')).openSource(registry, target)),
    commands.register('managedAgents.run.showAtLines', async target =>
      (await loadRunChoice()).showAtLines(registry, await chosenRuns.get(), target),
    ),
    commands.register('managedAgents.batches.loadMore', async () => (await onView())['managedAgents.batches.loadMore']()),
    commands.register('managedAgents.batch.open', async target => (await onView())['managedAgents.batch.open'](target)),
    commands.register('managedAgents.batch.cancel', async target => (await onView())['managedAgents.batch.cancel'](target)),
    batches,
  );
}
