import { lookUp, membersOf } from '../scanning/jsonMembers';
import type { RowSample } from './rowsReport';

/** Columns of cells with their positions. */
export type Header = ReadonlyMap<string, number>;

/** Row of a file, with its values by column. */
export class Row {
  /** Row number, 1-based. A header and empty lines don't count. */
  readonly number: number;
  /** Line of the file on which the row starts, 0-based. */
  readonly line: number;
  private members: ReadonlyMap<string, string> | undefined;

  /** Creates a row of cells, or of the text of a valid JSON object. */
  constructor(
    readonly sample: RowSample,
    private readonly header: Header = new Map(),
  ) {
    this.number = sample.number;
    this.line = sample.line;
  }

  /** Returns the value of a column as JSON, or `undefined` if there is none. JSON values keep the bytes of the file. */
  value(column: string): string | undefined {
    const { sample } = this;
    if ('json' in sample) {
      this.members ??= membersOf(sample.json);
      return lookUp(this.members, column);
    }
    const cell = sample.cells[this.header.get(column) ?? -1];
    return cell === undefined ? undefined : JSON.stringify(cell);
  }

  /** Visits each column of the row, in order. `isFilled` is false for an empty text or null. */
  eachColumn(visit: (column: string, isFilled: boolean) => void): void {
    const { sample } = this;
    if ('json' in sample) {
      this.members ??= membersOf(sample.json);
      for (const [column, value] of this.members) {
        visit(column, value !== '""' && value !== 'null');
      }
      return;
    }
    for (const [column, index] of this.header) {
      if (sample.cells[index] !== undefined) {
        visit(column, sample.cells[index] !== '');
      }
    }
  }
}

/** Returns the row of a sample. `columns` are all columns of its file. */
export function rowOfSample(sample: RowSample, columns: readonly string[]): Row {
  return new Row(sample, new Map(columns.map((name, index) => [name, index])));
}
