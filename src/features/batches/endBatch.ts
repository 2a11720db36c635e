import * as vscode from 'vscode';
import type { MessageBatch } from '../../client/schemas/messageBatches';
import { ServiceError } from '../../client/transport/errors';
import { confirmChange } from '../../common/asking/confirmChange';
import type { BatchReference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { reach } from '../connection';
import type { Submission } from '../ledger';
import type { BatchCommandDependencies } from './batchCommands';
import { describeCounts } from './batchPresentation';
import { baseName } from './sourceNames';

/** Cancels a batch after a question. What still runs is finished by the service. */
export async function cancelBatch(deps: BatchCommandDependencies, target: BatchReference): Promise<void> {
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

/** Deletes an ended batch from the service after a question. Files on this machine stay. */
export async function deleteBatch(deps: BatchCommandDependencies, target: BatchReference): Promise<void> {
  const { connection, client } = await reach(deps.connections, target.connection, 'change');
  const batch = deps.store.findIn(target.connection, target.batchId);
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

async function see({ store, registry }: BatchCommandDependencies, target: BatchReference, batch: MessageBatch): Promise<void> {
  const submission = registry.findByBatch(target.connection, target.batchId);
  if (submission !== undefined && batch.processing_status !== 'ended') {
    await registry.update(submission.id, { batch });
  }
  store.put(target.connection, batch);
}
