import * as vscode from 'vscode';
import type { FieldsSurvey } from '../../../jsonl/querying/surveyFields';
import { isDataColumn, type JsonPath, toJsonPath } from '../../../jsonl/querying/valueColumns';
import { numberFormat } from '../../../shared/formats';
import type { ColumnLayout, TableColumn, TableSubject } from '../../../shared/results/resultsProtocol';
import { knownColumns, requestColumns, titleOf, withColumns } from './tableColumns';

interface ColumnItem extends vscode.QuickPickItem {
  /** `undefined` for the item that asks for a field. */
  readonly name: TableColumn['name'] | undefined;
}

/** Asks for the columns to show. `found` are fields of JSON answers. Returns `null` for the defaults, `undefined` if the user cancels. */
export async function chooseColumns(layout: ColumnLayout, subject: TableSubject, found: Promise<FieldsSurvey> | undefined) {
  const { t } = vscode.l10n;
  const isAnswer = subject === 'results';
  const chosen = await vscode.window.showQuickPick(toItems(layout, subject, found), {
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
  const text = await vscode.window.showInputBox({
    title: isAnswer ? t('Add JSON Answer Fields...') : t('Add Request Fields...'),
    prompt: t('JSON paths, separated by commas'),
    placeHolder: isAnswer ? 'label, items.0.score' : 'params.temperature, params.metadata.user_id',
    validateInput: written => (toJsonPaths(written) === undefined ? t('Field, such as top_p or metadata.user_id') : undefined),
  });
  const added = toJsonPaths(text ?? '');
  return added === undefined || added.length === 0 ? undefined : withColumns(layout, [...names, ...added]);
}

/** Parses paths separated by commas. Returns `undefined` if one of them is malformed. */
export function toJsonPaths(text: string): readonly JsonPath[] | undefined {
  const paths = text.split(',').flatMap(part => (part.trim() === '' ? [] : [toJsonPath(part)]));
  return paths.includes(undefined) ? undefined : paths.filter(path => path !== undefined);
}

async function toItems(
  layout: ColumnLayout,
  subject: TableSubject,
  found: Promise<FieldsSurvey> | undefined,
): Promise<readonly ColumnItem[]> {
  const { t } = vscode.l10n;
  const isAnswer = subject === 'results';
  // The fields are only suggestions. If they can't be read, the other columns can still be chosen.
  const { read, fields } = (await found?.catch(() => undefined)) ?? { read: 0, fields: [] };
  const counts = new Map(fields.map(({ name, count }) => [name as string, count]));
  const number = numberFormat(vscode.env.language);
  const shown = layout.flatMap(({ name }) => (isDataColumn(name) ? [name] : []));
  const describe = (name: string): string => {
    if (name.startsWith('fields.')) {
      return t('extra field of the request');
    }
    const count = number.format(counts.get(name) ?? 0);
    return t('in {0} of {1}', count, number.format(read));
  };
  const toItem = (name: TableColumn['name']): ColumnItem => ({
    name,
    label: titleOf(name, t, subject),
    picked: layout.some(column => column.name === name),
    ...(isDataColumn(name) && counts.has(name) && { description: describe(name) }),
  });
  const separator = { kind: vscode.QuickPickItemKind.Separator, name: undefined };
  return [
    ...(isAnswer ? knownColumns : requestColumns).map(toItem),
    { ...separator, label: isAnswer ? t('JSON answer fields') : t('Request fields') },
    ...[...new Set([...shown, ...fields.map(({ name }) => name)])].map(toItem),
    { name: undefined, label: isAnswer ? t('Add JSON Answer Fields...') : t('Add Request Fields...') },
  ];
}
