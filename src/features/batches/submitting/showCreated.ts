import * as vscode from 'vscode';
import { showInformation, showWarning } from '../../../common/asking/notifications';
import { views } from '../../../contributions';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import type { Submission } from '../../ledger';

/** Tells that a submission has its batch. */
export async function showCreated(submission: Submission, unsaved?: unknown): Promise<void> {
  const id = toLabel(submission.batchId ?? '', 80);
  const requests = numberFormat(vscode.env.language).format(submission.requestCount);
  const message =
    submission.requestCount === 1
      ? vscode.l10n.t('Batch {0} created: 1 request.', id)
      : vscode.l10n.t('Batch {0} created: {1} requests.', id, requests);
  const show = vscode.l10n.t('Show in Batches View');
  const copy = vscode.l10n.t('Copy Batch ID');
  const choice =
    unsaved === undefined
      ? await showInformation(message, show)
      : await showWarning(
          vscode.l10n.t(
            '{0} It could not be written down on this machine ({1}): after this window closes, its results can be fetched but not joined with the file.',
            message,
            toLabel(unsaved instanceof Error ? unsaved.message : String(unsaved), 200),
          ),
          copy,
          show,
        );
  if (choice === show) {
    await vscode.commands.executeCommand(`${views.batches}.focus`);
  } else if (choice === copy) {
    await vscode.env.clipboard.writeText(submission.batchId ?? '');
  }
}
