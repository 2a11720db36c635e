import type { ProblemText } from '../../contract/problem';
import { numberFormat } from '../../shared/formats';
import { type ResultStatus, resultStatuses } from '../../shared/results/resultStatus';
import { type ResultsReport, statusCounts } from './resultsReport';

interface ResultsFact {
  readonly kind: ResultStatus | 'missing' | 'unexpected' | 'duplicate' | 'damaged' | 'counts';
  readonly count: number;
  readonly text: ProblemText;
}

const statusTexts: Readonly<Record<ResultStatus, string>> = {
  succeeded: '{0} succeeded',
  cut_short: '{0} cut short',
  refused: '{0} refused',
  empty: '{0} empty',
  failed: '{0} failed',
  expired: '{0} expired',
  canceled: '{0} canceled',
  other: '{0} unknown',
};

export function answeredCount(report: ResultsReport): number {
  return Object.values(report.counts).reduce((sum, count) => sum + count, 0);
}

/** Returns the counts of fetched results that aren't 0. Each result has one status. */
export function toResultsFacts(report: ResultsReport): readonly ResultsFact[] {
  const counts = statusCounts(report);
  const facts: readonly ResultsFact[] = [
    ...resultStatuses.map(status => fact(status, counts[status], statusTexts[status])),
    fact('missing', report.missing.count, '{0} without an answer'),
    fact('unexpected', report.unexpected.count, '{0} not in the file'),
    fact('duplicate', report.duplicate.count, '{0} answered more than once'),
    fact('damaged', report.damaged.count, '{0} damaged'),
  ];
  const found = facts.filter(({ count }) => count > 0);
  return report.countsMatch ? found : [...found, fact('counts', answeredCount(report), 'the batch counts differ ({0})')];
}

/** Summarizes fetched results, counting each request once: `400 succeeded, 12 failed`. Empty without results. All views use it. */
export function describeFacts(report: ResultsReport, { translate, locale }: FactsContext): string {
  const number = numberFormat(locale);
  const shown = ({ template, args }: ProblemText) =>
    translate(template, ...args.map(value => (typeof value === 'number' ? number.format(value) : value)));
  return toResultsFacts(report)
    .map(({ text }) => shown(text))
    .join(', ');
}

interface FactsContext {
  readonly translate: (template: string, ...args: (string | number)[]) => string;
  readonly locale: string;
}

/** Returns lines for a detail view: missing, unexpected and duplicate ids and damaged lines, the first ten of each. */
export function toResultsDetails(report: ResultsReport): readonly ProblemText[] {
  const shown = 10;
  const named = (list: { readonly count: number; readonly first: readonly (string | number)[] }, template: string) => {
    const names = list.first.slice(0, shown).join(', ');
    const rest = list.count - Math.min(list.first.length, shown);
    // Reports on several downloads have only the count of damaged lines, without line numbers.
    return names === '' ? [] : [{ template, args: [rest === 0 ? names : `${names}, +${rest}`] }];
  };
  const lines = { count: report.damaged.count, first: report.damaged.firstLines.map(line => line + 1) };
  return [
    ...named(report.missing, 'Without an answer: {0}'),
    ...named(report.unexpected, 'Not in the file: {0}'),
    ...named(report.duplicate, 'Answered more than once: {0}'),
    ...named(lines, 'Damaged lines: {0}'),
  ];
}

function fact(kind: ResultsFact['kind'], count: number, template: string): ResultsFact {
  return { kind, count, text: { template, args: [count] } };
}
