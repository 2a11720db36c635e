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

/** Requests whose answers are likely to be alike, the most alike first: those of one file, of one template, of one model. */
const scopes = ['file', 'template', 'model'] as const;

/** Past answers by model ID without its date. Those of a template have the template after a line break. */
export type PastOutput = Readonly<Record<(typeof scopes)[number], ByModel>>;

/** Past answers that a likely output is based on. */
export interface PastSource extends PastAnswers {
  readonly scope: (typeof scopes)[number];
}

/** Number of latest batches to count. Older ones are likely to have asked something else. */
const mostBatches = 10;

/** Sums up the latest fetched answers of a connection, or of all connections without one. `source` is the URI string of the file. */
export function toPastOutput(newestFirst: readonly Submission[], connection: string | undefined, source: string): PastOutput {
  const past = { file: new Map<string, PastAnswers>(), template: new Map<string, PastAnswers>(), model: new Map<string, PastAnswers>() };
  for (const submission of newestFirst) {
    if (connection === undefined || submission.connection === connection) {
      for (const [model, answers] of answersOf(submission)) {
        add(past.model, model, answers);
        const template = templateOf(submission, model);
        if (template !== undefined) {
          add(past.template, `${model}\n${template}`, answers);
        }
        if (submission.source === source) {
          add(past.file, model, answers);
        }
      }
    }
  }
  return past;
}

/** Returns the likely output by the average of the model's past answers to the most alike requests. At most `maxOutput`. */
export function likelyOutput(
  { model, requests, maxOutput, template }: Pick<ModelSurvey, 'model' | 'requests' | 'maxOutput' | 'template'>,
  past: PastOutput,
): { readonly tokens: number; readonly from: PastSource } | undefined {
  const alias = aliasOf(model);
  const keys = { file: alias, template: `${alias}\n${template}`, model: alias };
  for (const scope of maxOutput === 0 ? [] : scopes) {
    const from = past[scope].get(keys[scope]);
    if (from !== undefined) {
      return { tokens: Math.min(maxOutput, Math.round((from.outputTokens / from.answers) * requests)), from: { ...from, scope } };
    }
  }
  return undefined;
}

/** Returns the template that all requests of a model had, or `undefined` if there were several or none. */
function templateOf({ estimate = [] }: Submission, model: string): number | undefined {
  const [template, ...others] = new Set(estimate.flatMap(one => (aliasOf(one.model) === model ? [one.template] : [])));
  return template === 0 || others.length > 0 ? undefined : template;
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
