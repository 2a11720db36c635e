import { type ResultStatus, resultStatuses } from '../../shared/results/resultStatus';
import { forEachText } from '../answers/answerText';
import { type ErrorCluster, ErrorClusters } from '../answers/errorClusters';
import type { PassContext } from '../files/lineFile';
import type { JoinedResults } from '../results/joinedResults';
import { failedStatus, storedAnswers, storedStatuses, toStored } from '../results/resultStatus';
import { type IndexContents, outcomeOf, readIndexOf } from '../results/resultsIndexFile';
import { parseQuery } from './parseQuery';
import { completeColumns, findRows, type KnownColumns } from './queryResults';
import { columnsIn } from './rowMatcher';
import type { ValueColumn, ValueColumnName } from './valueColumns';

export interface Histogram {
  /** Lower bound of each bucket, ascending. The last bucket ends at `max`. */
  readonly from: readonly number[];
  readonly counts: readonly number[];
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export interface ResultsSurvey {
  readonly statuses: readonly (readonly [status: ResultStatus, count: number])[];
  readonly stopReasons: readonly (readonly [reason: string, count: number])[];
  /** Number of requests with problems of each rule. Only for requests that have not been sent. */
  readonly problems: readonly (readonly [rule: string, count: number])[];
  /** Histograms over the rows with an answer. */
  readonly outputTokens: Histogram | undefined;
  readonly inputTokens: Histogram | undefined;
  /** Causes of failures, largest first. */
  readonly clusters: readonly ErrorCluster[];
  /** Models that answered, most used first. */
  readonly models: readonly SurveyedModel[];
}

export interface SurveyedModel {
  readonly model: string;
  readonly rows: number;
  readonly succeeded: number;
  readonly outputTokens: number;
  /** Number of answers that meet their expectations, or `undefined` without expectations. */
  readonly passed: number | undefined;
}

const succeededStatus = toStored('succeeded');

/**
 * Counts the statuses, stop reasons, tokens, causes of failures and models of joined results, or only of the results that match a query.
 * Blocks the thread, so only for workers. Throws the errors of `queryResults`.
 */
export async function surveyResults(
  source: JoinedResults & KnownColumns & { readonly query?: string },
  context: PassContext,
): Promise<ResultsSurvey> {
  const contents = readIndexOf(source);
  const { rows: indexed, reasons, subject } = contents;
  const node = parseQuery(source.query ?? '', subject);
  const wanted: ValueColumnName[] = [
    'model',
    ...(subject === 'requests' ? (['problem', 'severity'] as const) : []),
    ...(source.expectationsPath === undefined ? [] : (['test'] as const)),
  ];
  const values = completeColumns(source, [...columnsIn(node, subject), ...wanted], context);
  const rows = findRows(source.joinedPath, contents, node, context, { values });
  const answered = rows.filter(row => storedAnswers[indexed.statuses[row] as number] === true);
  const clusters = new ErrorClusters();
  const count = (row: number, message: string) => clusters.add({ ...outcomeOf(contents, row), message });
  // Only the text of a failed request describes a cause.
  const isFailed = (row: number) => indexed.statuses[row] === failedStatus;
  if (subject === 'results') {
    for (const row of rows) {
      if (!isFailed(row)) {
        count(row, '');
      }
    }
    forEachText(source.joinedPath, contents, rows.filter(isFailed), context, count);
  }
  const found = tally(rows, indexed.statuses, storedStatuses.length);
  const reasonsFound = tally(rows, indexed.stopReasons, reasons.length + 1);
  return {
    statuses: resultStatuses.map(status => [status, found[toStored(status)] as number] as const).filter(([, count]) => count > 0),
    stopReasons: byCount(reasons.map((reason, index) => [reason, reasonsFound[index + 1] as number] as const)),
    problems: byCount([...countMembers(rows, values, 'problem')]),
    outputTokens: toHistogram(answered.map(row => indexed.outputTokens[row] as number)),
    inputTokens: toHistogram(answered.map(row => indexed.inputTokens[row] as number)),
    clusters: clusters.list(),
    models: surveyModels(rows, contents, values),
  };
}

function byCount(counts: readonly (readonly [name: string, found: number])[]): readonly (readonly [name: string, found: number])[] {
  return counts.filter(([, found]) => found > 0).sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1));
}

