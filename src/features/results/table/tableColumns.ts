import type { Translate } from '../../../common/text/translate';
import type { ColumnLayout, TableColumn, TableSubject } from '../../../shared/results/resultsProtocol';
import { toLabel } from '../../../shared/text';

type ColumnName = TableColumn['name'];

/** Columns of all result tables. */
export const knownColumns: readonly ColumnName[] = [
  ...(['id', 'status', 'words', 'test', 'line', 'stop_reason', 'model', 'input_tokens', 'output_tokens'] as const),
];

/** Columns of all request tables. */
export const requestColumns: readonly ColumnName[] = ['id', 'problem', 'words', 'line', 'model', 'input_tokens', 'output_tokens'];

/** Returns the default columns. Requests have all columns. Results have the columns that fit next to the answer. */
export function usualColumns(subject: TableSubject, hasExpectations: boolean): ColumnLayout {
  const names = subject === 'requests' ? requestColumns : knownColumns.slice(0, hasExpectations ? 4 : 3);
  return names.map(name => ({ name }));
}

/**
 * Returns a layout with only these columns. Existing columns keep their order. New columns are last, so that the answer stays on screen.
 */
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
