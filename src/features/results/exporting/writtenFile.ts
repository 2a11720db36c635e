import path from 'node:path';
import * as vscode from 'vscode';
import { askWhere, freeNameBeside } from '../../../common/asking/newFile';
import { showInformation } from '../../../common/asking/notifications';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';

/** Returns the path for selected requests of a file: a free name in its folder, or else a path that the user chooses. */
export async function placeForSelected(source: vscode.Uri): Promise<string> {
  const stem = path.posix
    .basename(source.path)
    .replace(/[/\\:]/g, '-')
    .replace(/\.(?:jsonl|ndjson)$/i, '');
  return await placeFor(source, `${stem === '' ? 'requests' : stem}.selected`, vscode.l10n.t('Save Requests'));
}

async function placeFor(beside: vscode.Uri, stem: string, title: string): Promise<string> {
  return (await freeNameBeside(beside, stem, '.jsonl')) ?? (await askWhere(`${stem}.jsonl`, title));
}

/** Shows how many lines were written and offers to open the file. `gone` is the number of requests that were no longer in their file. */
export async function tellWritten(outPath: string, written: number, gone = 0): Promise<void> {
  const { t } = vscode.l10n;
  const number = numberFormat(vscode.env.language);
  const name = toLabel(path.basename(outPath), 80);
  const words = t('Lines written to {1}: {0}.', number.format(written), name);
  const lost = gone === 0 ? '' : ` ${t('No longer in the file, left out: {0}.', number.format(gone))}`;
  const open = t('Open');
  void showInformation(`${words}${lost}`, open).then(async choice => {
    if (choice === open) {
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(outPath));
    }
  });
}
