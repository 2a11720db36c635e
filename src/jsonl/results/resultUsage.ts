import type { ResultStatus } from '../../shared/results/resultStatus';
import { storedAnswers, storedStatuses, toStored } from './resultStatus';
import type { ResultColumns } from './resultsFile';
import type { ResultsReport } from './resultsReport';

/** Token counts of answers. Input tokens do not include cache tokens. */
export interface TokenCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  /** All cache writes. Writes that the next two fields don't count have an unknown lifetime. */
  readonly cacheWriteTokens: number;
  readonly cacheWrite5mTokens: number;
  readonly cacheWrite1hTokens: number;
}

export interface ModelUsage extends TokenCounts {
  /** Model name in the answers. Empty if the answers name no model. */
  readonly model: string;
  readonly answers: number;
  /** Number of answers without token counts, which the sums do not include. */
  readonly uncounted: number;
}

const tokenColumns = [
  ...(['inputTokens', 'outputTokens', 'cacheReadTokens'] as const),
  ...(['cacheWriteTokens', 'cacheWrite5mTokens', 'cacheWrite1hTokens'] as const),
] as const satisfies readonly (keyof TokenCounts)[];

type Sum = { -readonly [K in keyof ModelUsage]: ModelUsage[K] };

/** Sums up token usage by model, row by row. The rows refer to `reasons` by number. */
export class UsageSums {
  private readonly sums: Sum[] = [];

  constructor(
    private readonly rows: ResultColumns,
    private readonly reasons: readonly string[],
  ) {}

  add(row: number): void {
    const { rows } = this;
    if (storedAnswers[rows.statuses[row] as number] !== true) {
      return;
    }
    const number = rows.models[row] as number;
    this.sums[number] ??= { model: this.reasons[number - 1] ?? '', answers: 0, uncounted: 0, ...toCounts(() => 0) };
    const sum = this.sums[number];
    sum.answers++;
    sum.uncounted += rows.uncounted[row] as number;
    for (const column of tokenColumns) {
      sum[column] += rows[column][row] as number;
    }
  }

  /** Returns the usage of each model, sorted by number of answers, descending. */
  byModel(): readonly ModelUsage[] {
    return this.sums.filter(sum => sum !== undefined).sort((a, b) => b.answers - a.answers || (a.model < b.model ? -1 : 1));
  }
}

export function countsOf(rows: ResultColumns, row: number): TokenCounts {
  return toCounts(column => rows[column][row] as number);
}

export function addUsage(usage: readonly ModelUsage[]): TokenCounts {
  return toCounts(column => usage.reduce((sum, one) => sum + one[column], 0));
}

function toCounts(count: (column: keyof TokenCounts) => number): TokenCounts {
  return Object.fromEntries(tokenColumns.map(column => [column, count(column)])) as unknown as TokenCounts;
}

/** Counts the statuses and tokens for a report. The rows refer to `reasons` by number. */
export function countRows(
  rows: ResultColumns,
  reasons: readonly string[],
): Omit<ResultsReport, 'rawBytes' | 'missing' | 'unexpected' | 'duplicate' | 'damaged' | 'countsMatch' | 'complete'> {
  const found = new Uint32Array(storedStatuses.length);
  const sums = new UsageSums(rows, reasons);
  for (let row = 0; row < rows.count; row++) {
    const status = rows.statuses[row] as number;
    found[status] = (found[status] as number) + 1;
    sums.add(row);
  }
  const count = (status: ResultStatus) => found[toStored(status)] as number;
  const [cutShort, refused, empty] = [count('cut_short'), count('refused'), count('empty')];
  const counts = {
    ...{ succeeded: count('succeeded') + cutShort + refused + empty, errored: count('failed') },
    ...{ canceled: count('canceled'), expired: count('expired'), other: count('other') },
  };
  const usage = sums.byModel();
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = addUsage(usage);
  return { counts, cutShort, refused, empty, usage, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
}
