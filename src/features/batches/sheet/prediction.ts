import { aliasOf } from '../../../common/readPrices';
import type { ModelOutputs } from '../../../jsonl/estimating/pastOutputs';
import {
  estimateByRatio,
  type OutputQuestion,
  type PastOutputs,
  predictByRatio,
  predictOutput,
  type SpreadPrior,
} from '../../../jsonl/estimating/tokenStatistics';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import { addUsage, type TokenCounts } from '../../../jsonl/results/resultUsage';
import type { FileSurvey, ModelSurvey, TokenRange } from '../../../jsonl/survey/fileSurvey';
import { roundTokens } from '../../../jsonl/survey/tokenTable';
import { type CacheMix, generationsOf, groupBy, pathsOf, type Run, resultsOf, type SubmissionRegistry, toRuns } from '../../ledger';
import { requestedModels } from '../runCost';
import type { CountedStratum } from './countSample';

/** Source of a number of input tokens. Only the text, finished runs, or counts of the service. */
type InputSource = 'text' | 'past' | 'counted';

/** Predicted tokens of the requests of one model. */
interface ModelPrediction extends ModelSurvey {
  /** Input tokens estimated from the text alone, whatever `inputFrom` is. */
  readonly text: number;
  readonly inputFrom: InputSource;
  /** `from` has the number of past answers. `scope` is the first of `file`, `template` and `model` for which there are enough answers. */
  readonly output: (TokenRange & { readonly from: { answers: number; scope: 'file' | 'template' | 'model' } }) | undefined;
  /** Use of the cache in earlier runs of the file. Absent without such runs, or if the requests have no cache markers. */
  readonly cacheMix?: CacheMix;
}

/** Predicted tokens of the requests to send. `output` is `undefined` if the output of a model can't be predicted. */
export interface Prediction {
  readonly models: readonly ModelPrediction[];
  readonly input: TokenRange;
  /** The least exact source among the models. */
  readonly inputFrom: InputSource;
  readonly output: TokenRange | undefined;
}

/** Sources of a prediction besides the text of the requests. */
interface PredictionSources {
  readonly past: TokenHistory;
  /** Counted sample. `undefined` until a sample was counted. */
  readonly counted: readonly CountedStratum[] | undefined;
}

/** Assumed spread between runs of the same file, and between runs of different files with the same model. */
const ownInput: SpreadPrior = { spread: 0.01, runs: 4 };
const otherInput: SpreadPrior = { spread: 0.05, runs: 3 };
const ownOutput: SpreadPrior = { spread: 0.06, runs: 3 };
const otherOutput: SpreadPrior = { spread: 0.3, runs: 3 };

/** Minimum number of answers of the same file or template. With fewer, less similar requests are used. */
const enoughAnswers = 5;

const predictions = new WeakMap<FileSurvey, PredictionSources & { readonly prediction: Prediction }>();

/** Predicts the tokens of surveyed requests. Memoized by its arguments. */
export function predict(survey: FileSurvey, { past, counted }: PredictionSources): Prediction {
  let known = predictions.get(survey);
  if (known === undefined || known.past !== past || known.counted !== counted) {
    known = { past, counted, prediction: toPrediction(survey, { past, counted }) };
    predictions.set(survey, known);
  }
  return known.prediction;
}

function toPrediction(survey: FileSurvey, { past, counted }: PredictionSources): Prediction {
  const models = survey.models.map(model => predictModel(model, past.get(aliasOf(model.model)) ?? [], counted));
  const all = counted && estimateByRatio(counted);
  const outputs = models.map(({ output }) => output);
  return {
    models,
    input: all === undefined ? addRanges(models.map(({ input }) => input)) : roundTokens(all),
    inputFrom: models.length === 0 ? 'text' : (sources.find(source => models.some(({ inputFrom }) => inputFrom === source)) ?? 'text'),
    output: outputs.length > 0 && outputs.every(output => output !== undefined) ? addRanges(outputs) : undefined,
  };
}

const sources: readonly InputSource[] = ['text', 'past', 'counted'];

function predictModel(survey: ModelSurvey, past: readonly PastModelRun[], counted: readonly CountedStratum[] | undefined): ModelPrediction {
  const { input, requests, maxOutput, cached5m, cached1h } = survey;
  const text = input.likely;
  const own = past.filter(({ isOfFile }) => isOfFile);
  const sameTemplate = past.filter(({ template }) => template !== undefined && template === survey.template);
  const isEnough = (some: readonly PastModelRun[]) => some.reduce((sum, { answers }) => sum + answers, 0) >= enoughAnswers;
  const isOfFile = isEnough(own);
  const scope = isOfFile ? 'file' : isEnough(sameTemplate) ? 'template' : 'model';
  const runs: readonly PastModelRun[] = { file: own, template: sameTemplate, model: past }[scope];
  const sized = runs.flatMap(({ text: size, tokens: { inputTokens, cacheReadTokens, cacheWriteTokens } }) =>
    size === undefined ? [] : [{ text: size, tokens: inputTokens + cacheReadTokens + cacheWriteTokens }],
  );
  const exact = counted && countedOf(survey, counted);
  const learned = exact ?? predictByRatio(sized, text, isOfFile ? ownInput : otherInput);
  const question: OutputQuestion = { requests, most: maxOutput };
  const output = predictOutput(runs, question, isOfFile ? ownOutput : otherOutput);
  const answers = runs.reduce((sum, run) => sum + run.answers, 0);
  const cacheMix = cached5m + cached1h > 0 && isOfFile ? toCacheMix(own) : undefined;
  return {
    ...{ ...survey, text },
    input: learned === undefined ? input : roundTokens(learned),
    inputFrom: exact !== undefined ? 'counted' : learned !== undefined ? 'past' : 'text',
    output: output && { ...roundTokens(output), from: { answers, scope } },
    ...(cacheMix && { cacheMix }),
  };
}

