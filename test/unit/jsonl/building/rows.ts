import { readRows } from '../../../../src/jsonl/building/rowsFormat';
import type { Row, RowProblem, RowsFormat } from '../../../../src/jsonl/building/rowsReport';
import { TextError, type TextProblem, Utf8Source } from '../../../../src/jsonl/reading/textFile';

export interface ReadRows {
  readonly rows: readonly (readonly [number: number, line: number, members: Readonly<Record<string, string>>])[];
  readonly problems: readonly RowProblem[];
  readonly stop: TextProblem | undefined;
}

/** Text whose bytes arrive in pieces of at most `size`. */
class SplitText extends Utf8Source {
  private at = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly size = Number.POSITIVE_INFINITY,
  ) {
    super();
  }

  protected override readBytes(buffer: Buffer, place: number): number {
    const count = this.bytes.copy(buffer, place, this.at, Math.min(this.bytes.length, this.at + this.size));
    this.at += count;
    return count;
  }
}

/** Reads all rows of a file whose bytes arrive in pieces of at most `size`. */
export function readAll(bytes: Uint8Array | string, format: RowsFormat, size = Number.POSITIVE_INFINITY): ReadRows {
  const source = new SplitText(Buffer.from(bytes), size);
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
  }
  return { rows: rows.map(row => [row.number, row.line, Object.fromEntries(row.values)]), problems, stop };
}
