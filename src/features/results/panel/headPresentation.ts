import { describeTime } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import type { ProblemText } from '../../../contract/problem';
import { type ResultsReport, statusCounts } from '../../../jsonl/results/resultsReport';
import { answeredCount, toResultsFacts } from '../../../jsonl/results/resultsSummary';
import { numberFormat } from '../../../shared/formats';
import { resultStatuses, toStatusName } from '../../../shared/results/resultStatus';
import type { QueryChip, ResultsHead } from '../../../shared/results/resultsProtocol';
import { toLabel } from '../../../shared/text';

/** Facts about the results that a panel shows. */
export interface HeadFacts {
  /** Name of the results, or of their file if the run is not known. */
  readonly name: string;
  readonly connection: string | undefined;
  readonly batchIds: readonly string[];
  readonly parts: number;
  readonly fetchedAt: string | undefined;
  readonly report: ResultsReport | undefined;
  /** Reason why there is no table to show. */
  readonly problem: 'notFetched' | 'gone' | 'changed' | 'unknown' | 'notResults' | 'unread' | undefined;
  /** True for a file from a batch that is unknown on this machine. */
  readonly isUnknown?: boolean;
}

interface HeadContext {
  /** Formatted cost of the results. Absent if the cost is unknown. */
  readonly cost?: string | undefined;
  readonly translate: Translate;
  readonly locale: string;
}

/** Returns the header of the table: the name and facts of the results, and notices about missing results. */
export function toHead(facts: HeadFacts, context: HeadContext): ResultsHead {
  const { translate: t, locale } = context;
  const { report, problem } = facts;
  const isReady = problem === undefined;
  const batches = facts.batchIds.slice(0, 3).map(id => toLabel(id, 80));
  const rest = facts.batchIds.length - batches.length;
  const details = [
    ...(facts.connection === undefined ? [] : [toLabel(facts.connection, 80)]),
    ...(batches.length === 0 ? [] : [rest > 0 ? t('{0} and {1} more', batches.join(', '), rest) : batches.join(', ')]),
    ...(facts.parts > 1 ? [t('{0} parts', facts.parts)] : []),
    ...(facts.fetchedAt === undefined ? [] : [t('fetched {0}', describeTime(facts.fetchedAt, { locale }))]),
  ];
  return {
    title: toLabel(facts.name, 120),
    facts: context.cost === undefined ? [] : [context.cost],
    ...(details.length > 0 && { details: details.join('\n') }),
    chips: report === undefined ? [] : toChips(report, t),
    notices: [
      ...(report === undefined || !isReady ? [] : toNotices(report, context)),
      ...(facts.isUnknown === true && isReady
        ? [{ tone: 'plain' as const, text: t('The batch of these results is unknown on this machine.') }]
        : []),
      ...toProblem(facts, context),
    ],
    isReady,
    acts: !isReady ? [] : facts.connection === undefined ? ['export', 'more'] : ['export', 'compare', 'more'],
  };
}

function toChips(report: ResultsReport, t: Translate): readonly QueryChip[] {
  const counts = statusCounts(report);
  return [
    { label: t('All'), query: '', count: answeredCount(report) },
    ...resultStatuses
      .map(status => ({ label: toStatusName(status, t), query: `status=${status}`, count: counts[status] }))
      .filter(({ count }) => count > 0),
  ];
}

function toNotices(report: ResultsReport, { translate: t, locale }: HeadContext): ResultsHead['notices'] {
  const number = numberFormat(locale);
  const toText = ({ template, args }: ProblemText): string =>
    t(template, ...args.map(value => (typeof value === 'number' ? number.format(value) : value)));
  const { missing } = report;
  const others = toResultsFacts(report).filter(({ kind }) => ['unexpected', 'duplicate', 'damaged', 'counts'].includes(kind));
  const names = missing.first.slice(0, 5).map(id => toLabel(id, 40));
  const shown = `${names.join(', ')}${missing.count > names.length ? '…' : ''}`;
  const withoutAnswer = t('Requests without an answer, not shown: {0} ({1}).', number.format(missing.count), shown);
  const damage = t('The results are incomplete or damaged: {0}.', others.map(fact => toText(fact.text)).join(', '));
  const showMissing = { label: t('Show Missing IDs'), act: 'showMissing' } as const;
  const showReport = { label: t('Show Report'), act: 'showReport' } as const;
  return [
    ...(missing.count > 0 ? [{ tone: 'warning' as const, text: withoutAnswer, act: showMissing }] : []),
    ...(others.length > 0 ? [{ tone: 'warning' as const, text: damage, act: showReport }] : []),
  ];
}

function toProblem({ problem, connection }: HeadFacts, { translate: t }: HeadContext): ResultsHead['notices'] {
  const act = connection === undefined ? {} : { act: { label: t('Fetch Results'), act: 'fetch' as const } };
  const missing = { tone: 'error' as const, text: t('The results file is missing or has changed. Fetch the results again.'), ...act };
  const notices = {
    notFetched: { tone: 'plain', text: t('Fetch the results first.'), ...act },
    gone: missing,
    changed: missing,
    unread: { tone: 'error', text: t("Couldn't read the file. See the log.") },
    notResults: { tone: 'error', text: t('This file has no results.') },
    unknown: { tone: 'error', text: t('The batch of these results is unknown on this machine.') },
  } as const;
  return problem === undefined ? [] : [notices[problem]];
}
