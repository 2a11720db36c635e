import { compareNumbers } from '../../shared/exactNumber';
import { resultStatuses } from '../../shared/results/resultStatus';
import { storedStatuses } from '../results/resultStatus';
import type { IndexContents } from '../results/resultsIndexFile';
import { isNumber, type ValueColumn, type ValueColumnName } from './valueColumns';

export interface RowOrder {
  readonly by: 'line' | 'id' | 'status' | 'stop_reason' | 'input_tokens' | 'output_tokens' | ValueColumnName;
  readonly isDescending: boolean;
}

const statusRanks = storedStatuses.map(status => resultStatuses.indexOf(status));

/** Sorts rows in place. Equal rows keep the order of the file. `values` are the columns that are not in the index. */
export function sortRows(rows: Uint32Array, { by, isDescending }: RowOrder, contents: IndexContents, values: readonly ValueColumn[]): void {
  const column = values.find(({ name }) => name === by);
  const keyOfRow = column === undefined ? keyOf(rows, by, contents) : keyOfValue(column, isDescending);
  const keys = new Float64Array(contents.rows.count);
  for (const row of rows) {
    keys[row] = keyOfRow(row);
  }
  const sign = isDescending ? -1 : 1;
  rows.sort((a, b) => {
    const [first, second] = [keys[a] as number, keys[b] as number];
    return first === second ? a - b : first < second ? -sign : sign;
  });
}

/** Returns a function that ranks numbers before texts. Rows without a value come last in both directions. */
function keyOfValue({ values, of }: ValueColumn, isDescending: boolean): (row: number) => number {
  const numbers = rankAll(values.filter(isNumber), text => text, compareNumbers);
  const texts = rankAll(
    values.filter(text => text !== '' && !isNumber(text)),
    naturalKey,
  );
  const rankOf = values.map(value =>
    value === '' ? (isDescending ? -1 : Number.POSITIVE_INFINITY) : (numbers.get(value) ?? numbers.size + (texts.get(value) ?? 0)),
  );
  return row => rankOf[of[row] as number] ?? Number.POSITIVE_INFINITY;
}

function keyOf(rows: Uint32Array, by: RowOrder['by'], contents: IndexContents): (row: number) => number {
  const { rows: columns, lines, ids, reasons } = contents;
  switch (by) {
    case 'line':
      // Rows without a line come last in the file.
      return row => ((lines[row] as number) < 0 ? Number.POSITIVE_INFINITY : (lines[row] as number));
    case 'status':
      return row => statusRanks[columns.statuses[row] as number] as number;
    case 'input_tokens':
      return row => columns.inputTokens[row] as number;
    case 'output_tokens':
      return row => columns.outputTokens[row] as number;
    case 'stop_reason': {
      // The reason column also shows the error type.
      const names = ['', ...reasons];
      const ranks = rankAll(names, text => text);
      return row => ranks.get(names[(columns.stopReasons[row] as number) || (columns.errorTypes[row] as number)] ?? '') as number;
    }
    default: {
      const idOf = (row: number) => ids.text(columns.ids[row] as number);
      const ranks = rankAll(Array.from(rows, idOf), naturalKey);
      return row => ranks.get(idOf(row)) as number;
    }
  }
}

/** Returns the rank of each text. Equal texts share a rank, so that their rows keep the order of the file in both directions. */
function rankAll(
  texts: readonly string[],
  toKey: (text: string) => string,
  compare: (a: string, b: string) => number = compareTexts,
): ReadonlyMap<string, number> {
  const sorted = texts.map(text => ({ text, key: toKey(text) })).sort((a, b) => compare(a.key, b.key));
  const ranks = new Map<string, number>();
  let rank = 0;
  for (const [position, { text, key }] of sorted.entries()) {
    const before = sorted[position - 1];
    rank = before !== undefined && compare(before.key, key) === 0 ? rank : position;
    ranks.set(text, rank);
  }
  return ranks;
}

/** Returns a key that sorts `a-10` after `a-9`: each number is prefixed with its number of digits. */
function naturalKey(text: string): string {
  return text.replace(/\d+/g, digits => {
    const plain = digits.replace(/^0+/, '') || '0';
    return `${String.fromCharCode(0x30 + Math.min(plain.length, 0xff00))}${plain}`;
  });
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
