import * as vscode from 'vscode';
import { chooseFile } from '../../../common/asking/chooseFile';
import { toLabel } from '../../../shared/text';
import type { ResultsPanels } from '../panel/resultsPanels';
import { nameOf } from '../panel/shownResults';

/** The command that shows the requests of a file in a table, whether they were sent or not; without a file it is the one in front, or the user is asked. */
export async function showRequests(panels: ResultsPanels, target: vscode.Uri | undefined): Promise<void> {
  const { t } = vscode.l10n;
  const file = await chooseFile(target, { question: t('Show the requests of which file?'), openLabel: t('Show as Table') });
  if (file.scheme !== 'file') {
    throw new Error(t('Save {0} first: the table reads the file from the disk.', toLabel(nameOf(file), 80)));
  }
  panels.show({ requests: file.fsPath }, {});
}
