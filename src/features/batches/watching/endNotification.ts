import * as vscode from 'vscode';
import type { MessageBatch } from '../../../client/schemas/messageBatches';
import { runCommand } from '../../../common/commands';
import type { PresentationContext } from '../../../common/presentation';
import { readSetting } from '../../../common/settings';
import { toLabel } from '../../../common/text';
import { baseName, describeCounts } from '../batchPresentation';
import type { Submission } from '../ledger/submission';

/** Tells that a batch of ours has ended, with what became of it and the way to its results. The setting may silence it. */
export async function notifyEnded(submission: Submission, batch: MessageBatch, context: PresentationContext): Promise<void> {
  const { errored, canceled, expired, succeeded } = batch.request_counts;
  const troubled = errored + canceled + expired > 0;
  const wanted = readSetting('managedAgents.batches.notify');
  if (wanted === 'never' || (wanted === 'problems' && !troubled)) {
    return;
  }
  const name = toLabel(baseName(submission.source), 80);
  const counts = describeCounts(batch, context);
  const message = vscode.l10n.t('The batch of {0} has ended: {1}.', name, counts);
  const fetch = vscode.l10n.t('Fetch Results');
  const open = vscode.l10n.t('Open Batch');
  const show = troubled && succeeded === 0 ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const choice = await show(message, fetch, open);
  const reference = { connection: submission.connection, batchId: batch.id };
  if (choice === fetch) {
    await runCommand('managedAgents.batch.fetchResults', reference);
  } else if (choice === open) {
    await runCommand('managedAgents.batch.open', reference);
  }
}
