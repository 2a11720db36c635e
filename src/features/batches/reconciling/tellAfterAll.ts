import * as vscode from 'vscode';
import { showWarning } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import { toLabel } from '../../../shared/text';
import type { Submission } from '../../ledger';
import { baseName } from '../batchPresentation';
import { newsAfterAll } from './lookFor';

/** Tells when a submission of which the user said that it made no batch has made one after all, or may have. Settles with the answer. */
export async function tellAfterAll(before: Submission, after: Submission): Promise<void> {
  const news = newsAfterAll(before, after);
  const file = toLabel(baseName(after.source), 80);
  const { connection, batchId = '' } = after;
  if (news === 'created') {
    const open = vscode.l10n.t('Open Batch');
    const message = vscode.l10n.t(
      'A batch was created from {0} after all, as the ids in its results prove: {1}.',
      file,
      toLabel(batchId, 80),
    );
    if ((await showWarning(message, open)) === open) {
      await runCommand('managedAgents.batch.open', { connection, batchId });
    }
  } else if (news === 'candidate') {
    const resolve = vscode.l10n.t('Find Out What Happened');
    const message = vscode.l10n.t(
      'You said that no batch was created from {0}. By now the service lists one that can be it. If it is, it runs, and costs.',
      file,
    );
    if ((await showWarning(message, resolve)) === resolve) {
      await runCommand('managedAgents.submission.resolve', { submissionId: after.id });
    }
  }
}
