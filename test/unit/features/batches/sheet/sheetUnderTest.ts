import { readPrices } from '../../../../../src/common/readPrices';
import type { Problem } from '../../../../../src/contract/problem';
import type { RetrySources } from '../../../../../src/features/batches/retrying/retryPresentation';
import { type Choices, RetryChoice } from '../../../../../src/features/batches/sheet/choices';
import type { PastModelRun } from '../../../../../src/features/batches/sheet/prediction';
import type { SheetFacts } from '../../../../../src/features/batches/sheet/presentation/sheetFacts';
import { type Run, toRuns } from '../../../../../src/features/ledger/runs';
import type { BatchFileReport } from '../../../../../src/jsonl/checking/batchFileReport';
import type { SelectedRequests } from '../../../../../src/jsonl/checking/requestPlan';
import type { RetryGroup, RetryPlan } from '../../../../../src/jsonl/retrying/planRetry';
import type { FileSurvey, SharedPrefix } from '../../../../../src/jsonl/survey/fileSurvey';
import { recordOf } from '../../ledger/ledgerOfTest';
import { batch } from '../batchUnderTest';
import { resultsAt } from '../fileRuns/submissionOf';
import { used } from '../fileRuns/used';

export const context = {
  translate: (message: string, ...args: (string | number)[]) => message.replace(/\{(\d+)\}/g, (_, index) => String(args[Number(index)])),
  locale: 'en-US',
};

export const report: BatchFileReport = {
  fileBytes: 1_300_000,
  sha256: '3f786850e387550fdab836ed7e6dc881de23001b3f786850e387550fdab836ed',
  lineCount: 412,
  requestCount: 412,
  bareCount: 0,
  invalidCount: 0,
  unjoinableCount: 0,
  refusedCount: 0,
  bodyBytes: 1_234_567,
  models: [
    ['vendor-sonnet-5', 400],
    ['vendor-haiku-4-5', 12],
  ],
  problems: [],
  problemCounts: { error: 0, warning: 0, information: 0, hint: 0 },
  ruleCounts: [],
};

export const prefix: SharedPrefix = {
  id: 'p1',
  model: 'vendor-sonnet-5',
  requests: 380,
  firstLine: 0,
  breakpoint: ['params', 'system'],
  tokens: { low: 8_200, likely: 9_000, high: 9_900 },
  marked: 0,
  parent: undefined,
};

export function surveyOf(model: string, requests: number, input: FileSurvey['input'], maxOutput: number): FileSurvey['models'][number] {
  return { model, requests, input, maxOutput, cached5m: 0, cached1h: 0, template: 0 };
}

export const survey: FileSurvey = {
  requests: 412,
  skippedLines: 0,
  withoutMaxTokens: 0,
  input: { low: 3_411_000, likely: 3_800_000, high: 4_209_000 },
  maxOutput: 421_888,
  models: [
    surveyOf('vendor-sonnet-5', 400, { low: 3_400_000, likely: 3_790_000, high: 4_190_000 }, 409_600),
    surveyOf('vendor-haiku-4-5', 12, { low: 11_000, likely: 12_000, high: 19_000 }, 12_288),
  ],
  prefixes: [prefix],
  prefixesAreExact: true,
  findings: [],
  opaqueBlocks: 0,
};

/** Returns all requests of a file as one batch. */
export function outgoingOf({ requestCount, bodyBytes, models }: BatchFileReport): NonNullable<SheetFacts['outgoing']> {
  return { requestCount, bodyBytes, models, selected: undefined, parts: undefined };
}

/** Selects `count` requests, starting at line `first`. */
export function selectedFrom(first: number, count: number, bodyBytes: number): SelectedRequests {
  return { lines: Uint32Array.from({ length: count }, (_, index) => first + index), bodyBytes, models: [['vendor-sonnet-5', count]] };
}

