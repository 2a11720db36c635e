import { compareNumbers } from '../../shared/exactNumber';
import { resultStatuses } from '../../shared/results/resultStatus';
import { storedStatuses } from '../results/resultStatus';
import type { IndexContents } from '../results/resultsIndexFile';
import type { QuerySource, ResultSort } from './queryingJobs';
import { isNumber, type ValueColumn } from './valueColumns';

/** Maximum number of rows in a file. A row and a 32-bit key fit together into the 53 bits of a double. */
const maxRows = 1 << 21;
const largestKey = 0xffff_ffff;
const statusRanks = storedStatuses.map(status => resultStatuses.indexOf(status));

/** Sorts rows in place. Equal rows keep the order of the file. `values` are the columns that are not in the index. */
export function sortRows(
  rows: Uint32Array,
  { by, isDescending }: NonNullable<QuerySource['sort']>,
  contents: IndexContents,
  values: readonly ValueColumn[],
): void {
  const column = values.find(({ name }) => name === by);
  sortByKey(rows, column === undefined ? keyOf(rows, by, contents) : keyOfValue(column, isDescending), isDescending);
}

/** Returns a function that ranks numbers before texts. Rows without a value come last in both directions. */
function keyOfValue({ values, of }: ValueColumn, isDescending: boolean): (row: number) => number {
  const numbers = values.filter(isNumber).sort(compareNumbers);
  const texts = values.filter(text => text !== '' && !isNumber(text)).map(text => ({ text, key: naturalKey(text) }));
  const ordered = [...numbers, ...texts.sort((a, b) => compare(a.key, b.key)).map(({ text }) => text)];
  const ranks = new Map<string, number>();
  for (const [position, value] of ordered.entries()) {
    const before = numbers[position - 1];
    // 1 and 1.0 share a rank, so that their rows keep the order of the file.
    const isSame = position < numbers.length && before !== undefined && compareNumbers(before, value) === 0;
    ranks.set(value, isSame ? (ranks.get(before) ?? 0) : position + 1);
  }
  ranks.set('', isDescending ? 0 : largestKey);
  const rankOf = values.map(value => ranks.get(value) ?? largestKey);
  return row => rankOf[of[row] as number] ?? largestKey;
}

function keyOf(rows: Uint32Array, by: ResultSort, contents: IndexContents): (row: number) => number {
  const { rows: columns, lines, ids, reasons } = contents;
  switch (by) {
    case 'line':
      // Rows without a line come last in the file.
      return row => ((lines[row] as number) < 0 ? largestKey : (lines[row] as number));
    case 'status':
      return row => statusRanks[columns.statuses[row] as number] as number;
    case 'input_tokens':
      return row => columns.inputTokens[row] as number;
    case 'output_tokens':
      return row => columns.outputTokens[row] as number;
    case 'stop_reason': {
      // The reason column also shows the error type.
      const ranks = ranksOf(['', ...reasons]);
      return row => ranks[(columns.stopReasons[row] as number) || (columns.errorTypes[row] as number)] as number;
    }
    default: {
      const ranks = idRanks(rows, row => ids.text(columns.ids[row] as number), columns.count);
      return row => ranks[row] as number;
    }
  }
}

function sortByKey(rows: Uint32Array, keyOf: (row: number) => number, isDescending: boolean): void {
  const keys = new Float64Array(rows.length);
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as number;
    if (row >= maxRows) {
      throw new Error('There are too many results to sort.');
    }
    const key = keyOf(row);
    keys[index] = (isDescending ? largestKey - key : key) * maxRows + row;
  }
  keys.sort();
  for (let index = 0; index < rows.length; index++) {
    rows[index] = (keys[index] as number) % maxRows;
  }
}

function ranksOf(texts: readonly string[]): Uint32Array {
  const ranks = new Uint32Array(texts.length);
  const order = texts.map((text, position) => ({ text, position })).sort((a, b) => compare(a.text, b.text));
  order.forEach(({ position }, rank) => {
    ranks[position] = rank;
  });
  return ranks;
}

function idRanks(rows: Uint32Array, textOf: (row: number) => string, count: number): Uint32Array {
  const ranks = new Uint32Array(count);
  const named = Array.from(rows, row => ({ row, key: naturalKey(textOf(row)) }));
  named.sort((a, b) => compare(a.key, b.key));
  let rank = 0;
  for (const [at, { row, key }] of named.entries()) {
    // Equal ids share a rank, so that their rows keep the order of the file in both directions.
    rank = at > 0 && key === named[at - 1]?.key ? rank : at;
    ranks[row] = rank;
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

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
