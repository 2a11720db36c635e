import * as vscode from 'vscode';
import { offer, showWarning } from '../../../common/asking/notifications';
import { copyIds } from '../../../common/copyIds';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { views } from '../../../contributions';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import type { Submission } from '../../ledger';
import { nameAmong } from '../sourceNames';

/** Duration of the status bar message in milliseconds. Short, because the row shows the same information. */
const messageMs = 5000;

/** A submission with its batch. `unsaved` is the error if it could not be saved. */
export interface Created {
  readonly submission: Submission;
  readonly unsaved?: unknown;
}

/** Reports new batches of one file in the status bar, or in a warning if they could not be saved. The file's name is unique among `all`. */
export async function showCreated(all: readonly Submission[], created: readonly Created[]): Promise<void> {
  const { t } = vscode.l10n;
  const number = numberFormat(vscode.env.language);
  const name = toLabel(nameAmong(all, created[0]?.submission.source ?? ''), 80);
  const count = created.reduce((sum, { submission }) => sum + submission.requestCount, 0);
  const message =
    created.length > 1
      ? t('{0} batches created from {1}: {2} requests.', number.format(created.length), name, number.format(count))
      : count === 1
        ? t('Batch of {0} created: 1 request.', name)
        : t('Batch of {0} created: {1} requests.', name, number.format(count));
  const unsaved = created.filter(({ unsaved: problem }) => problem !== undefined).map(({ submission }) => submission.batchId ?? '');
  if (unsaved.length === 0) {
    vscode.window.setStatusBarMessage(withoutIcons(message), messageMs);
    return;
  }
  const lost = t("{0} Couldn't save it on this machine. Link it to its file later: {1}", message, toLabel(unsaved.join(', '), 300));
  await offer(
    showWarning,
    lost,
    [t('Copy Batch ID'), () => copyIds(unsaved)],
    [t('Show in Batches View'), () => vscode.commands.executeCommand(`${views.batches}.focus`)],
  );
}
