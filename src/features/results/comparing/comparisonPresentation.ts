import { describeTime } from '../../../common/text/presentation';
import type { Comparison } from '../../../jsonl/comparing/comparingJobs';
import { failedChecks, isAsExpected, isUnusable } from '../../../jsonl/comparing/expectationMarks';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import type { ComparedAnswer, ComparedRun, ComparisonHead, ComparisonRow } from '../../../shared/comparison/comparisonProtocol';
import { hasAnswer } from '../../../shared/results/resultStatus';
import { toLabel } from '../../../shared/text';
import { toRow } from '../table/resultsTable';
import { type CompareContext, type ComparedPair, modelWords, numberRows, type SideFacts } from './comparePresentation';
import { toChanceWords, toCountWords, toMeasureLines, toMethodWords } from './measurePresentation';

/** Returns the header of a comparison. `judgedBy` is the name of the expectations file, if there is one. */
export function toComparisonHead(
  {
    title,
    sides,
    judgedBy,
  }: { readonly title: string; readonly sides: readonly [SideFacts, SideFacts]; readonly judgedBy: string | undefined },
  comparison: Comparison,
  context: CompareContext,
): ComparisonHead {
  const { translate: t, locale } = context;
  const { measures, counts, expectationProblems: problems } = comparison;
  const verdict = measures[0]?.verdict;
  const judge = judgedBy === undefined ? t('Complete answers count as good.') : t('Answers are judged by {0}.', toLabel(judgedBy, 80));
  const toRun = ({ title: name, startedAt, connection, models }: SideFacts): ComparedRun => ({
    name: toLabel(name, 120),
    facts: [modelWords(models), describeTime(startedAt, { locale }), toLabel(connection, 60)].filter(fact => fact !== ''),
  });
  return {
    title,
    runs: [toRun(sides[0]), toRun(sides[1])],
    summary: toCountWords(counts, context),
    chance: toChanceWords(measures, context),
    tone: verdict === 'better' || verdict === 'worse' ? verdict : 'unclear',
    measures: toMeasureLines(measures, context),
    method: `${judge} ${toMethodWords(measures, context)}`,
    notices: [
      ...(comparison.pairedBy === 'request' ? [t('Paired by content, because no IDs match.')] : []),
      ...(problems === 0 ? [] : [t('Invalid checks: {0}.', problems)]),
    ],
    numbers: numberRows(comparison, context).map(([name, before, after]) => ({ name, before, after })),
    counts: { ...counts, all: comparison.kinds.length },
  };
}

/** Returns the table row of a pair. `words` are the first words of both answers. */
export function toComparisonRow({ kind, before, after, marks }: ComparedPair, words: readonly [string, string]): ComparisonRow {
  const id = before?.customId ?? after?.customId ?? '';
  return {
    ...{ id: toLabel(id, 200), kind },
    ...(after !== undefined && after.customId !== id && { otherId: toLabel(after.customId, 200) }),
    ...(before !== undefined && { before: toAnswer(before, marks[0], words[0]) }),
    ...(after !== undefined && { after: toAnswer(after, marks[1], words[1]) }),
  };
}

function toAnswer(entry: ResultEntry, mark: number, preview: string): ComparedAnswer {
  const { mark: status, reason, outputTokens, words } = toRow(entry, preview);
  // For a request without an answer, the status is enough.
  const passes = hasAnswer(entry.status) ? isAsExpected(mark) : undefined;
  const expected =
    passes === undefined ? (isUnusable(mark) ? ('unusable' as const) : undefined) : passes ? ('passes' as const) : ('fails' as const);
  return {
    ...{ mark: status, reason: reason === 'end_turn' ? '' : reason, outputTokens, words },
    ...(expected !== undefined && { expected }),
    failed: passes === false ? failedChecks(mark) : [],
  };
}
