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
  const resolve = vscode.l10n.t('Find Out What Happened');
  const message = vscode.l10n.t(
    'You said that no batch was created from {0}. By now the service lists one that can be it. If it is, it runs, and costs.',
    toLabel(nameAmong(all, after.source), 80),
  );
  if ((await showWarning(message, resolve)) === resolve) {
    await runCommand('managedAgents.submission.resolve', { submissionId: after.id });
  }
}
