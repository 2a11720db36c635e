import path from 'node:path';
import * as vscode from 'vscode';
import { freePlaceBeside } from '../../../common/asking/newFile';
import { offerToOpen } from '../../../common/asking/notifications';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';

/** Returns the path for selected requests of a file: a free name in its folder, or else a path that the user chooses. */
export async function pathForSelected(source: vscode.Uri): Promise<string> {
  const stem = path.posix
    .basename(source.path)
    .replace(/[/\\:]/g, '-')
    .replace(/\.(?:jsonl|ndjson)$/i, '');
  return await freePlaceBeside(source, `${stem === '' ? 'requests' : stem}.selected`, '.jsonl', vscode.l10n.t('Save Requests'));
}

/** Shows how many lines were written and offers to open the file. `gone` is the number of requests that were no longer in their file. */
export function tellWritten(outPath: string, written: number, gone = 0): void {
  const { t } = vscode.l10n;
  const number = numberFormat(vscode.env.language);
  const name = toLabel(path.basename(outPath), 80);
  const words = t('Lines written to {1}: {0}.', number.format(written), name);
  const lost = gone === 0 ? '' : ` ${t('No longer in the file, left out: {0}.', number.format(gone))}`;
  offerToOpen(`${words}${lost}`, vscode.Uri.file(outPath));
}
