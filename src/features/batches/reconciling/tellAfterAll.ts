import * as vscode from 'vscode';
import { showWarning } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import { toLabel } from '../../../shared/text';
import type { Submission } from '../../ledger';
import { nameAmong } from '../sourceNames';
import { isNewsAfterAll } from './lookFor';

/** Warns if a submission that the user marked as not created may have created a batch after all. Settles with the answer. */
export async function tellAfterAll(all: readonly Submission[], before: Submission, after: Submission): Promise<void> {
  if (!isNewsAfterAll(before, after)) {
    return;
  }
  const resolve = vscode.l10n.t('Show Submission Log');
  const message = vscode.l10n.t(
    'The service lists a batch that may be from {0}. It runs and costs money.',
    toLabel(nameAmong(all, after.source), 80),
  );
  if ((await showWarning(message, resolve)) === resolve) {
    await runCommand('managedAgents.submission.resolve', { submissionId: after.id });
  }
}
