import type { Row } from '../../../../src/jsonl/building/row';
import { readRows } from '../../../../src/jsonl/building/rowsFormat';
import { type RowProblem, RowsError, type RowsFormat } from '../../../../src/jsonl/building/rowsReport';
import { Utf8Source } from '../../../../src/jsonl/building/textSource';

export interface ReadRows {
  readonly rows: readonly (readonly [number: number, line: number, members: Readonly<Record<string, string>>])[];
  readonly problems: readonly RowProblem[];
  readonly stop: RowProblem | undefined;
}

/** Returns the JSON of each column of a row. */
function toMembers(row: Row): Record<string, string> {
  const members: [string, string][] = [];
  row.eachColumn(column => members.push([column, row.value(column) ?? '']));
  return Object.fromEntries(members);
}

/** Reads all rows of a file whose bytes arrive in pieces of at most `size`. */
export function readAll(bytes: Uint8Array | string, format: RowsFormat, size = Number.POSITIVE_INFINITY): ReadRows {
  const all = Buffer.from(bytes);
  let at = 0;
  const source = new Utf8Source((buffer, place) => {
    const count = all.copy(buffer, place, at, Math.min(all.length, at + size));
    at += count;
    return count;
  });
  const problems: RowProblem[] = [];
  const rows: Row[] = [];
  let stop: RowProblem | undefined;
  try {
    for (const row of readRows(source, format, problem => problems.push(problem))) {
      rows.push(row);
    }
  } catch (error) {
    if (!(error instanceof RowsError)) {
      throw error;
    }
    stop = error.problem;
  }
  return { rows: rows.map(row => [row.number, row.line, toMembers(row)]), problems, stop };
}
