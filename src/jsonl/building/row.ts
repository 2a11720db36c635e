import { lookUp, membersOf } from '../scanning/jsonMembers';
import type { RowSample } from './rowsReport';

/** Row of a file, with its values by column. */
export interface Row {
  /** Row number, 1-based. A header and empty lines don't count. */
  readonly number: number;
  /** Line of the file on which the row starts, 0-based. */
  readonly line: number;
  /** Returns the value of a column as JSON, or `undefined` if there is none. JSON values keep the bytes of the file. */
  value(column: string): string | undefined;
  /** Visits each column of the row, in order. `isFilled` is false for an empty text or null. */
  eachColumn(visit: (column: string, isFilled: boolean) => void): void;
  toSample(): RowSample;
}

export type Header = ReadonlyMap<string, number>;

export class CellsRow implements Row {
  constructor(
    readonly number: number,
    readonly line: number,
    private readonly cells: readonly string[],
    private readonly header: Header,
  ) {}

  value(column: string): string | undefined {
    const cell = this.cells[this.header.get(column) ?? -1];
    return cell === undefined ? undefined : JSON.stringify(cell);
  }

  eachColumn(visit: (column: string, isFilled: boolean) => void): void {
    for (const [column, index] of this.header) {
      const cell = this.cells[index];
      if (cell !== undefined) {
        visit(column, cell !== '');
      }
    }
  }

  toSample(): RowSample {
    return { number: this.number, line: this.line, cells: this.cells };
  }
}

export class JsonRow implements Row {
  private parts: Map<string, string> | undefined;

  /** Creates a row from the text of a valid JSON object. */
  constructor(
    readonly number: number,
    readonly line: number,
    private readonly json: string,
  ) {}

  value(column: string): string | undefined {
    this.parts ??= membersOf(this.json);
    return lookUp(this.parts, column);
  }

  eachColumn(visit: (column: string, isFilled: boolean) => void): void {
    this.parts ??= membersOf(this.json);
    for (const [column, value] of this.parts) {
      visit(column, value !== '""' && value !== 'null');
    }
  }

  toSample(): RowSample {
    return { number: this.number, line: this.line, json: this.json };
  }
}

/** Returns the row of a sample. `columns` are all columns of its file. */
export function rowOfSample(sample: RowSample, columns: readonly string[]): Row {
  return 'json' in sample
    ? new JsonRow(sample.number, sample.line, sample.json)
    : new CellsRow(sample.number, sample.line, sample.cells, new Map(columns.map((name, index) => [name, index])));
}
