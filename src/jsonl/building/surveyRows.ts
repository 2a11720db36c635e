import { IdTable } from '../files/idTable';
import type { PassContext } from '../files/lineFile';
import { decodeText } from '../scanning/jsonMembers';
import { ProblemGroups } from './problemGroups';
import type { Row } from './row';
import { readRows } from './rowsFormat';
import { type RowProblem, type RowSample, type RowsColumn, RowsError, type RowsFormat, type RowsSurvey } from './rowsReport';
import { TextFile } from './textSource';

export interface SurveySource {
  readonly path: string;
  readonly format: RowsFormat;
  /** A row that is to be among the answers, counted from 1. */
  readonly wanted?: number;
}

const mostColumns = 1000;
/** Random rows that are kept, and characters that one of them may have. */
const mostSamples = 20;
const sampleLength = 256 * 1024;
/** Columns that are looked into for ids, and rows: no batch has more requests. */
const mostIdColumns = 8;
const mostIdRows = 100_000;

/** Looks through all rows of a file once: how many there are, their columns, and some of them. Blocks, so it is for threads. */
export function surveyRows({ path, format, wanted }: SurveySource, context: PassContext, random: () => number = Math.random): RowsSurvey {
  const groups = new ProblemGroups();
  const columns = new Map<string, ColumnSurvey>();
  const samples: RowSample[] = [];
  let candidates = 0;
  let first: Row | undefined;
  let last: Row | undefined;
  let asked: RowSample | undefined;
  let rowCount = 0;
  const file = openRows(path, context);
  const survey = () => {
    for (const row of readRows(file, format, problem => addRowProblem(groups, problem))) {
      first ??= row;
      last = row;
      if (row.number === wanted) {
        // Parts of a text keep all of it in memory.
        asked = structuredClone(row.toSample());
      }
      row.eachColumn((name, isFilled) => {
        let column = columns.get(name);
        if (column === undefined) {
          if (columns.size === mostColumns) {
            return;
          }
          // What the first row does not have is no id of every row.
          column = new ColumnSurvey(name, rowCount === 0 && columns.size < mostIdColumns);
          columns.set(name, column);
        }
        column.add(row, isFilled, rowCount);
      });
      rowCount++;
      candidates = addSample(samples, row, candidates, random);
    }
  };
  let stop: RowProblem | undefined;
  try {
    stop = untilStopped(survey);
  } finally {
    file.close();
  }
  return {
    format,
    fileBytes: file.totalBytes,
    rowCount,
    columns: [...columns.values()].map(column => column.report(rowCount)),
    first: first?.toSample(),
    last: last?.toSample(),
    wanted: asked,
    random: samples,
    problems: groups.list(),
    stop,
  };
}

/** A file to read rows of, that tells its progress up to just before the end. */
export function openRows(path: string, context: PassContext): TextFile {
  return new TextFile(path, (doneBytes, totalBytes) => {
    context.throwIfAborted();
    context.progress({ doneBytes: Math.min(doneBytes, totalBytes - 1), totalBytes });
  });
}

/** Runs `read` and answers with the problem that ended it early, if one did. */
export function untilStopped(read: () => void): RowProblem | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof RowsError) {
      return error.problem;
    }
    throw error;
  }
}

/** Counts what a reader told of a row. */
export function addRowProblem(groups: ProblemGroups, { severity, text, row, line }: RowProblem): void {
  groups.add(severity, `row ${text.template}`, text, row, line);
}

/** Keeps each row with the same chance (reservoir sampling). Returns how many rows could have been kept so far. */
function addSample(samples: RowSample[], row: Row, candidates: number, random: () => number): number {
  const place = samples.length < mostSamples ? samples.length : Math.floor(random() * (candidates + 1));
  if (place >= mostSamples) {
    return candidates + 1;
  }
  const sample = row.toSample();
  const length = 'json' in sample ? sample.json.length : sample.cells.reduce((sum, cell) => sum + cell.length, 0);
  if (length > sampleLength) {
    return candidates;
  }
  // Parts of a text keep all of it in memory.
  samples[place] = structuredClone(sample);
  return candidates + 1;
}

class ColumnSurvey {
  private filled = 0;
  private readonly ids = new IdTable();

  constructor(
    private readonly name: string,
    private mayBeId: boolean,
  ) {}

  add(row: Row, isFilled: boolean, rowsBefore: number): void {
    if (isFilled) {
      this.filled++;
    }
    if (this.mayBeId && rowsBefore < mostIdRows) {
      this.mayBeId = this.ids.size === rowsBefore && this.addId(row.value(this.name) ?? 'null');
    }
  }

  report(rowCount: number): RowsColumn {
    return { name: this.name, filled: this.filled, isId: this.mayBeId && this.filled === rowCount && rowCount > 0 };
  }

  /** Whether it is an id, and a new one. */
  private addId(json: string): boolean {
    const text = json.startsWith('"') ? decodeText(json) : json;
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(text) || /^(?:true|false|null)$/.test(json)) {
      return false;
    }
    const bytes = Buffer.from(text);
    const before = this.ids.size;
    return this.ids.add(bytes, 0, bytes.length) === before;
  }
}
