import type { ModelSurvey } from '../../../jsonl/survey/fileSurvey';
import type { Submission } from '../../ledger';

/** Answers of batches that were fetched: the tokens are those of all answers together. */
export interface PastAnswers {
  readonly batches: number;
  readonly answers: number;
  readonly outputTokens: number;
}

/** What answers had until now. A model is in `byModel` when there were batches of it alone; `all` is of batches with any model. */
export interface PastOutput {
  readonly byModel: ReadonlyMap<string, PastAnswers>;
  readonly all: PastAnswers | undefined;
}

/** The last batches that count: what was asked longer ago is likely to be something else. */
const mostBatches = 10;

/** What the last fetched answers of a connection had, of each model and in all; without a connection those of all connections. */
export function toPastOutput(newestFirst: readonly Submission[], connection: string | undefined): PastOutput {
  const byModel = new Map<string, PastAnswers>();
  let all: PastAnswers | undefined;
  for (const submission of newestFirst) {
    const { results, models } = submission;
    const answers = results?.report.counts.succeeded;
    const outputTokens = results?.report.outputTokens;
    if ((connection === undefined || submission.connection === connection) && isCount(answers) && answers > 0 && isCount(outputTokens)) {
      all = plus(all, answers, outputTokens);
      const [only, ...others] = models ?? [];
      if (only !== undefined && others.length === 0) {
        byModel.set(only[0], plus(byModel.get(only[0]), answers, outputTokens));
      }
    }
  }
  return { byModel, all };
}

/** The output that is likely, by what answers of the model had on average, else all answers; never more than is allowed. */
export function likelyOutput(
  { model, requests, maxOutput }: Pick<ModelSurvey, 'model' | 'requests' | 'maxOutput'>,
  { byModel, all }: PastOutput,
): { readonly tokens: number; readonly from: PastAnswers } | undefined {
  const from = byModel.get(model) ?? all;
  return from === undefined || maxOutput === 0
    ? undefined
    : { tokens: Math.min(maxOutput, Math.round((from.outputTokens / from.answers) * requests)), from };
}

function plus(sum: PastAnswers = { batches: 0, answers: 0, outputTokens: 0 }, answers: number, outputTokens: number): PastAnswers {
  return sum.batches === mostBatches
    ? sum
    : { batches: sum.batches + 1, answers: sum.answers + answers, outputTokens: sum.outputTokens + outputTokens };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
