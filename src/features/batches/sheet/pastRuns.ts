import type { Prices } from '../../../common/readPrices';
import { type Run, requestCountOf, resultsOf, runsOfSource, type Submission, toRuns } from '../../ledger';
import { actualCost, type Cost, type EstimatedCost, estimatedCost } from '../runCost';

/** A run whose results were fetched. */
export interface PastRun {
  /** RFC 3339. */
  readonly startedAt: string;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Cost at today's prices. */
  readonly actual: Cost | undefined;
  readonly estimated: EstimatedCost | undefined;
  /** Milliseconds from the first batch to the end of the last, by the service's clock. */
  readonly took: number | undefined;
}

export interface PastRunsQuery {
  /** URI string of the sheet's file. */
  readonly source: string;
  /** If absent, runs of all connections are used. */
  readonly connection: string | undefined;
  readonly prices: Prices;
}

const most = 3;

/** Returns the latest fetched runs of the file, newest first. */
export function toPastRuns(submissions: readonly Submission[], { source, connection, prices }: PastRunsQuery): readonly PastRun[] {
  return runsOfSource(toRuns(submissions), source)
    .filter(run => resultsOf(run) !== undefined && (connection === undefined || run.connection === connection))
    .slice(0, most)
    .map(run => toPastRun(run, prices));
}

function toPastRun(run: Run, prices: Prices): PastRun {
  const { inputTokens = 0, outputTokens = 0 } = resultsOf(run)?.report ?? {};
  return {
    startedAt: run.startedAt,
    requests: requestCountOf(run),
    ...{ inputTokens, outputTokens },
    actual: actualCost(run, prices),
    estimated: estimatedCost(run, prices),
    took: tookOf(run),
  };
}

/** Returns the total duration of a run's batches in milliseconds, or `undefined` if one has not ended or its times are unknown. */
function tookOf({ submissions }: Pick<Run, 'submissions'>): number | undefined {
  const begun = submissions.map(({ batch }) => Date.parse(batch?.created_at ?? ''));
  const ended = submissions.map(({ batch }) => Date.parse(batch?.ended_at ?? ''));
  const took = Math.max(...ended) - Math.min(...begun);
  return took >= 0 ? took : undefined;
}