export const facts: SheetFacts = {
  revision: 1,
  isToSend: true,
  fileName: 'support-tickets.jsonl',
  source: 'file:///requests.jsonl',
  folder: '/',
  fromEditor: false,
  connection: { name: 'Lab', host: 'agents.example.com' },
  hasNoBatches: false,
  limits: { maxRequests: 100_000, maxBytes: 256_000_000 },
  report,
  isForeign: false,
  isAboutSessions: false,
  isChecking: false,
  isSending: false,
  sending: undefined,
  outgoing: outgoingOf(report),
  choice: 'all',
  choices: undefined,
  wish: undefined,
  trialSize: 10,
  hasLines: true,
  total: report.requestCount,
  repeats: [],
  changes: [],
  notice: undefined,
  survey: { name: 'done', survey },
  prices: new Map(),
  currency: 'USD',
  folderModels: new Set(),
  folderRules: [],
  past: new Map(),
  count: { name: 'none' },
  hasNoCounts: false,
  limit: {},
  spentToday: 0,
  shownLimit: undefined,
  pastRuns: [],
};

export const prices = readPrices({
  'vendor-sonnet-5': { input: 1.5, output: 7.5, cacheRead: 0.15, cacheWrite: 1.875 },
  'vendor-haiku-4-5': { input: 0.4, output: 2 },
});

/** Past answers of one model to this file, and of another model to other files. */
export const past: SheetFacts['past'] = new Map([
  ['vendor-sonnet-5', [answersOf({ answers: 1204, mean: 300 })]],
  ['vendor-haiku-4-5', [answersOf({ answers: 796, mean: 300, isOfFile: false })]],
]);

/** A counted sample with 5 % more tokens than estimated from the text. */
export const counted: SheetFacts['count'] = {
  name: 'done',
  strata: survey.models.map(({ model, requests, input }) => ({
    ...{ model, requests, text: input.likely },
    counted: Array.from({ length: Math.min(requests, 32) }, (_, at) => ({ text: 1000, tokens: 1050 + (at % 5) * 10 - 20 })),
  })),
};

