import type { Memento } from 'vscode';
import type { Translate } from '../../../common/text/translate';
import { isValueColumn, type ValueColumnName } from '../../../jsonl/querying/valueColumns';
import type { ColumnLayout, TableColumn, TableSubject } from '../../../shared/results/resultsProtocol';
import { toLabel } from '../../../shared/text';
import { columnLayoutSchema } from './fromResultsSchema';

const keys: Readonly<Record<TableSubject, string>> = {
  results: 'managedAgents.results.columns',
  requests: 'managedAgents.requests.columns',
};

type ColumnName = TableColumn['name'];

/** Columns that all results have. */
export const knownColumns: readonly ColumnName[] = [
  ...(['id', 'status', 'words', 'test', 'line', 'stop_reason', 'model', 'input_tokens', 'output_tokens'] as const),
];

/** Columns that all requests have. */
const requestColumns: readonly ColumnName[] = ['id', 'problem', 'words', 'line', 'model', 'input_tokens', 'output_tokens'];

export function knownColumnsOf(subject: TableSubject): readonly ColumnName[] {
  return subject === 'requests' ? requestColumns : knownColumns;
}

/** Returns the columns of a table until the user chooses others: those that fit beside the answer, or all of requests. */
export function usualColumns(subject: TableSubject, hasExpectations: boolean): ColumnLayout {
  const names = subject === 'requests' ? requestColumns : knownColumns.slice(0, hasExpectations ? 4 : 3);
  return names.map(name => ({ name }));
}

/** Returns the layout that the user chose in this workspace, if any. */
export function readColumnLayout(memento: Pick<Memento, 'get'>, subject: TableSubject): ColumnLayout | undefined {
  return columnLayoutSchema.safeParse(memento.get(keys[subject])).data;
}

/** Stores the layout of this workspace; `undefined` for the usual one. */
export async function writeColumnLayout(
  memento: Pick<Memento, 'update'>,
  subject: TableSubject,
  layout: ColumnLayout | undefined,
): Promise<void> {
  await memento.update(keys[subject], layout);
}

/** Returns the columns of a layout whose values are read from the results. */
export function valuesIn(layout: ColumnLayout): readonly ValueColumnName[] {
  return layout.flatMap(({ name }) => (isValueColumn(name) ? [name] : []));
}

/** A layout with titles, each column once. */
export function toTableColumns(layout: ColumnLayout, t: Translate, subject: TableSubject = 'results'): readonly TableColumn[] {
  const byName = new Map(layout.map(column => [column.name, { ...column, title: titleOf(column.name, t, subject) }]));
  return [...byName.values()];
}

/** Returns a layout of just these columns: those that it had keep their order, others come last, so that the answer stays on screen. */
export function withColumns(layout: ColumnLayout, names: readonly ColumnName[]): ColumnLayout {
  const added = names.filter(name => !layout.some(column => column.name === name)).map(name => ({ name }));
  return [...layout.filter(({ name }) => names.includes(name)), ...added];
}

/** The head of a column. */
export function titleOf(name: ColumnName, t: Translate, subject: TableSubject = 'results'): string {
  switch (name) {
    case 'problem':
      return t('Problems');
    case 'line':
      return t('Line');
    case 'id':
      return t('ID');
    case 'status':
      return t('Status');
    case 'stop_reason':
      return t('Stop reason');
    case 'input_tokens':
      return subject === 'requests' ? t('Tokens') : t('Input tokens');
    case 'output_tokens':
      return subject === 'requests' ? 'max_tokens' : t('Output tokens');
    case 'model':
      return t('Model');
    case 'test':
      return t('Expected');
    case 'words':
      return subject === 'requests' ? t('Prompt') : t('Answer');
    default:
      return toLabel(name.replace(/^(?:\$|fields)\./, ''), 40);
  }
}
