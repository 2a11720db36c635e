import { customIdPattern } from '../../contract/customId';
import { IdTable } from '../files/idTable';
import type { PassContext } from '../files/lineFile';
import { decodeText } from '../scanning/jsonMembers';
import { forEachRow } from './rowsFormat';
import type { Row, RowsColumn, RowsFormat, RowsSurvey } from './rowsReport';

const maxColumns = 1000;
/** Maximum number of random rows, and maximum length of a sample row in characters. */
const maxSamples = 20;
const sampleLength = 256 * 1024;
/** Maximum number of columns, and of rows, to check for ids. No batch has more requests than this number of rows. */
const maxIdColumns = 8;
const maxIdRows = 100_000;

/**
 * Surveys all rows of a file in one pass: counts them, describes their columns, and collects samples. `wanted` is the number of a row to
 * include in the results, 1-based. Blocks the thread, so only for workers.
 */
export function surveyRows(
  { path, format, wanted }: { readonly path: string; readonly format: RowsFormat; readonly wanted?: number },
  context: PassContext,
  random: () => number = Math.random,
): RowsSurvey {
  const columns = new Map<string, ColumnSurvey>();
  const samples: Row[] = [];
  let candidates = 0;
  let first: Row | undefined;
  let last: Row | undefined;
  let wantedRow: Row | undefined;
  let rowCount = 0;
  const visit = (row: Row) => {
    first ??= row;
    last = row;
    if (row.number === wanted) {
      // Copied because a slice of a string keeps the whole string in memory.
      wantedRow = structuredClone(row);
    }
    for (const [name, value] of row.values) {
      let column = columns.get(name);
      if (column === undefined) {
        if (columns.size === maxColumns) {
          continue;
        }
        // A column that is missing in the first row can't be the id of every row.
        column = new ColumnSurvey(name, rowCount === 0 && columns.size < maxIdColumns);
        columns.set(name, column);
      }
      column.add(value, rowCount);
    }
    rowCount++;
    candidates = addSample(samples, row, candidates, random);
  };
  const { fileBytes, stop } = forEachRow(path, format, context, visit, () => {});
  return {
    ...{ format, fileBytes, rowCount, first, last, wanted: wantedRow, random: samples, stop },
    columns: [...columns.values()].map(column => column.report(rowCount)),
  };
}

/** Adds a row to the random sample with uniform probability (reservoir sampling). Returns the number of candidates so far. */
function addSample(samples: Row[], row: Row, candidates: number, random: () => number): number {
  const index = samples.length < maxSamples ? samples.length : Math.floor(random() * (candidates + 1));
  if (index >= maxSamples) {
    return candidates + 1;
  }
  const length = [...row.values.values()].reduce((sum, value) => sum + value.length, 0);
  if (length > sampleLength) {
    return candidates;
  }
  // Copied because a slice of a string keeps the whole string in memory.
  samples[index] = structuredClone(row);
  return candidates + 1;
}

class ColumnSurvey {
  private filled = 0;
  private readonly ids = new IdTable();

  constructor(
    private readonly name: string,
    private mayBeId: boolean,
  ) {}

  add(value: string, rowsBefore: number): void {
    if (value !== '""' && value !== 'null') {
      this.filled++;
    }
    if (this.mayBeId && rowsBefore < maxIdRows) {
      this.mayBeId = this.ids.size === rowsBefore && this.addId(value);
    }
  }

  report(rowCount: number): RowsColumn {
    return { name: this.name, filled: this.filled, isId: this.mayBeId && this.filled === rowCount && rowCount > 0 };
  }

  private addId(json: string): boolean {
    const text = json.startsWith('"') ? decodeText(json) : json;
    if (!customIdPattern.test(text) || /^(?:true|false|null)$/.test(json)) {
      return false;
    }
    return this.ids.size === this.ids.addText(text);
  }
}
