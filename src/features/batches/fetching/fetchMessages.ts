import type { MessageBatch } from '../../../client/resources/messageBatches';
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

/** Returns a sentence with the new path of an earlier run's results file. Empty if it was not moved. */
export function describeMoved(movedTo: string | undefined, { translate }: MessageContext): string {
  return movedTo === undefined
    ? ''
    : translate('The earlier results are in {0}.', toLabel(movedTo.split(/[/\\]/).slice(-3).join('/'), 200));
}

/** Reason for missing results. `cut`: cut off in every attempt. `large`: over the limit of an automatic fetch. `foreign`: not results. */
export type ResultsFetchProblem = 'not_ended' | 'gone' | 'cut' | 'large' | 'foreign';

/** Thrown if results could not be fetched for a reason other than the connection or the disk. `message` is for the user. */
export class ResultsFetchError extends Error {
  override readonly name = 'ResultsFetchError';
  /** File with the complete lines of results that were cut off, for `joinFetched`. */
  readonly incompletePath: string | undefined;

  constructor(
    readonly kind: ResultsFetchProblem,
    message: string,
    details: { readonly cause?: unknown; readonly incompletePath?: string } = {},
  ) {
    super(message, { cause: details.cause });
    this.incompletePath = details.incompletePath;
  }
}

/** Throws if the batch has no results to fetch. */
export function assertFetchable(batch: MessageBatch): void {
  if (batch.processing_status !== 'ended') {
    throw new ResultsFetchError(
      'not_ended',
      `Batch ${batch.id} is still ${batch.processing_status.replaceAll('_', ' ')}. Fetch its results when it has ended.`,
    );
  }
  if (typeof batch.archived_at === 'string' || batch.results_url === null) {
    throw toGone(batch);
  }
}

export function toGone(batch: MessageBatch, cause?: unknown): ResultsFetchError {
  const since = typeof batch.archived_at === 'string' ? ` since ${batch.archived_at}` : '';
  return new ResultsFetchError(
    'gone',
    `The results of batch ${batch.id} are no longer available from the service${since}. They cannot be fetched again.`,
    { cause },
  );
}

export function toTooLarge(batch: MessageBatch, maxBytes: number): ResultsFetchError {
  return new ResultsFetchError('large', `The results of batch ${batch.id} are larger than ${maxBytes >> 20} MiB.`);
}

export function toForeign(batch: MessageBatch, what: string, cause?: unknown): ResultsFetchError {
  return new ResultsFetchError(
    'foreign',
    `The response for the results of batch ${batch.id} is ${what}. A proxy or gateway may have sent it. Nothing was saved.`,
    { cause },
  );
}
