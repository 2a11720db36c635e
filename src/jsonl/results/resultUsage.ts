import { storedAnswers } from './resultStatus';
import type { ResultColumns } from './resultsFile';

/** Tokens of answers. Cache tokens are not among the input tokens. */
export interface TokenCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  /** All of them; those that are in neither of the two below were written for a time that the service did not name. */
  readonly cacheWriteTokens: number;
  readonly cacheWrite5mTokens: number;
  readonly cacheWrite1hTokens: number;
}

/** What the answers of one model used. */
export interface ModelUsage extends TokenCounts {
  /** As the answers name it; empty if they name none. */
  readonly model: string;
  readonly answers: number;
  /** Answers without token counts: nothing of them is in the sums. */
  readonly uncounted: number;
}

const tokenColumns = [
  ...(['inputTokens', 'outputTokens', 'cacheReadTokens'] as const),
  ...(['cacheWriteTokens', 'cacheWrite5mTokens', 'cacheWrite1hTokens'] as const),
] as const satisfies readonly (keyof TokenCounts)[];

type Sum = { -readonly [K in keyof ModelUsage]: ModelUsage[K] };

/** Sums up answers by model, one row after the other. `reasons` are the texts that the columns number. */
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
    this.sums[number] ??= toSum(this.reasons[number - 1] ?? '');
    const sum = this.sums[number];
    sum.answers++;
    sum.uncounted += rows.uncounted[row] as number;
    for (const column of tokenColumns) {
      sum[column] += rows[column][row] as number;
    }
  }

  /** The models that answered, the most used first. */
  byModel(): readonly ModelUsage[] {
    return this.sums.filter(sum => sum !== undefined).sort((a, b) => b.answers - a.answers || (a.model < b.model ? -1 : 1));
  }
}

/** Tokens of one row. */
export function countsOf(rows: ResultColumns, row: number): TokenCounts {
  const count = (column: keyof TokenCounts) => rows[column][row] as number;
  return {
    ...{ inputTokens: count('inputTokens'), outputTokens: count('outputTokens'), cacheReadTokens: count('cacheReadTokens') },
    ...{ cacheWriteTokens: count('cacheWriteTokens') },
    ...{ cacheWrite5mTokens: count('cacheWrite5mTokens'), cacheWrite1hTokens: count('cacheWrite1hTokens') },
  };
}

/** Sums of all models. */
export function addUsage(usage: readonly ModelUsage[]): TokenCounts {
  const sum = toSum('');
  for (const one of usage) {
    for (const column of tokenColumns) {
      sum[column] += one[column];
    }
  }
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite5mTokens, cacheWrite1hTokens } = sum;
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite5mTokens, cacheWrite1hTokens };
}

function toSum(model: string): Sum {
  const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0 };
  return { model, answers: 0, uncounted: 0, ...none };
}
