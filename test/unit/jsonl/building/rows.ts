import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readRows } from '../../../../src/jsonl/building/rowsFormat';
import type { Row, RowProblem, RowsFormat } from '../../../../src/jsonl/building/rowsReport';
import { TextError, TextFile, type TextProblem } from '../../../../src/jsonl/reading/textFile';

export interface ReadRows {
  readonly rows: readonly (readonly [number: number, line: number, members: Readonly<Record<string, string>>])[];
  readonly problems: readonly RowProblem[];
  readonly stop: TextProblem | undefined;
}

/** File that is read in pieces of at most `size` bytes. */
class SplitFile extends TextFile {
  constructor(
    path: string,
    private readonly size: number,
  ) {
    super(path);
  }

  override read(wanted: number): string {
    return super.read(Math.min(wanted, this.size));
  }
}

const folder = mkdtempSync(path.join(tmpdir(), 'rows-'));
process.once('exit', () => rmSync(folder, { recursive: true }));

/** Reads all rows of a file, in pieces of at most `size` bytes. */
export function readAll(bytes: Uint8Array | string, format: RowsFormat, size = Number.POSITIVE_INFINITY): ReadRows {
  const file = path.join(folder, 'rows');
  writeFileSync(file, bytes);
  const source = new SplitFile(file, size);
  const problems: RowProblem[] = [];
  const rows: Row[] = [];
  let stop: TextProblem | undefined;
  try {
    for (const row of readRows(source, format, problem => problems.push(problem))) {
      rows.push(row);
    }
  } catch (error) {
    if (!(error instanceof TextError)) {
      throw error;
    }
    stop = error.problem;
  } finally {
    source.close();
  }
  return { rows: rows.map(row => [row.number, row.line, Object.fromEntries(row.values)]), problems, stop };
}
