import type { Prices } from '../../../common/readPrices';
import { describeTime } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { type AnswerJson, readAnswerJson } from '../../../jsonl/answers/answerJson';
import type { Comparison } from '../../../jsonl/comparing/compareResults';
import { checksIn, isAsExpected } from '../../../jsonl/comparing/expectationMarks';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import { addUsage, type TokenCounts } from '../../../jsonl/results/resultUsage';
import { answerText, errorText, toRecord } from '../../../jsonl/results/resultWords';
import {
  type ComparedCell,
  type ComparedKind,
  type ComparedPairAct,
  type ComparedPairView,
  type ComparedRun,
  type ComparisonFilter,
  type ComparisonHead,
  type ComparisonRow,
  comparisonFilters,
} from '../../../shared/comparison/comparisonProtocol';
import { ExactNumber, writeJson } from '../../../shared/exactJson';
import { numberFormat } from '../../../shared/formats';
import { readMaskedResult } from '../../../shared/maskedJson';
import { hasAnswer, toStatusWord } from '../../../shared/results/resultStatus';
import { toLabel } from '../../../shared/text';
import { costOfUsage, describeCost, isExact } from '../../batches/api';
import { toAnswerSide } from '../table/pairPresentation';
import { toChanceWords, toCountWords, toMeasureLines, toMethodWords } from './measurePresentation';

/** Returns the table row of a pair. `words` are the first words of both answers. */
export function toComparisonRow(pair: ComparedPair, [first, second]: readonly [string, string], t: Translate): ComparisonRow {
  const { kind, before, after, marks } = pair;
  return {
    cells: [
      {
        words: kind === 'lost' ? t('missing') : kind === 'added' ? t('new') : filterWords(kind, t).toLocaleLowerCase(),
        className: `kind kind-${kind}`,
      },
      { words: toLabel(nameOfPair(pair), 400), className: 'id' },
      ...toCells(before, marks[0], first, t),
      ...toCells(after, marks[1], second, t),
    ],
  };
}

/** Returns both answers of a pair, from its lines in the joined results. */
export function toPairView(
  pair: ComparedPair,
  [before, after]: readonly [string | undefined, string | undefined],
  { translate: t, locale }: Pick<CompareContext, 'translate' | 'locale'>,
): ComparedPairView {
  const name = toLabel(nameOfPair(pair), 400);
  const link = (act: ComparedPairAct, label: string) => ({ act, label });
  return {
    name,
    label: t('Both answers to {0}', name),
    links: [
      link('difference', t('Show Difference')),
      ...(before === undefined ? [] : [link('before', t('Results of A'))]),
      ...(after === undefined ? [] : [link('after', t('Results of B'))]),
      link('request', t('Go to Request')),
    ],
    ...(before !== undefined && { before: toAnswerSide(before, { translate: t, locale }) }),
    ...(after !== undefined && { after: toAnswerSide(after, { translate: t, locale }) }),
  };
}

function toCells(entry: ResultEntry | undefined, mark: number, preview: string, t: Translate): readonly ComparedCell[] {
  if (entry === undefined) {
    return [{ words: t('no result'), className: 'isComing' }, { words: '' }];
  }
  return [toStatus(entry, mark, t), { words: toLabel(preview, 200), className: 'words' }];
}

function toStatus(entry: ResultEntry, mark: number, t: Translate): ComparedCell {
  const { status, stopReason, errorType } = entry;
  const isExpected = status === 'succeeded' ? isAsExpected(mark) : undefined;
  if (isExpected !== undefined) {
    return isExpected
      ? { words: t('passes'), className: 'mark-succeeded' }
      : { words: t('fails {0}', checksIn(mark).join(', ')), className: 'mark-failed' };
  }
  const reason = stopReason ?? errorType ?? '';
  const word = toStatusWord(status, t);
  return { words: reason === '' || reason === 'end_turn' ? word : t('{0}: {1}', word, toLabel(reason, 80)), className: `mark-${status}` };
}

