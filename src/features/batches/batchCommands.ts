import * as vscode from 'vscode';
import type { MessageBatch } from '../../client/schemas/messageBatches';
import type { ServiceClient } from '../../client/serviceClient';
import { askModal } from '../../common/asking/notifications';
import { CancelledError } from '../../common/cancellation';
import { type CommandRegistry, runCommand } from '../../common/commands';
import { combine } from '../../common/disposables';
import { hostOf, nameWithHost, type PresentationContext } from '../../common/text/presentation';
import type { BatchReference, RunReference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { type Connection, type Connections, refuseUntrusted } from '../connection';
import type { SubmissionRegistry } from '../ledger';
import type { BatchDocuments } from './batchDocuments';
import { describeCounts } from './batchPresentation';
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
      const chosen = await choose(deps, target, 'cancelable', vscode.l10n.t('Cancel which batch?'));
      await (chosen.runId === undefined ? cancel(deps, chosen) : runCommand('managedAgents.group.cancel', { runId: chosen.runId }));
    }),
    commands.register('managedAgents.batch.delete', async target => {
      const chosen = await choose(deps, target, 'deletable', vscode.l10n.t('Delete which batch?'));
      await (chosen.runId === undefined ? remove(deps, chosen) : runCommand('managedAgents.group.delete', { runId: chosen.runId }));
    }),
  );
}

/** A batch, or with `runId` the group of batches of that run. */
export type BatchOrGroup = BatchReference & Partial<RunReference>;

/** The batch or group a command is about: its argument, or the user's choice among the listed ones with that ability. */
export async function choose(
  { store, presentation, refresh }: Pick<BatchCommandDependencies, 'store' | 'presentation' | 'refresh'>,
  target: BatchOrGroup | undefined,
  ability: string,
  question: string,
): Promise<BatchOrGroup> {
  if (target !== undefined) {
    // Menus hand over tree items, which carry more than a reference.
    const { connection, batchId, runId } = target;
    return { connection, batchId, ...(runId !== undefined && { runId }) };
  }
  if (store.rows().length === 0) {
    await refresh();
  }
  const { pickBatch } = await import('./pickBatch');
  const chosen = await pickBatch(store, ability, question, presentation());
  if (chosen === undefined) {
    throw new CancelledError();
  }
  return chosen;
}

function idsOf({ store }: BatchCommandDependencies, { batchId, runId }: BatchOrGroup): readonly string[] {
  const group = runId === undefined ? undefined : store.group(runId);
  return group === undefined ? [batchId] : batchesOf(group).map(({ id }) => id);
}

async function cancel(deps: BatchCommandDependencies, target: BatchReference): Promise<void> {
  const { connection, client } = await reach(deps, target);
  const confirm: vscode.MessageItem = { title: vscode.l10n.t('Cancel Batch') };
  const answer = await askModal(
    vscode.l10n.t('Cancel batch {0}?', toLabel(target.batchId, 80)),
    {
      detail: vscode.l10n.t(
        'Connection: {0}\n\nRequests that already run are still finished, and what succeeded stays available as results. Canceling cannot be undone.',
        nameWithHost({ name: connection.name, host: hostOf(connection) }),
      ),
    },
    confirm,
    { title: vscode.l10n.t('Let It Run'), isCloseAffordance: true },
  );
  if (answer !== confirm) {
    return;
  }
  const { data } = await client.batches.cancel(target.batchId);
  await see(deps, target, data);
  await deps.refresh();
}

async function remove(deps: BatchCommandDependencies, target: BatchReference): Promise<void> {
  const { connection, client } = await reach(deps, target);
  const batch = deps.store.find(target.connection, target.batchId);
  const submission = deps.registry.findByBatch(target.connection, target.batchId);
  const confirm = vscode.l10n.t('Delete Batch');
  const answer = await askModal(
    vscode.l10n.t('Delete batch {0} and its results from the service?', toLabel(target.batchId, 80)),
    {
      detail: [
        vscode.l10n.t('Connection: {0}', nameWithHost({ name: connection.name, host: hostOf(connection) })),
        batch === undefined ? '' : describeCounts(batch, deps.presentation()),
        submission !== undefined && submission.results === undefined
          ? vscode.l10n.t('Its results have not been fetched to this machine.')
          : '',
        vscode.l10n.t('This cannot be undone. Files on this machine stay.'),
      ]
        .filter(line => line !== '')
        .join('\n'),
    },
    confirm,
  );
  if (answer !== confirm) {
    return;
  }
  await client.batches.delete(target.batchId);
  if (submission !== undefined) {
    await deps.registry.update(submission.id, { deleted: true });
  }
  deps.store.remove(target.connection, target.batchId);
  await deps.refresh();
}

async function loadMore({ connections, store }: BatchCommandDependencies): Promise<void> {
  const { current } = connections;
  if (current === undefined || store.connectionName !== current.name) {
    return;
  }
  await vscode.window.withProgress({ location: { viewId: 'managedAgents.batches' } }, async () => {
    const client = await connections.client(current, 'look');
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

/** The connection of a batch and its client, to change it. */
async function reach(deps: BatchCommandDependencies, target: BatchReference): Promise<{ connection: Connection; client: ServiceClient }> {
  refuseUntrusted('change');
  const connection = deps.connections.find(target.connection);
  if (connection === undefined) {
    throw new Error(
      vscode.l10n.t('The connection {0} of this batch no longer exists. Add it again to reach the batch.', target.connection),
    );
  }
  return { connection, client: await deps.connections.client(connection, 'change') };
}
