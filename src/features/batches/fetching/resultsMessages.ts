import { toLabel } from '../../../common/text';
import type { ResultsReport } from '../../../jsonl/resultsReport';
import { toResultsDetails, toResultsFacts } from '../../../jsonl/resultsSummary';
import { type MessageContext, translateText } from '../submitting/createBatchMessages';

/** What fetched results are, in one sentence: `Results of requests.jsonl: 400 succeeded, 12 errored.` */
export function describeResults(name: string, report: ResultsReport, context: MessageContext): string {
  const { translate: t } = context;
  const facts = toResultsFacts(report).map(({ text }) => translateText(text, context));
  const of = toLabel(name, 80);
  if (facts.length === 0) {
    return t('Results of {0}: there are none.', of);
  }
  const sentence = t('Results of {0}: {1}.', of, facts.join(', '));
  return report.complete ? sentence : t('{0} They are not complete.', sentence);
}

/** Which ids are missing, unexpected or doubled and which lines are damaged; empty when nothing is. */
export function describeResultsDetails(report: ResultsReport, context: MessageContext): readonly string[] {
  return toResultsDetails(report).map(text => toLabel(translateText(text, context), 1000));
}

/** How many requests one would want to send again: errored, canceled and expired. */
export function failedCount({ counts }: ResultsReport): number {
  return counts.errored + counts.canceled + counts.expired;
}

/** What was written for another try, and what was left out of it. */
export function describeRetry(
  name: string,
  written: number,
  report: ResultsReport,
  sourceChanged: boolean,
  context: MessageContext,
): string {
  const { translate: t, locale } = context;
  const count = new Intl.NumberFormat(locale);
  const sentences = [
    written === 1
      ? t('Wrote 1 failed request to {0}, ready to be sent as a batch.', toLabel(name, 80))
      : t('Wrote {0} failed requests to {1}, ready to be sent as a batch.', count.format(written), toLabel(name, 80)),
  ];
  const left = [
    [report.cutShort, '{0} cut short'],
    [report.refused, '{0} refused by the model'],
    [report.missing.count, '{0} without an answer'],
    [report.counts.other, '{0} of a kind this version does not know'],
  ] as const;
  const parts = left.filter(([number]) => number > 0).map(([number, template]) => t(template, count.format(number)));
  if (parts.length > 0) {
    sentences.push(t('Left out: {0}.', parts.join(', ')));
  }
  if (sourceChanged) {
    sentences.push(t('The source file has changed since it was sent; the requests are written as they stand in it now.'));
  }
  return sentences.join(' ');
}
