import { lookUp, membersOf } from '../scanning/jsonMembers';
import type { RowSample } from './rowsReport';

/** Index of each column's cell, keyed by column name. */
export type Header = ReadonlyMap<string, number>;

/** Row of a file, with its values by column. */
export class Row {
  private members: ReadonlyMap<string, string> | undefined;

  /** Creates a row from cells or from the text of a valid JSON object. */
  constructor(
    readonly sample: RowSample,
    private readonly header: Header = new Map(),
  ) {}

  /** Row number, 1-based. A header and empty lines don't count. */
  get number(): number {
    return this.sample.number;
  }

  /** Line of the file on which the row starts, 0-based. */
  get line(): number {
    return this.sample.line;
  }

  /** Values as JSON, keyed by column. JSON values keep the bytes of the file. */
  get values(): ReadonlyMap<string, string> {
    const { sample, header } = this;
    this.members ??= 'json' in sample ? membersOf(sample.json) : membersOfCells(sample.cells, header);
    return this.members;
  }

  /** Returns the value of a column, or of a member nested in one, as JSON. Returns `undefined` if there is none. */
  value(column: string): string | undefined {
    return lookUp(this.values, column);
  }
}

function membersOfCells(cells: readonly string[], header: Header): ReadonlyMap<string, string> {
  const named = [...header].flatMap(([name, index]) => (cells[index] === undefined ? [] : [[name, JSON.stringify(cells[index])] as const]));
  return new Map(named);
}

/** Returns the row of a sample. `columns` are all columns of its file. */
export function rowOfSample(sample: RowSample, columns: readonly string[]): Row {
  return new Row(sample, new Map(columns.map((name, index) => [name, index])));
}