/** Facts about one run of a comparison. */
export interface SideFacts {
  readonly name: string;
  /** Name of the results (see `nameOfResults`). */
  readonly title: string;
  /** Start time in RFC 3339 format. */
  readonly startedAt: string;
  readonly connection: string;
  readonly models: readonly string[];
}

/** Results of both runs for one request. */
export interface ComparedPair {
  readonly kind: ComparedKind;
  /** Expectation marks of both answers (see `expectationMarks.ts`). */
  readonly marks: readonly [before: number, after: number];
  readonly before: ResultEntry | undefined;
  readonly after: ResultEntry | undefined;
}

interface CompareContext {
  readonly translate: Translate;
  readonly locale: string;
  readonly cost?: readonly [before: string, after: string] | undefined;
}

/** Returns a short list of models: `vendor-opus-5`, or `vendor-opus-5 +2`. Empty if no model is known. */
export function modelWords(models: readonly string[]): string {
  const [first] = models;
  return first === undefined ? '' : `${toLabel(first, 60)}${models.length > 1 ? ` +${models.length - 1}` : ''}`;
}

/** Describes a result in a few words: its status, and the reason if the answer is not complete. */
function resultWords(entry: ResultEntry | undefined, t: Translate): string {
  if (entry === undefined) {
    return t('no answer');
  }
  const reason = entry.errorType ?? entry.stopReason;
  const status = toStatusWord(entry.status, t);
  const isPlain = reason === undefined || reason === 'end_turn';
  return isPlain ? status : `${status} (${toLabel(reason, 60)})`;
}

/** Returns the id of a request, or both ids if they differ. */
export function nameOfPair({ before, after }: Pick<ComparedPair, 'before' | 'after'>): string {
  const id = before?.customId ?? after?.customId ?? '';
  return before !== undefined && after !== undefined && before.customId !== after.customId ? `${id} / ${after.customId}` : id;
}

/** Describes the change of a pair: `succeeded → errored (api_error)`. If both sides have the same description, only the answers differ. */
export function changeWords({ before, after, marks: [first, second] }: ComparedPair, t: Translate): string {
  const words = (entry: ResultEntry | undefined, mark: number) => {
    const failed = entry !== undefined && hasAnswer(entry.status) ? checksIn(mark) : [];
    return failed.length === 0 ? resultWords(entry, t) : t('{0}, fails {1}', resultWords(entry, t), failed.join(', '));
  };
  const [from, to] = [words(before, first), words(after, second)];
  return from === to ? t('{0}, different answer', from) : `${from} → ${to}`;
}

function filterWords(filter: ComparisonFilter, t: Translate): string {
  return {
    all: t('All'),
    regressed: t('Worse'),
    fixed: t('Better'),
    changed: t('Changed'),
    lost: t('Only in A'),
    added: t('Only in B'),
    same: t('Same'),
  }[filter];
}

/** Returns the texts for a diff of a pair. If both are JSON, their keys are sorted, so that the diff only shows differences in content. */
export function toDiffTexts(before: string | undefined, after: string | undefined) {
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
    // The JSON is nested too deep to be pretty-printed.
    return { before: first, after: second, ending: 'txt' };
  }
}

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

/** Returns rows with the tokens and cost of the requests in both runs. */
export function numberRows({ usage }: Comparison, { translate: t, locale, cost }: CompareContext): ComparisonHead['numbers'] {
  const number = numberFormat(locale);
  const sums = usage.map(addUsage) as [TokenCounts, TokenCounts];
  const both = (name: keyof TokenCounts) => [sums[0][name], sums[1][name]] as const;
  const row = (name: string, [before, after]: readonly [number, number]) => {
    const share =
      before === 0 ? '' : ` (${after >= before ? '+' : '−'}${number.format(Math.abs(Math.round((after / before - 1) * 100)))} %)`;
    return { name, before: number.format(before), after: `${number.format(after)}${share}` };
  };
  return [
    row(t('Input tokens'), both('inputTokens')),
    row(t('Output tokens'), both('outputTokens')),
    ...(both('cacheReadTokens').some(Boolean) ? [row(t('Tokens read from the cache'), both('cacheReadTokens'))] : []),
    ...(both('cacheWriteTokens').some(Boolean) ? [row(t('Tokens written to the cache'), both('cacheWriteTokens'))] : []),
    ...(cost === undefined ? [] : [{ name: t('Cost'), before: cost[0], after: cost[1] }]),
  ];
}

