import { readAnswerJson } from '../answers/answerJson';
import { JoinedReader } from '../answers/answerText';
import { RequestFields } from '../fields/fieldsFile';
import type { PassContext } from '../files/lineFile';
import { textOf } from '../files/spanReader';
import type { JoinedResults } from '../results/joinedResults';
import { storedAnswers } from '../results/resultStatus';
import { readIndexOf } from '../results/resultsIndexFile';
import { type BesideFiles, type FieldColumnName, type JsonPath, toJsonPath } from './valueColumns';

export interface FieldsSurvey {
  readonly read: number;
  /** Fields, each with the number of answers or requests that have it. */
  readonly fields: readonly { readonly name: JsonPath | FieldColumnName; readonly count: number }[];
}

/** Maximum number of rows to read, evenly distributed over the file. */
const maxRows = 10_000;
/** Maximum number of fields to return, and to count. */
const maxFields = 300;
const maxCounted = 3_000;
const maxLevels = 6;

/**
 * Finds the fields in the JSON of answers or requests that columns can show, sorted by frequency. Equally frequent fields keep the order of
 * the data. Blocks the thread, so only for workers. Throws an `IndexMismatchError` if the index does not match.
 */
export function surveyFields(
  { fieldsPath, ...joined }: JoinedResults & Pick<BesideFiles, 'fieldsPath'>,
  context: PassContext,
): FieldsSurvey {
  const contents = readIndexOf(joined);
  const { rows, subject } = contents;
  const reader = new JoinedReader(joined.joinedPath, contents);
  const counts = new Map<string, number>();
  const step = Math.max(1, Math.ceil(rows.count / maxRows));
  let read = 0;
  try {
    for (let row = 0; row < rows.count; row += step) {
      context.throwIfAborted();
      if (storedAnswers[rows.statuses[row] as number] !== true) {
        continue;
      }
      const line = reader.line(row);
      const text = subject === 'requests' ? textOf(line) : reader.text(row, line);
      countFields(readAnswerJson(text)?.value, '$', 0, counts);
      read++;
    }
  } finally {
    reader.close();
  }
  const fields = [...counts].sort(([, a], [, b]) => b - a).slice(0, maxFields);
  const beside = RequestFields.read(fieldsPath, () => context.throwIfAborted());
  const own = beside.names.map(name => ({ name: `fields.${name}` as const, count: beside.size }));
  return { read, fields: [...own, ...fields.flatMap(([name, count]) => toField(name, count))] };
}

/** Counts the fields below a value that columns can show. For an array, counts the array itself and the fields of its first item. */
function countFields(value: unknown, path: string, level: number, counts: Map<string, number>): void {
  const isList = Array.isArray(value);
  const members = typeof value === 'object' && value !== null ? Object.entries(value).slice(0, isList ? 1 : maxCounted) : [];
  if (level > 0 && (isList || members.length === 0 || level >= maxLevels)) {
    const found = counts.get(path);
    if (found !== undefined || counts.size < maxCounted) {
      counts.set(path, (found ?? 0) + 1);
    }
  }
  for (const [key, member] of level < maxLevels ? members : []) {
    if (!key.includes('.')) {
      countFields(member, `${path}.${key}`, level + 1, counts);
    }
  }
}

/** Returns a field under its column name, or an empty list if the name can't be written as a path. */
function toField(path: string, count: number): FieldsSurvey['fields'] {
  const name: JsonPath | undefined = toJsonPath(path);
  return name === path ? [{ name, count }] : [];
}
