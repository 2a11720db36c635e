import { aliasOf } from '../../../common/readPrices';
import type { ModelSurvey } from '../../../jsonl/survey/fileSurvey';
import type { Submission } from '../../ledger';

/** Answers of one model in fetched batches. `outputTokens` is the total of all answers. */
export interface PastAnswers {
  readonly batches: number;
  readonly answers: number;
  readonly outputTokens: number;
}

type ByModel = ReadonlyMap<string, PastAnswers>;

/** Past answers by model ID without its date: those to the file that would be sent, and those to any file. */
export interface PastOutput {
  readonly ofFile: ByModel;
  readonly ofAll: ByModel;
}

/** Past answers that a likely output is based on. */
export interface PastSource extends PastAnswers {
  readonly isOfFile: boolean;
  /** Model ID without its date. */
  readonly model: string;
}

/** Number of latest batches that count. Older requests are likely to be different. */
const mostBatches = 10;

/** Sums up the latest fetched answers of a connection, or of all connections without one. `source` is the URI string of the file. */
export function toPastOutput(newestFirst: readonly Submission[], connection: string | undefined, source: string): PastOutput {
  const ofFile = new Map<string, PastAnswers>();
  const ofAll = new Map<string, PastAnswers>();
  for (const submission of newestFirst) {
    if (connection === undefined || submission.connection === connection) {
      for (const [model, answers] of answersOf(submission)) {
        add(ofAll, model, answers);
        if (submission.source === source) {
          add(ofFile, model, answers);
        }
      }
    }
  }
  return { ofFile, ofAll };
}

/** Returns the likely output by the average of the model's past answers, to this file if there are any. At most `maxOutput`. */
export function likelyOutput(
  { model, requests, maxOutput }: Pick<ModelSurvey, 'model' | 'requests' | 'maxOutput'>,
  { ofFile, ofAll }: PastOutput,
): { readonly tokens: number; readonly from: PastSource } | undefined {
  const alias = aliasOf(model);
  const own = ofFile.get(alias);
  const from = own ?? ofAll.get(alias);
  return from === undefined || maxOutput === 0
    ? undefined
    : {
        tokens: Math.min(maxOutput, Math.round((from.outputTokens / from.answers) * requests)),
        from: { ...from, isOfFile: own !== undefined, model: alias },
      };
}

/** Returns the answers of a batch by model. A record of an older version counts if it has only one model. */
function answersOf({ results, models = [] }: Submission): ByModel {
  const found = new Map<string, PastAnswers>();
  const { report } = results ?? {};
  const [[only] = [], ...others] = models;
  for (const { model, answers, uncounted, outputTokens } of report?.usage ?? []) {
    add(found, aliasOf(model === '' && others.length === 0 ? (only ?? '') : model), {
      batches: 1,
      answers: answers - uncounted,
      outputTokens,
    });
  }
  if (report !== undefined && report.usage === undefined && only !== undefined && others.length === 0) {
    add(found, aliasOf(only), { batches: 1, answers: report.counts.succeeded, outputTokens: report.outputTokens });
  }
  return new Map([...found].map(([model, sum]) => [model, { ...sum, batches: 1 }]));
}

function add(into: Map<string, PastAnswers>, model: string, { batches, answers, outputTokens }: PastAnswers): void {
  const sum = into.get(model) ?? { batches: 0, answers: 0, outputTokens: 0 };
  if (isCount(answers) && answers > 0 && isCount(outputTokens) && sum.batches < mostBatches) {
    into.set(model, {
      batches: sum.batches + batches,
      answers: sum.answers + answers,
      outputTokens: sum.outputTokens + outputTokens,
    });
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
