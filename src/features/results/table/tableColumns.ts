import type { Memento } from 'vscode';
import type { Translate } from '../../../common/text/translate';
import { isValueColumn, type ValueColumnName } from '../../../jsonl/querying/valueColumns';
import type { ColumnLayout, TableColumn, TableSubject } from '../../../shared/results/resultsProtocol';
import { toLabel } from '../../../shared/text';
import { columnLayoutSchema } from '../../../shared/results/fromResultsSchema';

const keys: Readonly<Record<TableSubject, string>> = {
  results: 'managedAgents.results.columns',
  requests: 'managedAgents.requests.columns',
};

type ColumnName = TableColumn['name'];

/** Columns of all result tables. */
export const knownColumns: readonly ColumnName[] = [
  ...(['id', 'status', 'words', 'test', 'line', 'stop_reason', 'model', 'input_tokens', 'output_tokens'] as const),
];

/** Columns of all request tables. */
const requestColumns: readonly ColumnName[] = ['id', 'problem', 'words', 'line', 'model', 'input_tokens', 'output_tokens'];

export function knownColumnsOf(subject: TableSubject): readonly ColumnName[] {
  return subject === 'requests' ? requestColumns : knownColumns;
}

/** Returns the default columns: all for requests, and for results those that fit next to the answer. */
export function usualColumns(subject: TableSubject, hasExpectations: boolean): ColumnLayout {
  const names = subject === 'requests' ? requestColumns : knownColumns.slice(0, hasExpectations ? 4 : 3);
  return names.map(name => ({ name }));
}

/** Fields that a request file, given by its URI, asks for in answers about sessions. */
export interface AskedFields {
  readonly source: string;
  readonly fields: readonly string[];
}

/** Returns the default columns for answers about sessions: the session, and the fields that were asked for. */
export function askedColumns({ fields }: AskedFields): ColumnLayout {
  return [{ name: 'fields.title' }, { name: 'fields.state' }, { name: 'status' }, ...fields.map(name => ({ name: `$.${name}` as const }))];
}

/**
 * Returns the layout stored in this workspace, if any. With `asked`, that is the layout of one request file. Otherwise all tables share a
 * layout.
 */
export function readColumnLayout(memento: Pick<Memento, 'get'>, subject: TableSubject, asked?: AskedFields): ColumnLayout | undefined {
  return columnLayoutSchema.safeParse(memento.get(keyOf(subject, asked))).data;
}

/** Stores the layout in this workspace. `undefined` resets it to the default. */
export async function writeColumnLayout(
  memento: Pick<Memento, 'update'>,
  subject: TableSubject,
  layout: ColumnLayout | undefined,
  asked?: AskedFields,
): Promise<void> {
  await memento.update(keyOf(subject, asked), layout);
}

function keyOf(subject: TableSubject, asked: AskedFields | undefined): string {
  return asked === undefined ? keys[subject] : `${keys[subject]} ${asked.source}`;
}

/** Returns the columns of a layout whose values must be read from the results. */
export function valuesIn(layout: ColumnLayout): readonly ValueColumnName[] {
  return layout.flatMap(({ name }) => (isValueColumn(name) ? [name] : []));
}

/** Adds titles to a layout and removes duplicate columns. */
export function toTableColumns(layout: ColumnLayout, t: Translate, subject: TableSubject = 'results'): readonly TableColumn[] {
  const byName = new Map(layout.map(column => [column.name, { ...column, title: titleOf(column.name, t, subject) }]));
  return [...byName.values()];
}

/** Returns a layout with only these columns. Existing ones keep their order. New ones come last, so that the answer stays on screen. */
export function withColumns(layout: ColumnLayout, names: readonly ColumnName[]): ColumnLayout {
  const added = names.filter(name => !layout.some(column => column.name === name)).map(name => ({ name }));
  return [...layout.filter(({ name }) => names.includes(name)), ...added];
}

export function titleOf(name: ColumnName, t: Translate, subject: TableSubject = 'results'): string {
  const isRequest = subject === 'requests';
  const titles: Partial<Record<ColumnName, string>> = {
    problem: t('Problems'),
    line: t('Line'),
    id: t('ID'),
    status: t('Status'),
    stop_reason: t('Stop reason'),
    input_tokens: isRequest ? t('Tokens') : t('Input tokens'),
    output_tokens: isRequest ? 'max_tokens' : t('Output tokens'),
    model: t('Model'),
    test: t('Expected'),
    words: isRequest ? t('Prompt') : t('Answer'),
  };
  return titles[name] ?? toLabel(name.replace(/^(?:\$|fields)\./, ''), 40);
}
