import type { Prices } from '../../../common/readPrices';
import { type Run, resultsOf, type Submission, toRuns } from '../../ledger';
import { actualCost, type Cost, estimatedCost, modelsOf } from '../fileRuns/runCost';
import { baseName } from '../sourceNames';
import type { MoneyRange } from './presentation/estimateMoney';

/** What came of a run whose results were fetched. */
export interface PastRun {
  /** Name of its file; undefined where that is the file of the sheet. */
  readonly fileName: string | undefined;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** At today's prices. */
  readonly actual: Cost | undefined;
  readonly estimated: MoneyRange | undefined;
  /** Milliseconds from the first batch to the end of the last, by the service's clock. */
  readonly took: number | undefined;
}

export interface PastRunsQuery {
  /** URI string of the sheet's file. */
  readonly source: string;
  /** What would be asked now. */
  readonly models: readonly string[];
  /** Without one those of all connections count. */
  readonly connection: string | undefined;
  readonly prices: Prices;
}

const most = 3;

/** The last runs that say something of what would be sent: those of the file, then those of other files that asked the very same models. */
export function toPastRuns(submissions: readonly Submission[], { source, models, connection, prices }: PastRunsQuery): readonly PastRun[] {
  const wanted = [...models].sort().join('\n');
  const ended = toRuns(submissions).filter(
    run => resultsOf(run) !== undefined && (connection === undefined || run.connection === connection),
  );
  const ofFile = ended.filter(run => run.source === source);
  const ofModels = ended.filter(run => run.source !== source && [...modelsOf(run)].sort().join('\n') === wanted);
  return [...ofFile, ...ofModels].slice(0, most).map(run => toPastRun(run, source, prices));
}

function toPastRun(run: Run, source: string, prices: Prices): PastRun {
  const { inputTokens = 0, outputTokens = 0 } = resultsOf(run)?.report ?? {};
  return {
    fileName: run.source === source ? undefined : baseName(run.source),
    startedAt: run.startedAt,
    requests: run.submissions.reduce((sum, { requestCount }) => sum + requestCount, 0),
    ...{ inputTokens, outputTokens },
    actual: actualCost(run, prices),
    estimated: estimatedCost(run, prices),
    took: tookOf(run),
  };
}

/** Milliseconds that the batches of a run took in all; undefined where one has not ended, or the service does not tell. */
export function tookOf({ submissions }: Pick<Run, 'submissions'>): number | undefined {
  const begun = submissions.map(({ batch }) => Date.parse(batch?.created_at ?? ''));
  const ended = submissions.map(({ batch }) => Date.parse(batch?.ended_at ?? ''));
  const took = Math.max(...ended) - Math.min(...begun);
  return took >= 0 ? took : undefined;
}
