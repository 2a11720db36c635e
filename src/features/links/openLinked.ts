import * as vscode from 'vscode';
import { offer, showInformation } from '../../common/asking/notifications';
import { demandCommand, runCommand } from '../../common/commands';
import type { BatchReference } from '../../contributions';
import { resultsOf, runOf, type SubmissionRegistry } from '../ledger';
import type { LinkTarget } from './linkForm';

/** Record of the batches sent from this machine. */
export type SentBatches = Pick<SubmissionRegistry, 'all' | 'reload' | 'findByBatch'>;

/**
 * Opens the target of a link with the command that a user would run, so that the same rules apply in an untrusted workspace. Throws a
 * `CancelledError` if the user cancelled, or if the command failed and has reported the failure.
 */
export async function openLinked(registry: SentBatches, connection: string, target: LinkTarget): Promise<void> {
  switch (target.kind) {
    case 'session':
      return await demandCommand('managedAgents.session.open', { connection, sessionId: target.id }, target.event);
    case 'agent': {
      const { id: agentId, version } = target;
      return await demandCommand('managedAgents.open', { connection, agentId, ...(version !== undefined && { version }) });
    }
    case 'batch':
      return await openBatch(registry, { connection, batchId: target.id }, target.customId);
  }
}

/** Opens a batch. If its results are on this machine, opens the request `customId` in them. */
async function openBatch(registry: SentBatches, batch: BatchReference, customId: string | undefined): Promise<void> {
  if (customId === undefined) {
    return await demandCommand('managedAgents.batch.open', batch);
  }
  await registry.reload();
  const submission = registry.findByBatch(batch.connection, batch.batchId);
  const run = submission && runOf(registry.all(), submission);
  if (run !== undefined && resultsOf(run) !== undefined) {
    return await demandCommand('managedAgents.results.show', batch, customId);
  }
  await demandCommand('managedAgents.batch.open', batch);
  void offerResults(batch);
}

async function offerResults(batch: BatchReference): Promise<void> {
  const { t } = vscode.l10n;
  const fetch = () => runCommand('managedAgents.batch.fetchResults', batch);
  await offer(showInformation, t('Fetch the results first.'), [t('Fetch Results'), fetch]);
}
