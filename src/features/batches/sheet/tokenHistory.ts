import { aliasOf } from '../../../common/readPrices';
import type { ModelOutputs } from '../../../jsonl/estimating/pastOutputs';
import type { PastOutputs } from '../../../jsonl/estimating/tokenStatistics';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import { addUsage, type TokenCounts } from '../../../jsonl/results/resultUsage';
import { addTo, generationsOf, pathsOf, type Run, resultsOf, type SubmissionRegistry, toRuns } from '../../ledger';
import { requestedModels } from '../runCost';

/** Tokens of one model in one finished run. `answers` counts the answers with token counts. */
export interface PastModelRun extends PastOutputs {
  /** True for a run of the file itself, or of a file that its requests were retried from. */
  readonly isOfFile: boolean;
  /** Template that all requests of the model had, or `undefined` if there were several or none. */
  readonly template: number | undefined;
  readonly tokens: TokenCounts;
  /** Estimated size of the answered requests by text; `undefined` if an older version sent them. */
  readonly text: number | undefined;
}

/** Finished runs by model ID without its date, newest first. */
export type TokenHistory = ReadonlyMap<string, readonly PastModelRun[]>;

export interface HistoryQuery {
  /** URI string of the file. */
  readonly source: string;
  /** If absent, runs of all connections are used. */
  readonly connection: string | undefined;
}

/** Maximum number of runs to use, newest first: older ones probably had different prompts. */
const maxRuns = 10;

interface ChosenRun {
  readonly run: Run;
  readonly isOfFile: boolean;
}

/** Returns a key that changes if the history may have changed. */
export function historyStamp(registry: Pick<SubmissionRegistry, 'all'>, query: HistoryQuery): string {
  return chooseRuns(registry, query)
    .map(({ run }) => `${run.id} ${resultsOf(run)?.fetchedAt}`)
    .join('\n');
}

/** Reads the output tokens of the latest runs. */
export async function readTokenHistory(
  { registry, jobs }: { readonly registry: Pick<SubmissionRegistry, 'all' | 'folder'>; readonly jobs: Pick<JsonlJobs, 'run'> },
  query: HistoryQuery,
  signal: AbortSignal,
): Promise<TokenHistory> {
  const runs = chooseRuns(registry, query);
  const indexPaths = runs.flatMap(({ run }) => {
    const results = resultsOf(run);
    return results === undefined ? [] : [pathsOf(registry, results).indexPath];
  });
  return indexPaths.length === 0 ? new Map() : toTokenHistory(runs, await jobs.run('readPastOutputs', { indexPaths }, { signal }));
}

function chooseRuns(registry: Pick<SubmissionRegistry, 'all'>, { source, connection }: HistoryQuery): readonly ChosenRun[] {
  const all = toRuns(registry.all());
  const fetched = all
    .filter(run => resultsOf(run) !== undefined && (connection === undefined || run.connection === connection))
    .map(run => ({ run, isOfFile: run.source === source || generationsOf(all, run)[0]?.source === source }));
  return [true, false].flatMap(isOfFile => fetched.filter(one => one.isOfFile === isOfFile).slice(0, maxRuns));
}

function toTokenHistory(runs: readonly ChosenRun[], outputs: readonly (readonly ModelOutputs[])[]): TokenHistory {
  const history = new Map<string, PastModelRun[]>();
  for (const [at, { run, isOfFile }] of runs.entries()) {
    const { requests: requested, nameOf } = requestedModels(run.submissions);
    const usage = resultsOf(run)?.report.usage ?? [];
    for (const model of new Set(usage.map(one => nameOf(one.model)))) {
      const answered = (outputs[at] ?? []).filter(one => nameOf(one.model) === model);
      const answers = sumOf(answered, one => one.answers);
      if (answers > 0) {
        addTo(history, model, {
          ...{ isOfFile, answers, template: templateOf(run, model) },
          tokens: addUsage(usage.filter(one => nameOf(one.model) === model)),
          text: textOf(run, model, answers / (requested.get(model) ?? answers)),
          mean: sumOf(answered, one => one.answers * one.mean) / answers,
          values: Float64Array.from(answered.flatMap(({ values }) => [...values])),
        });
      }
    }
  }
  return history;
}

function templateOf({ lead: { estimate = [] } }: Run, model: string): number | undefined {
  const [template, ...others] = new Set(estimate.flatMap(one => (aliasOf(one.model) === model ? [one.template] : [])));
  return template === 0 || others.length > 0 ? undefined : template;
}

/** Returns the size by text of the answered requests of a model. `share` is their share of all its requests. */
function textOf({ lead: { estimate = [] } }: Run, model: string, share: number): number | undefined {
  const own = estimate.filter(one => aliasOf(one.model) === model);
  return own.length === 0 || own.some(({ text }) => text === undefined)
    ? undefined
    : sumOf(own, ({ text = 0 }) => text) * Math.min(1, share);
}

function sumOf<T>(items: readonly T[], numberOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + numberOf(item), 0);
}
