import * as vscode from 'vscode';
import { showWarning } from '../../../common/asking/notifications';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { views } from '../../../contributions';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import type { Submission } from '../../ledger';
import { nameAmong } from '../sourceNames';

/** For what the row and the status bar show anyway, in milliseconds. */
const glance = 5000;

/** Says that a submission has its batch: in the status bar, or as a warning if that could not be saved. `all` are the submissions that names must differ among. */
export async function showCreated(all: readonly Submission[], submission: Submission, unsaved?: unknown): Promise<void> {
  const name = toLabel(nameAmong(all, submission.source), 80);
  const requests = numberFormat(vscode.env.language).format(submission.requestCount);
  const message =
    submission.requestCount === 1
      ? vscode.l10n.t('Batch of {0} created: 1 request.', name)
      : vscode.l10n.t('Batch of {0} created: {1} requests.', name, requests);
  if (unsaved === undefined) {
    tellInPassing(message);
    return;
  }
  const show = vscode.l10n.t('Show in Batches View');
  const copy = vscode.l10n.t('Copy Batch ID');
  const choice = await showWarning(
    vscode.l10n.t(
      "{0} It couldn't be saved on this machine, so link it to its file later: {1}",
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

/** Tells in the status bar of what went as the user wanted it. */
export function tellInPassing(message: string): void {
  vscode.window.setStatusBarMessage(withoutIcons(message), glance);
}
