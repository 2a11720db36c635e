import * as vscode from 'vscode';
import { showWarning } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import { toLabel } from '../../../shared/text';
import type { Submission } from '../../ledger';
import { nameAmong } from '../sourceNames';
import { hasNewCandidate } from './searchForBatch';

/** Warns if a submission that the user marked as not created may have created a batch after all. Settles with the user's choice. */
export async function warnOfLateBatch(all: readonly Submission[], before: Submission, after: Submission): Promise<void> {
  if (!hasNewCandidate(before, after)) {
    return;
  }
  const resolve = vscode.l10n.t('Show Submission Log');
  const message = vscode.l10n.t(
    'You marked {0} as not created, but the service now lists a batch that may be it. If so, it runs and costs money.',
    toLabel(nameAmong(all, after.source), 80),
  );
  if ((await showWarning(message, resolve)) === resolve) {
    await runCommand('managedAgents.submission.resolve', { submissionId: after.id });
  }
}