/** Counts the rows with each name, in a column whose values are lists of names. */
function countMembers(rows: Uint32Array, columns: readonly ValueColumn[], wanted: ValueColumnName): ReadonlyMap<string, number> {
  const column = columns.find(({ name }) => name === wanted);
  const counts = new Map<string, number>();
  if (column !== undefined) {
    for (const [value, found] of tally(rows, column.of, column.values.length).entries()) {
      for (const name of (column.values[value] ?? '').split(', ')) {
        counts.set(name, (counts.get(name) ?? 0) + found);
      }
    }
    counts.delete('');
  }
  return counts;
}

function surveyModels(rows: Uint32Array, { rows: indexed }: IndexContents, values: readonly ValueColumn[]): readonly SurveyedModel[] {
  const model = values.find(({ name }) => name === 'model');
  const test = values.find(({ name }) => name === 'test');
  const passed = test?.values.indexOf('passed');
  const found = (model?.values ?? []).map(name => ({ model: name, rows: 0, succeeded: 0, outputTokens: 0, passed: test && 0 }));
  for (const row of rows) {
    const one = found[model?.of[row] ?? 0];
    if (one !== undefined && one.model !== '') {
      one.rows++;
      one.succeeded += indexed.statuses[row] === succeededStatus ? 1 : 0;
      one.outputTokens += indexed.outputTokens[row] as number;
      one.passed = one.passed === undefined ? undefined : one.passed + (test?.of[row] === passed ? 1 : 0);
    }
  }
  return found.filter(one => one.rows > 0).sort((a, b) => b.rows - a.rows);
}

function tally(rows: Uint32Array, column: Uint8Array | Uint32Array, values: number): Uint32Array {
  const counts = new Uint32Array(values);
  for (const row of rows) {
    const value = column[row] as number;
    counts[value] = (counts[value] as number) + 1;
  }
  return counts;
}

/** Maximum number of buckets of equal width. */
const maxBuckets = 20;
/** Ratio of the largest to the smallest value from which the buckets get wider: 1, 2, 5, 10, 20, 50, ... */
const wide = 50;

/** Returns a histogram of whole numbers with round bounds, or `undefined` for no numbers. Sorts `values` in place. */
export function toHistogram(values: Uint32Array): Histogram | undefined {
  values.sort();
  const min = values[0];
  const max = values.at(-1);
  if (min === undefined || max === undefined) {
    return undefined;
  }
  const from = max >= wide * Math.max(min, 1) ? growingBounds(min, max) : evenBounds(min, max);
  const counts = from.map(() => 0);
  let bucket = 0;
  for (const value of values) {
    while (bucket + 1 < from.length && value >= (from[bucket + 1] as number)) {
      bucket++;
    }
    counts[bucket] = (counts[bucket] as number) + 1;
  }
  return { from, counts, min, median: values[(values.length - 1) >> 1] as number, max };
}

function evenBounds(min: number, max: number): number[] {
  let width = 1;
  for (let at = 0; Math.floor(max / width) - Math.floor(min / width) >= maxBuckets; at++) {
    width = roundNumber(at + 1);
  }
  const first = Math.floor(min / width);
  return Array.from({ length: Math.floor(max / width) - first + 1 }, (_, index) => (first + index) * width);
}

function growingBounds(min: number, max: number): number[] {
  const bounds = [0];
  for (let at = 0; roundNumber(at) <= max; at++) {
    bounds.push(roundNumber(at));
  }
  const first = bounds.findLastIndex(bound => bound <= min);
  return bounds.slice(Math.max(first, 0));
}

function roundNumber(index: number): number {
  return ([1, 2, 5][index % 3] as number) * 10 ** Math.floor(index / 3);
}
