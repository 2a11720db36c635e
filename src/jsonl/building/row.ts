import { lookUp, membersOf } from '../scanning/jsonMembers';
import type { RowSample } from './rowsReport';

/** One row of a file: columns and what stands there. */
export interface Row {
  /** Counts from 1; a header and empty lines are no rows. */
  readonly number: number;
  /** Line of the file on which it begins, from 0. */
  readonly line: number;
  /** The JSON text of what stands in a column, bytes as in the file when that is JSON; undefined when the row has nothing there. */
  value(column: string): string | undefined;
  /** Tells of each column that the row has, in order, and whether there is more than an empty text or null. */
  eachColumn(visit: (column: string, isFilled: boolean) => void): void;
  toSample(): RowSample;
}

/** Names of columns to their places. */
export type Header = ReadonlyMap<string, number>;

/** A row of texts. */
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
    for (const [column, place] of this.header) {
      const cell = this.cells[place];
      if (cell !== undefined) {
        visit(column, cell !== '');
      }
    }
  }

  toSample(): RowSample {
    return { number: this.number, line: this.line, cells: this.cells };
  }
}

/** A row that is a JSON object. */
export class JsonRow implements Row {
  private parts: Map<string, string> | undefined;

  /** `json` is an object and sound. */
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

/** The row that a sample was taken of; `columns` are all of its file's. */
export function rowOfSample(sample: RowSample, columns: readonly string[]): Row {
  return 'json' in sample
    ? new JsonRow(sample.number, sample.line, sample.json)
    : new CellsRow(sample.number, sample.line, sample.cells, new Map(columns.map((name, place) => [name, place])));
}
