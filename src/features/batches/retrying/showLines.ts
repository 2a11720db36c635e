import * as vscode from 'vscode';
import type { RetryGroup } from '../../../jsonl/retrying/retryingJobs';
import { numberFormat } from '../../../shared/formats';
import { baseName } from '../sourceNames';
import type { RetrySources } from './retrySources';

/** Lines that a list shows; the results panel and the plan's page have the others. */
const listed = 1000;

/** Lists the lines of a group and opens the chosen one; false when none was. */
export async function showLines(group: RetryGroup, sources: RetrySources): Promise<boolean> {
  const { t } = vscode.l10n;
  const number = numberFormat(vscode.env.language);
  const several = new Set(sources.files.map(({ source }) => source)).size > 1;
  const items = Array.from(group.lines.subarray(0, listed), (line, place) => {
    const { source } = sources.files[group.places[place * 2] ?? 0] ?? {};
    return { label: t('Line {0}', number.format(line + 1)), description: several && source !== undefined ? baseName(source) : '', place };
  });
  const chosen = await vscode.window.showQuickPick(items, {
    placeHolder:
      group.lines.length > listed
        ? t('The first {0} of {1} lines', number.format(listed), number.format(group.lines.length))
        : group.lines.length === 1
          ? t('1 line')
          : t('{0} lines', number.format(group.lines.length)),
    ignoreFocusOut: true,
  });
  if (chosen === undefined) {
    return false;
  }
  await openLine(group, chosen.place, sources);
  return true;
}

/** Opens the file of one request of a group at its line. */
export async function openLine(group: RetryGroup, place: number, { files }: RetrySources): Promise<void> {
  const file = files[group.places[place * 2] ?? 0];
  const line = group.lines[place] ?? 0;
  if (file !== undefined) {
    const uri = file.source === undefined ? vscode.Uri.file(file.path) : vscode.Uri.parse(file.source);
    await vscode.commands.executeCommand('vscode.open', uri, { selection: new vscode.Range(line, 0, line, 0) });
  }
}
