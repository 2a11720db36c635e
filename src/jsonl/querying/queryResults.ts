import { forEachText } from '../answers/answerText';
import { withTimeLimit } from '../answers/withTimeLimit';
import type { PassContext } from '../files/lineFile';
import { sharedWords } from '../files/typedArrays';
import type { JoinedResults } from '../results/joinedResults';
import { type IndexContents, readIndexOf } from '../results/resultsIndexFile';
import { parseQuery } from './parseQuery';
import type { QueryNode } from './queryLanguage';
import { readColumns } from './readColumns';
import { columnsIn, hasPattern, toRowTest } from './rowMatcher';
import { type RowOrder, sortRows } from './sortRows';
import { type BesideFiles, isValueColumn, type ValueColumn, type ValueColumnName } from './valueColumns';

/** Columns that are not in an index, and the files from which missing columns are read. */
export interface KnownColumns extends BesideFiles {
  /** Columns that have already been read. Needed columns that are missing or cut are read again. */
  readonly columns?: readonly ValueColumn[];
}

export interface QuerySource extends JoinedResults, KnownColumns {
  readonly query: string;
  readonly sort?: RowOrder;
}

/** Time limit for matching the texts of one block if the query has patterns, in milliseconds. */
const usualPatternMs = 4000;
/** Sizes at which a block is complete: number of characters, and number of rows. */
const blockLength = 1 << 20;
const blockRows = 4096;

/** Thrown if a pattern of a query takes too long on the texts. */
export class PatternTimeError extends Error {
  override readonly name = 'PatternTimeError';

  constructor() {
    super('The pattern is too slow. Simplify it.');
  }
}

/**
 * Returns the rows of joined results that match a query, sorted and in shared memory, with the sums of their tokens.
 * Reads the texts only of rows that the columns don't decide, once and in file order, a few megabytes at a time. Throws
 * `QueryError`, `PatternTimeError` and `IndexMismatchError`.
 */
export async function queryResults(source: QuerySource, context: PassContext, patternMs = usualPatternMs) {
  const { query, sort } = source;
  const contents = readIndexOf(source);
  const node = parseQuery(query, contents.subject);
  const sortedBy = sort !== undefined && isValueColumn(sort.by) ? [sort.by] : [];
  const values = completeColumns(source, [...columnsIn(node, contents.subject), ...sortedBy], context);
  const rows = findRows(source.joinedPath, contents, node, context, { patternMs, values });
  if (sort !== undefined) {
    sortRows(rows, sort, contents, values);
  }
  const shared = sharedWords(rows.length);
  shared.set(rows);
  let inputTokens = 0;
  let outputTokens = 0;
  for (const row of rows) {
    inputTokens += contents.rows.inputTokens[row] as number;
    outputTokens += contents.rows.outputTokens[row] as number;
  }
  return { rows: shared, inputTokens, outputTokens };
}

/** Returns the known columns that are not cut. Reads and adds the other needed columns. */
export function completeColumns(
  { columns = [], ...source }: JoinedResults & KnownColumns,
  needed: readonly ValueColumnName[],
  context: PassContext,
): readonly ValueColumn[] {
  const whole = columns.filter(({ isCut }) => isCut !== true);
  const names = [...new Set(needed)].filter(name => !whole.some(column => column.name === name));
  return names.length === 0 ? whole : [...whole, ...readColumns({ ...source, names }, context, Number.POSITIVE_INFINITY)];
}

/** Returns the rows that match a query, ascending. */
export function findRows(
  joinedPath: string,
  contents: IndexContents,
  query: QueryNode,
  context: PassContext,
  { patternMs = usualPatternMs, values = [] as readonly ValueColumn[] } = {},
): Uint32Array {
  const { count } = contents.rows;
  const test = toRowTest(query, contents, values);
  const isLimited = hasPattern(query);
  const run = (task: () => void) => {
    if (!isLimited) {
      task();
    } else if (withTimeLimit(patternMs, task) === undefined) {
      throw new PatternTimeError();
    }
  };
  const matches = new Uint8Array(count);
  const toRead = new Uint32Array(count);
  let unread = 0;
  run(() => {
    for (let row = 0; row < count; row++) {
      const match = test(row, undefined);
      matches[row] = Number(match === true);
      if (match === undefined) {
        toRead[unread++] = row;
      }
    }
  });
  let texts = new Map<number, string>();
  let length = 0;
  const decide = () => {
    run(() => {
      for (const [row, text] of texts) {
        matches[row] = Number(test(row, text));
      }
    });
    texts = new Map();
    length = 0;
  };
  forEachText(joinedPath, contents, toRead.subarray(0, unread), context, (row, text) => {
    texts.set(row, text);
    length += text.length;
    if (length >= blockLength || texts.size >= blockRows) {
      decide();
    }
  });
  decide();
  return Uint32Array.from(matches.keys()).filter(row => matches[row] === 1);
}
