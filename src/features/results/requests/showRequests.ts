import * as vscode from 'vscode';
import { chooseFile } from '../../../common/asking/chooseFile';
import { toLabel } from '../../../shared/text';
import type { ResultsPanels } from '../panel/resultsPanels';
import { nameOf } from '../panel/shownResults';

/** Shows the requests of a file in a table, whether or not they have been sent. Without a file, uses the active one or asks the user. */
export async function showRequests(panels: ResultsPanels, target: vscode.Uri | undefined): Promise<void> {
  const { t } = vscode.l10n;
  const file = await chooseFile(target, { question: t('Select a request file'), openLabel: t('Show as Table') });
  if (file.scheme !== 'file') {
    throw new Error(t('Save {0} first.', toLabel(nameOf(file), 80)));
  }
  panels.show({ requests: file.fsPath }, {});
}
