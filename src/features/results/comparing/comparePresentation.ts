import type { Translate } from '../../../common/text/translate';
import type { Comparison } from '../../../jsonl/comparing/comparingJobs';
import { failedChecks } from '../../../jsonl/comparing/expectationMarks';
import { type AnswerJson, readAnswerJson } from '../../../jsonl/querying/answerJson';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import { addUsage, type TokenCounts } from '../../../jsonl/results/resultUsage';
import { answerText, errorText } from '../../../jsonl/results/resultWords';
import { toRecord } from '../../../jsonl/results/toRecord';
import type { ComparedKind } from '../../../shared/comparison/comparedKinds';
import { ExactNumber, writeJson } from '../../../shared/exactJson';
import { numberFormat } from '../../../shared/formats';
import { readMaskedResult } from '../../../shared/results/maskedResult';
import { hasAnswer, toStatusWord } from '../../../shared/results/resultStatus';
import { toLabel } from '../../../shared/text';

/** What is told of one of the runs. */
export interface SideFacts {
  /** Name of the request file. */
  readonly name: string;
  /** Name of the results, see `nameOfResults`. */
  readonly title: string;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly connection: string;
  readonly models: readonly string[];
}

/** What both runs gave for a request. */
export interface ComparedPair {
  readonly kind: ComparedKind;
  /** What both answers are by what is expected of them: see `expectationMarks.ts`. */
  readonly marks: readonly [before: number, after: number];
  readonly before: ResultEntry | undefined;
  readonly after: ResultEntry | undefined;
}

export interface CompareContext {
  readonly translate: Translate;
  readonly locale: string;
  /** What the requests in both runs cost, in words. */
  readonly cost?: readonly [before: string, after: string];
}

/** `vendor-opus-5`, or `vendor-opus-5 and 2 more`; empty when none is known. */
export function modelWords(models: readonly string[]): string {
  const [first] = models;
  return first === undefined ? '' : `${toLabel(first, 60)}${models.length > 1 ? ` +${models.length - 1}` : ''}`;
}

/** Describes a result in a few words: its status, and why it is not a whole answer. */
export function resultWords(entry: ResultEntry | undefined, t: Translate): string {
  if (entry === undefined) {
    return t('no answer');
  }
  const reason = entry.errorType ?? entry.stopReason;
  const status = toStatusWord(entry.status, t);
  const isPlain = reason === undefined || reason === 'end_turn';
  return isPlain ? status : `${status} (${toLabel(reason, 60)})`;
}

/** The id of a request, or both where they differ. */
export function nameOfPair({ before, after }: Pick<ComparedPair, 'before' | 'after'>): string {
  const id = before?.customId ?? after?.customId ?? '';
  return before !== undefined && after !== undefined && before.customId !== after.customId ? `${id} / ${after.customId}` : id;
}

/** From what to what a pair went: `succeeded → errored (api_error)`. Where both sound the same, what differs is the answer. */
export function changeWords({ before, after, marks: [first, second] }: ComparedPair, t: Translate): string {
  const words = (entry: ResultEntry | undefined, mark: number) => {
    const failed = entry !== undefined && hasAnswer(entry.status) ? failedChecks(mark) : [];
    return failed.length === 0 ? resultWords(entry, t) : t('{0}, fails {1}', resultWords(entry, t), failed.join(', '));
  };
  const [from, to] = [words(before, first), words(after, second)];
  return from === to ? t('{0}, another answer', from) : `${from} → ${to}`;
}

/** The texts that a diff of a pair shows: JSON laid out with its keys in order when both are JSON, so that only what is said differs. */
export function toDiffTexts(
  before: string | undefined,
  after: string | undefined,
): { readonly before: string; readonly after: string; readonly ending: 'json' | 'txt' } {
  const [first, second] = [before, after].map(line => (line === undefined ? '' : lineText(line))) as [string, string];
  const values = [first, second].map(text => (text === '' ? undefined : readAnswerJson(text)));
  const isJson =
    [first, second].every((text, side) => text === '' || values[side] !== undefined) && values.some(value => value !== undefined);
  if (!isJson) {
    return { before: first, after: second, ending: 'txt' };
  }
  const laidOut = (found: AnswerJson | undefined) => (found === undefined ? '' : `${writeJson(inOrder(found.value), '  ')}\n`);
  try {
    return { before: laidOut(values[0]), after: laidOut(values[1]), ending: 'json' };
  } catch {
    // It is nested too deep to be laid out.
    return { before: first, after: second, ending: 'txt' };
  }
}

/** The words of a joined line: the answer, or the error's type and message. */
function lineText(line: string): string {
  const result = readMaskedResult(line);
  if (result.type === 'succeeded') {
    return answerText(result);
  }
  const outer = toRecord(result.error);
  const type = toRecord(outer.error).type ?? outer.type;
  return result.type === 'errored' ? `${typeof type === 'string' ? `${type}: ` : ''}${errorText(result)}` : '';
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(inOrder);
  }
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, inOrder(member)]),
  );
}

/** Tokens of the requests that are in both, and what these cost: a name, and both numbers. */
export function numberRows(
  { usage }: Comparison,
  { translate: t, locale, cost }: CompareContext,
): readonly (readonly [name: string, before: string, after: string])[] {
  const number = numberFormat(locale);
  const sums = usage.map(addUsage) as [TokenCounts, TokenCounts];
  const both = (name: keyof TokenCounts) => [sums[0][name], sums[1][name]] as const;
  const row = (label: string, [before, after]: readonly [number, number]) => {
    const share =
      before === 0 ? '' : ` (${after >= before ? '+' : '−'}${number.format(Math.abs(Math.round((after / before - 1) * 100)))} %)`;
    return [label, number.format(before), `${number.format(after)}${share}`] as const;
  };
  return [
    row(t('Input tokens of requests in both'), both('inputTokens')),
    row(t('Output tokens of requests in both'), both('outputTokens')),
    ...(hasAny(both('cacheReadTokens')) ? [row(t('Tokens read from the cache'), both('cacheReadTokens'))] : []),
    ...(hasAny(both('cacheWriteTokens')) ? [row(t('Tokens written to the cache'), both('cacheWriteTokens'))] : []),
    ...(cost === undefined ? [] : [[t('Cost of requests in both'), ...cost] as const]),
  ];
}

function hasAny([before, after]: readonly [number, number]): boolean {
  return before + after > 0;
}