/** Prices to compute costs with. */
export interface MoneyContext extends CompareContext {
  readonly prices: Prices;
  readonly currency: string;
}

/** Formats the costs of both runs. `asked` are the models requested in each run. Returns `undefined` if neither cost is known. */
export function comparedCost(
  { usage }: Pick<Comparison, 'usage'>,
  asked: readonly [before: readonly string[], after: readonly string[]],
  { prices, currency, translate, locale }: MoneyContext,
): readonly [before: string, after: string] | undefined {
  const [before, after] = [costOfUsage(usage[0], prices, asked[0]), costOfUsage(usage[1], prices, asked[1])];
  if (before === undefined && after === undefined) {
    return undefined;
  }
  const words = (cost: typeof before) => (cost === undefined ? translate('no price') : describeCost(cost, { translate, currency, locale }));
  const areExact = before !== undefined && after !== undefined && isExact(before) && isExact(after);
  const share = areExact && before.low > 0 ? Math.round((after.low / before.low - 1) * 100) : undefined;
  const more = share === undefined ? '' : ` (${share >= 0 ? '+' : '−'}${numberFormat(locale).format(Math.abs(share))} %)`;
  return [words(before), `${words(after)}${more}`];
}

/** Returns the header of a comparison. `judgedBy` is the name of the expectations file, if any. */
export function toComparisonHead(
  { title, sides, judgedBy }: { title: string; sides: readonly [SideFacts, SideFacts]; judgedBy: string | undefined },
  comparison: Comparison,
  context: MoneyContext,
): ComparisonHead {
  const { translate: t, locale } = context;
  const { measures, counts, expectationProblems: problems } = comparison;
  const verdict = measures[0]?.verdict;
  const judge = judgedBy === undefined ? t('Complete answers count as good.') : t('Answers are judged by {0}.', toLabel(judgedBy, 80));
  const toRun = ({ title: name, startedAt, connection, models }: SideFacts): ComparedRun => ({
    name: toLabel(name, 120),
    facts: [modelWords(models), describeTime(startedAt, { locale }), toLabel(connection, 60)].filter(fact => fact !== ''),
  });
  const count = comparison.kinds.length;
  return {
    of: 'results',
    title,
    runs: [toRun(sides[0]), toRun(sides[1])],
    summary: toCountWords(counts, context),
    chance: toChanceWords(measures, context),
    tone: verdict === 'better' || verdict === 'worse' ? verdict : 'unclear',
    differences: [],
    details: [...toMeasureLines(measures, context), `${judge} ${toMethodWords(measures, context)}`],
    notices: [
      ...(comparison.pairedBy === 'request' ? [t('No IDs match, so requests are paired by content.')] : []),
      ...(problems === 0 ? [] : [t('Invalid checks: {0}.', problems)]),
    ],
    numbers: numberRows(comparison, { ...context, cost: comparedCost(comparison, [sides[0].models, sides[1].models], context) }),
    acts: count === counts.same ? [] : [{ act: 'together', label: t('Show Differences in One Editor') }],
    filtersLabel: t('Filter requests'),
    filters: comparisonFilters.map(id => ({ id, label: filterWords(id, t), count: id === 'all' ? count : counts[id] })),
    tableLabel: t('Requests of both runs'),
    columns: [t('B vs. A'), t('ID'), 'A', t('Answer of A'), 'B', t('Answer of B')],
    empty: t('No requests'),
    pairLabel: t('Both answers'),
  };
}