/** Returns equal answers of one run. */
export function answersOf({
  answers,
  mean,
  ...more
}: { readonly answers: number; readonly mean: number } & Partial<PastModelRun>): PastModelRun {
  const tokens = { inputTokens: 0, outputTokens: answers * mean, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return {
    ...{ isOfFile: true, template: undefined, answers, mean, text: undefined, values: new Float64Array(Math.min(answers, 20)).fill(mean) },
    tokens: { ...tokens, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0 },
    ...more,
  };
}

const ranFor = { created_at: '2026-05-04T10:00:00Z', ended_at: '2026-05-04T10:12:00Z' };
const [pastOne] = toRuns([
  recordOf({
    ...{ id: 'past', state: 'created', requestCount: 412, startedAt: '2026-05-04T10:00:00.000Z' },
    batch: { ...batch('ended', { succeeded: 412 }), ...ranFor },
    estimate: [{ model: 'vendor-haiku-4-5', inputLow: 1_000_000, inputHigh: 1_500_000, maxOutput: 1_200_000 }],
    results: {
      ...resultsAt('/past'),
      report: {
        ...resultsAt('/past').report,
        ...{ inputTokens: 1_200_000, outputTokens: 84_000 },
        usage: [used('vendor-haiku-4-5', { inputTokens: 2_000_000, outputTokens: 200_000, answers: 412 })],
      },
    },
  }),
]);
export const pastRun = pastOne as Run;
const trialCost = { low: 1.2, high: 1.2, missing: { prices: [], answers: 0, cacheTime: 0 }, byAlias: [] };

export const earlier = recordOf({
  ...{ id: '00000000-0000-4000-8000-000000000001', origin: 'https://agents.example.com', source: 'file:///requests.jsonl' },
  ...{ sha256: report.sha256, requestCount: 412, state: 'created', batchId: 'msgbatch_7', startedAt: '2026-05-04T10:00:00.000Z' },
});

export function problem(rule: string, severity: Problem['severity'], change: Partial<Problem> = {}): Problem {
  const text = { template: 'Something of {0} is wrong', args: [rule] };
  return { rule, severity, text, line: 11, start: 4, end: 9, path: ['params', 'max_tokens'], ...change };
}

const group: Omit<RetryGroup, 'key' | 'count' | 'lines' | 'places'> = {
  ...{ kind: 'cut_short', errorType: undefined, message: '', action: 'raise_max_tokens', reason: 'limit_reached', isSensible: true },
  ...{ remedy: { kind: 'raise_max_tokens', to: 96 }, rows: [], gone: 0, unknown: 0, credit: undefined },
  stopReason: 'max_tokens',
  models: [{ model: 'vendor-sonnet-5', requests: 44, minOfOne: 24, maxOfOne: 24 }],
};

/** Returns the requests of a retry that failed for one cause. */
export function groupOf(key: string, count: number, more: Partial<RetryGroup>): RetryGroup {
  const lines = Uint32Array.from({ length: count }, (_, line) => line * 3);
  const places = Uint32Array.from({ length: count * 2 }, (_, at) => (at % 2 === 0 ? 0 : (at - 1) / 2));
  return { ...group, key, count, lines, places, ...more };
}

/** Choices after a run with cut answers, rejected requests and a temporary failure. */
export function retryChoices(): Choices {
  const plan: RetryPlan = {
    groups: [
      groupOf('cut', 44, {}),
      groupOf('busy', 12, { kind: 'failed', errorType: 'overloaded_error', action: 'resend', reason: 'passing', remedy: undefined }),
      groupOf('hot', 3, {
        ...{ kind: 'failed', errorType: 'invalid_request_error', message: 'temperature is not accepted', action: 'edit' },
        ...{ reason: 'rejected', isSensible: false, remedy: { kind: 'remove', path: ['temperature'] } },
      }),
    ],
    kept: 353,
    underWay: 0,
    changedFiles: [],
  };
  const sources = { files: [{ source: facts.source }] } as unknown as RetrySources;
  return { ...noChoices, retry: { plan, sources, choice: new RetryChoice(plan) } };
}

const follows = { runId: 'run', purpose: 'changed' } as const;
export const noChoices: Choices = {
  ...{ stamp: '', follows, rest: undefined, changed: undefined, retry: undefined, trial: undefined, note: undefined, unfetched: [] },
};

/** Returns lines without a current answer, with the number of lines for each reason. */
export function chosenLines(count: number, counts: Partial<NonNullable<Choices['rest']>['counts']> = {}): NonNullable<Choices['rest']> {
  const none = { new: 0, changed: 0, failed: 0, unknown: 0, kept: 0 };
  return { lines: new Uint32Array(count), sha256: report.sha256, counts: { ...none, ...counts } };
}

/** Choices after a trial. */
export const afterTrial: Choices = {
  ...noChoices,
  rest: chosenLines(402, { new: 402, kept: 10 }),
  trial: { sampled: 10, succeeded: 10, unmet: 0, low: 0.7225, high: 1, cost: trialCost },
};

/** Returns a report with only these problems. */
export function reportOf(...problems: readonly Problem[]): BatchFileReport {
  const counts = { error: 0, warning: 0, information: 0, hint: 0 };
  const rules = new Map<string, { rule: string; count: number; firstLine: number }>();
  for (const { rule, severity, line } of problems) {
    counts[severity]++;
    const known = rules.get(rule);
    rules.set(rule, { rule, count: (known?.count ?? 0) + 1, firstLine: known?.firstLine ?? line });
  }
  return { ...report, problems, problemCounts: counts, ruleCounts: [...rules.values()] };
}

/** Returns all texts of a view in order, one per line. */
export function textsOf(value: unknown): string {
  if (typeof value === 'string') {
    return value;
  }
  return typeof value === 'object' && value !== null
    ? Object.values(value)
        .map(textsOf)
        .filter(text => text !== '')
        .join('\n')
    : '';
}
