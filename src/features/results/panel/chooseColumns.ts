import * as vscode from 'vscode';
import { toJsonPath } from '../../../jsonl/querying/valueColumns';
import type { ColumnLayout, TableColumn, TableSubject } from '../../../shared/results/resultsProtocol';
import { knownColumnsOf, titleOf, withColumns } from './tableColumns';

interface ColumnItem extends vscode.QuickPickItem {
  /** Undefined: a field that is asked for next. */
  readonly name: TableColumn['name'] | undefined;
}

/** Lets the user choose which columns are shown, fields of answers in JSON among them; `null` for the usual ones, undefined when nothing was chosen. */
export async function chooseColumns(layout: ColumnLayout, subject: TableSubject): Promise<ColumnLayout | null | undefined> {
  const { t } = vscode.l10n;
  const isAnswer = subject === 'results';
  const paths = layout.flatMap(({ name }) => (name.startsWith('$.') ? [name] : []));
  const items: readonly ColumnItem[] = [
    ...[...knownColumnsOf(subject), ...paths].map(name => ({
      name,
      label: titleOf(name, t, subject),
      picked: layout.some(column => column.name === name),
      ...(name.startsWith('$.') && { description: isAnswer ? t('field of JSON answers') : t('field of requests') }),
    })),
    { name: undefined, label: isAnswer ? t('Add a Field of JSON Answers...') : t('Add a Field of Requests...') },
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: isAnswer ? t('Columns of Results Tables') : t('Columns of Request Tables'),
    placeHolder: t('Choose the columns to show. Drag their headers to reorder them.'),
  });
  if (chosen === undefined) {
    return undefined;
  }
  const names = chosen.flatMap(({ name }) => name ?? []);
  if (chosen.every(({ name }) => name !== undefined)) {
    return names.length === 0 ? null : withColumns(layout, names);
  }
  const path = await vscode.window.showInputBox({
    title: isAnswer ? t('Add a Field of JSON Answers') : t('Add a Field of Requests'),
    prompt: isAnswer ? t('Where the value is in the JSON of an answer') : t('Where the value is in the JSON of a request'),
    placeHolder: isAnswer ? 'label, items.0.score' : 'params.temperature, params.metadata.user_id',
    validateInput: text =>
      text.trim() === '' || toJsonPath(text) !== undefined ? undefined : t('Enter names separated by dots, such as {0}.', 'items.0.score'),
  });
  const added = path === undefined || path.trim() === '' ? undefined : toJsonPath(path);
  return added === undefined ? undefined : withColumns(layout, [...names, added]);
}