function countedOf({ model, requests, input }: ModelSurvey, counted: readonly CountedStratum[]): TokenRange | undefined {
  const own = counted.filter(stratum => stratum.model === model);
  const rest = counted.filter(stratum => stratum.model === undefined).map(stratum => ({ ...stratum, requests, text: input.likely }));
  return estimateByRatio(own.length > 0 ? own : rest);
}

function toCacheMix(runs: readonly PastModelRun[]): CacheMix | undefined {
  const sum = (count: (tokens: PastModelRun['tokens']) => number) => runs.reduce((all, { tokens }) => all + count(tokens), 0);
  const total = sum(({ inputTokens, cacheReadTokens, cacheWriteTokens }) => inputTokens + cacheReadTokens + cacheWriteTokens);
  return total === 0
    ? undefined
    : {
        read: sum(({ cacheReadTokens }) => cacheReadTokens) / total,
        write5m: sum(({ cacheWriteTokens, cacheWrite1hTokens }) => cacheWriteTokens - cacheWrite1hTokens) / total,
        write1h: sum(({ cacheWrite1hTokens }) => cacheWrite1hTokens) / total,
      };
}

function addRanges(ranges: readonly TokenRange[]): TokenRange {
  const sum = (end: keyof TokenRange) => ranges.reduce((all, range) => all + range[end], 0);
  return { low: sum('low'), likely: sum('likely'), high: sum('high') };
}

/** Tokens of one model in one finished run. `answers` counts the answers with token counts. */
export interface PastModelRun extends PastOutputs {
  /** True for a run of the file itself, or of a file that its requests were retried from. */
  readonly isOfFile: boolean;
  /** Template that all requests of the model had, or `undefined` if there were several or none. */
  readonly template: number | undefined;
  readonly tokens: TokenCounts;
  /** Size of the answered requests, estimated from their text. `undefined` if an older version sent the requests. */
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

/** Maximum number of runs of the file, and of other files. Older runs probably had different prompts. */
const maxRuns = 10;

/** Returns a key that changes if the history may have changed. */
export function historyStamp(registry: Pick<SubmissionRegistry, 'all'>, query: HistoryQuery): string {
  return chooseRuns(registry, query)
    .map(({ run }) => `${run.id} ${resultsOf(run)?.fetchedAt}`)
    .join('\n');
}

/** Reads the token counts of the latest fetched runs. */
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

function chooseRuns(registry: Pick<SubmissionRegistry, 'all'>, { source, connection }: HistoryQuery) {
  const all = toRuns(registry.all());
  const fetched = all
    .filter(run => resultsOf(run) !== undefined && (connection === undefined || run.connection === connection))
    .map(run => ({ run, isOfFile: run.source === source || generationsOf(all, run)[0]?.source === source }));
  return [true, false].flatMap(isOfFile => fetched.filter(one => one.isOfFile === isOfFile).slice(0, maxRuns));
}

function toTokenHistory(runs: ReturnType<typeof chooseRuns>, outputs: readonly (readonly ModelOutputs[])[]): TokenHistory {
  const past = runs.flatMap(({ run, isOfFile }, at) => {
    const { requests: requested, nameOf } = requestedModels(run.submissions);
    const usage = resultsOf(run)?.report.usage ?? [];
    return [...new Set(usage.map(one => nameOf(one.model)))].map(model => {
      const answered = (outputs[at] ?? []).filter(one => nameOf(one.model) === model);
      const answers = sumOf(answered, one => one.answers);
      return {
        ...{ model, isOfFile, answers, template: templateOf(run, model) },
        tokens: addUsage(usage.filter(one => nameOf(one.model) === model)),
        text: textOf(run, model, answers / (requested.get(model) ?? answers)),
        mean: sumOf(answered, one => one.answers * one.mean) / answers,
        values: Float64Array.from(answered.flatMap(({ values }) => [...values])),
      };
    });
  });
  return groupBy(
    past.filter(({ answers }) => answers > 0),
    ({ model }) => model,
  );
}

function templateOf({ lead: { estimate = [] } }: Run, model: string): number | undefined {
  const [template, ...others] = new Set(estimate.flatMap(one => (aliasOf(one.model) === model ? [one.template] : [])));
  return template === 0 || others.length > 0 ? undefined : template;
}

/**
 * Returns the size of the answered requests of a model, estimated from their text. `share` is the share of answered requests among all
 * requests of the model.
 */
function textOf({ lead: { estimate = [] } }: Run, model: string, share: number): number | undefined {
  const own = estimate.filter(one => aliasOf(one.model) === model);
  return own.length === 0 || own.some(({ text }) => text === undefined)
    ? undefined
    : sumOf(own, ({ text = 0 }) => text) * Math.min(1, share);
}

function sumOf<T>(items: readonly T[], numberOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + numberOf(item), 0);
}
