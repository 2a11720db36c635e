import type { ResultsReport } from '../../../jsonl/results/resultsReport';
import { describeFacts, toResultsDetails } from '../../../jsonl/results/resultsSummary';
import { toLabel } from '../../../shared/text';
import { type MessageContext, translateText } from '../submitting/createBatchMessages';

/** Describes fetched results in one sentence: `Results of requests.jsonl: 400 succeeded, 12 failed.` */
export function describeResults(name: string, report: ResultsReport, context: MessageContext): string {
  const { translate: t } = context;
  const facts = describeFacts(report, context);
  const label = toLabel(name, 80);
  if (facts === '') {
    return t('No results of {0}.', label);
  }
  const sentence = t('Results of {0}: {1}.', label, facts);
  return report.complete ? sentence : t('{0} Some are missing.', sentence);
}

/** Describes missing, unexpected and duplicate ids and damaged lines. Empty if there are none. */
export function describeResultsDetails(report: ResultsReport, context: MessageContext): readonly string[] {
  return toResultsDetails(report).map(text => toLabel(translateText(text, context), 1000));
}

/** Returns a sentence with the new path of an earlier run's results file. Empty if that was not moved. */
export function describeMoved(movedTo: string | undefined, { translate }: MessageContext): string {
  return movedTo === undefined
    ? ''
    : translate('The earlier results are in {0}.', toLabel(movedTo.split(/[/\\]/).slice(-3).join('/'), 200));
}
