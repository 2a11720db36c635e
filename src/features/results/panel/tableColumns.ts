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

/** Every column that all results have, as they stand when nobody chose. */
export const knownColumns: readonly ColumnName[] = [
  ...(['line', 'id', 'state', 'stop_reason', 'input_tokens', 'output_tokens', 'model', 'test', 'words'] as const),
];

/** Every column that all requests have that were not sent, as they stand when nobody chose. */
const requestColumns: readonly ColumnName[] = ['line', 'id', 'model', 'problem', 'input_tokens', 'output_tokens', 'words'];

export function knownColumnsOf(subject: TableSubject): readonly ColumnName[] {
  return subject === 'requests' ? requestColumns : knownColumns;
}

/** What decides which columns a table shows. */
export interface ColumnFacts {
  readonly subject: TableSubject;
  readonly models: number;
  readonly hasExpectations: boolean;
  /** The batch of the results is known here: the lines of its requests, and its models. */
  readonly isKnown: boolean;
}

/** What a table shows that nobody has arranged: lines and models where they say something, and expectations where there are some. */
export function usualColumns({ subject, models, hasExpectations, isKnown }: ColumnFacts): ColumnLayout {
  if (subject === 'requests') {
    return requestColumns.map(name => ({ name }));
  }
  const isShown = (name: ColumnName): boolean => {
    switch (name) {
      case 'line':
        return isKnown;
      case 'model':
        return models > 1 || !isKnown;
      case 'test':
        return hasExpectations;
      default:
        return true;
    }
  };
  return knownColumns.filter(isShown).map(name => ({ name }));
}

/** The columns of a layout that the workspace remembers; undefined when it has none. */
export function readColumnLayout(memento: Pick<Memento, 'get'>, subject: TableSubject): ColumnLayout | undefined {
  return columnLayoutSchema.safeParse(memento.get(keys[subject])).data;
}

/** Remembers a layout in the workspace; undefined for the usual one. */
export async function writeColumnLayout(
  memento: Pick<Memento, 'update'>,
  subject: TableSubject,
  layout: ColumnLayout | undefined,
): Promise<void> {
  await memento.update(keys[subject], layout);
}

/** The values that a layout shows and that have to be read. */
export function valuesIn(layout: ColumnLayout): readonly ValueColumnName[] {
  return layout.flatMap(({ name }) => (isValueColumn(name) ? [name] : []));
}

/** A layout with titles, each column once. */
export function toTableColumns(layout: ColumnLayout, t: Translate, subject: TableSubject = 'results'): readonly TableColumn[] {
  const byName = new Map(layout.map(column => [column.name, { ...column, title: titleOf(column.name, t, subject) }]));
  return [...byName.values()];
}

/** A layout that shows just these columns: those it had stay where they are, others come before the words. */
export function withColumns(layout: ColumnLayout, names: readonly ColumnName[]): ColumnLayout {
  const kept = layout.filter(({ name }) => names.includes(name));
  const added = names.filter(name => !layout.some(column => column.name === name)).map(name => ({ name }));
  const words = kept.findIndex(({ name }) => name === 'words');
  return words < 0 ? [...kept, ...added] : [...kept.slice(0, words), ...added, ...kept.slice(words)];
}

/** The head of a column. */
export function titleOf(name: ColumnName, t: Translate, subject: TableSubject = 'results'): string {
  switch (name) {
    case 'problem':
      return t('Problems');
    case 'line':
      return t('Line');
    case 'id':
      return t('Id');
    case 'state':
      return t('Status');
    case 'stop_reason':
      return t('Reason');
    case 'input_tokens':
      return subject === 'requests' ? t('Tokens') : t('Input');
    case 'output_tokens':
      return subject === 'requests' ? 'max_tokens' : t('Output');
    case 'model':
      return t('Model');
    case 'test':
      return t('Expected');
    case 'words':
      return t('First words');
    default:
      return toLabel(name.replace(/^(?:\$|fields)\./, ''), 40);
  }
}
