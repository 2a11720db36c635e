import * as vscode from 'vscode';
import type { MessageBatch } from '../../client/schemas/messageBatches';
import { ServiceError } from '../../client/transport/errors';
import { confirmChange } from '../../common/asking/confirmChange';
import { type CommandRegistry, runCommand } from '../../common/commands';
import { combine } from '../../common/disposables';
import type { PresentationContext } from '../../common/text/presentation';
import type { BatchReference, RunReference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { type Connections, reach, refuseUntrusted } from '../connection';
import type { Submission, SubmissionRegistry } from '../ledger';
import type { BatchDocuments } from './batchDocuments';
import { baseName, describeCounts } from './batchPresentation';
import { type BatchStore, pageSize } from './batchStore';
import { batchesOf } from './groups/groupRow';

export interface BatchCommandDependencies {
  readonly commands: CommandRegistry;
  readonly connections: Connections;
  readonly registry: SubmissionRegistry;
  readonly store: BatchStore;
  readonly documents: BatchDocuments;
  readonly presentation: () => PresentationContext;
  /** Looks at the service now; settles when what it said is in the store. */
  readonly refresh: () => Promise<void>;
}

/** Commands on listed batches: open, show as JSON, cancel, delete, copy the id, refresh, load more. */
export function registerBatchCommands(deps: BatchCommandDependencies): vscode.Disposable {
  const { commands, documents } = deps;
  return combine(
    commands.register('managedAgents.batches.refresh', async () => {
      refuseUntrusted('look');
      await vscode.window.withProgress({ location: { viewId: 'managedAgents.batches' } }, () => deps.refresh());
    }),
    commands.register('managedAgents.batches.loadMore', () => loadMore(deps)),
    commands.register('managedAgents.batch.open', async target => {
      await documents.openPage(await choose(deps, target, 'batch', vscode.l10n.t('Open which batch?')));
    }),
    commands.register('managedAgents.batch.showJson', async target => {
      await documents.openJson(await choose(deps, target, 'batch', vscode.l10n.t('Show which batch as JSON?')));
    }),
    commands.register('managedAgents.batch.copyId', async target => {
      const chosen = await choose(deps, target, 'batch', vscode.l10n.t('Copy the ID of which batch?'));
      const ids = idsOf(deps, chosen).join('\n');
      await vscode.env.clipboard.writeText(ids);
      vscode.window.setStatusBarMessage(vscode.l10n.t('Copied {0}', toLabel(ids, 80)), 3000);
    }),
    commands.register('managedAgents.batch.cancel', async target => {
      refuseUntrusted('change');
      const chosen = await choose(deps, target, 'cancelable', vscode.l10n.t('Cancel which batch?'));
      await (chosen.runId === undefined ? cancel(deps, chosen) : runCommand('managedAgents.group.cancel', { runId: chosen.runId }));
    }),
    commands.register('managedAgents.batch.delete', async target => {
      refuseUntrusted('change');
      const chosen = await choose(deps, target, 'deletable', vscode.l10n.t('Delete which batch?'));
      await (chosen.runId === undefined ? remove(deps, chosen) : runCommand('managedAgents.group.delete', { runId: chosen.runId }));
    }),
  );
}

/** A batch, or with `runId` the group of batches of that run. */
export type BatchOrGroup = BatchReference & Partial<RunReference>;

/** The batch or group a command is about: its argument, or the user's choice among the listed ones with that ability. */
export async function choose(
  { connections, store, presentation, refresh }: Pick<BatchCommandDependencies, 'connections' | 'store' | 'presentation' | 'refresh'>,
  target: BatchOrGroup | undefined,
  ability: string,
  question: string,
): Promise<BatchOrGroup> {
  if (target !== undefined) {
    // Menus hand over tree items, which carry more than a reference.
    const { connection, batchId, runId } = target;
    return { connection, batchId, ...(runId !== undefined && { runId }) };
  }
  const { pickBatch } = await import('./pickBatch');
  return await pickBatch(store, ability, question, presentation(), () => (store.isListed ? loadMore({ connections, store }) : refresh()));
}

function idsOf({ store }: BatchCommandDependencies, { batchId, runId }: BatchOrGroup): readonly string[] {
  const group = runId === undefined ? undefined : store.group(runId);
  return group === undefined ? [batchId] : batchesOf(group).map(({ id }) => id);
}

async function cancel(deps: BatchCommandDependencies, target: BatchReference): Promise<void> {
  const { connection, client } = await reach(deps.connections, target.connection, 'change');
  const file = sourceOf(deps.registry.findByBatch(target.connection, target.batchId));
  await confirmChange(connection, {
    title:
      file === undefined
        ? vscode.l10n.t('Cancel batch {0}?', toLabel(target.batchId, 80))
        : vscode.l10n.t('Cancel the batch of {0}?', file),
    details: [
      file === undefined ? '' : vscode.l10n.t('Its ID is {0}.', toLabel(target.batchId, 80)),
      vscode.l10n.t(
        'Requests that already run are still finished, and what succeeded stays available as results. Canceling cannot be undone.',
      ),
    ],
    button: vscode.l10n.t('Cancel Batch'),
    keep: vscode.l10n.t('Let It Run'),
  });
  const { data } = await unlessGone(deps, target, () => client.batches.cancel(target.batchId));
  await see(deps, target, data);
  await deps.refresh();
}

async function remove(deps: BatchCommandDependencies, target: BatchReference): Promise<void> {
  const { connection, client } = await reach(deps.connections, target.connection, 'change');
  const batch = deps.store.find(target.connection, target.batchId);
  const submission = deps.registry.findByBatch(target.connection, target.batchId);
  const file = sourceOf(submission);
  const isOnlyThere = submission !== undefined && submission.results === undefined;
  await confirmChange(connection, {
    title:
      file === undefined
        ? vscode.l10n.t('Delete batch {0} and its results from the service?', toLabel(target.batchId, 80))
        : vscode.l10n.t('Delete the batch of {0} and its results from the service?', file),
    details: [
      file === undefined ? '' : vscode.l10n.t('Its ID is {0}.', toLabel(target.batchId, 80)),
      batch === undefined ? '' : describeCounts(batch, deps.presentation()),
      isOnlyThere ? vscode.l10n.t('Its results have not been fetched to this machine.') : '',
      vscode.l10n.t('This cannot be undone. Files on this machine stay.'),
    ],
    button: vscode.l10n.t('Delete Batch'),
  });
  await unlessGone(deps, target, () => client.batches.delete(target.batchId));
  if (submission !== undefined) {
    await deps.registry.update(submission.id, { deleted: true });
  }
  deps.store.remove(target.connection, target.batchId);
  await deps.refresh();
}

/** The name of the file that a batch was made of, as questions call it. */
function sourceOf(submission: Submission | undefined): string | undefined {
  return submission === undefined ? undefined : toLabel(baseName(submission.source), 80);
}

/** Of a batch that is not found the row goes, and a sentence says so. The ledger stays as it is: another key may not see what runs. */
async function unlessGone<T>(
  { store }: BatchCommandDependencies,
  { connection, batchId }: BatchReference,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 404) {
      throw error;
    }
    store.remove(connection, batchId);
    throw new Error(vscode.l10n.t('The batch {0} is no longer on the service.', toLabel(batchId, 80)), { cause: error });
  }
}

async function loadMore({ connections, store }: Pick<BatchCommandDependencies, 'connections' | 'store'>): Promise<void> {
  const { current } = connections;
  if (current === undefined || store.connectionName !== current.name) {
    return;
  }
  await vscode.window.withProgress({ location: { viewId: 'managedAgents.batches' } }, async () => {
    const { client } = await reach(connections, current, 'look');
    await store.loadMore(cursor => client.batches.list({ limit: pageSize, cursor }));
  });
}

async function see({ store, registry }: BatchCommandDependencies, target: BatchReference, batch: MessageBatch): Promise<void> {
  const submission = registry.findByBatch(target.connection, target.batchId);
  if (submission !== undefined && batch.processing_status !== 'ended') {
    await registry.update(submission.id, { batch });
  }
  store.put(target.connection, batch);
}
