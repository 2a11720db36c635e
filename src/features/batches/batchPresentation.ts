import type { MessageBatch } from '../../client/resources/messageBatches';
import { describeTime, type PresentationContext, type RowPresentation } from '../../common/text/presentation';
import type { RequestCounts } from '../../contract/requestCounts';
import type { BatchRowWord } from '../../contributions';
import { type ResultsReport, reviewCount } from '../../jsonl/results/resultsReport';
import { numberFormat } from '../../shared/formats';
import { join, toLabel } from '../../shared/text';
import { type ChosenResults, generationsOf, type Run, requestCountOf, runsOfSource, type Selection, type Submission } from '../ledger';
import { describeUnknownState } from './reconciling/unknownPresentation';
import { baseName, type NameOfSource } from './sourceNames';

/** Context of batch rows. Without `nameOf`, the label of a source is only its file name. */
export interface BatchContext extends PresentationContext {
  readonly nameOf?: NameOfSource;
}

/** Returns the label of a source: its file name, with its folder if another source has the same name. */
export function labelOfSource(source: string, { nameOf = baseName }: Pick<BatchContext, 'nameOf'>, most = 80): string {
  return toLabel(nameOf(source), most);
}

/** Returns the label of a run, such as `All 400`, `Trial of 10` or `Retry of 12`. */
export function describeRunKind(run: Run, { translate: t, locale }: Omit<PresentationContext, 'now'>): string {
  const { lead, follows } = run;
  const total = requestCountOf(run);
  const isWhole = lead.selection === undefined || lead.selection.purpose === 'part';
  const count = numberFormat(locale).format(isWhole ? (lead.selection?.total ?? total) : total);
  const labels: Readonly<Record<Selection['purpose'], string>> = {
    part: t('All {0}', count),
    canary: t('Trial of {0}', count),
    rest: t('The remaining {0}', count),
    changed: t('{0} changed', count),
  };
  return follows?.purpose === 'retry' ? t('Retry of {0}', count) : labels[lead.selection?.purpose ?? 'part'];
}

/** Returns the display name of results: the file name, with the run if the file has several, or a note that retries are included. */
export function nameOfResults({ run, withRetries }: ChosenResults, runs: readonly Run[], context: BatchContext): string {
  const { translate: t, locale, nameOf = baseName } = context;
  const family = generationsOf(runs, run);
  if (withRetries) {
    return t('{0} with its retries', nameOf((family[0] ?? run).source));
  }
  const name = nameOf(run.source);
  const isOnly = family.length === 1 && runsOfSource(runs, run.source).length === 1;
  return isOnly ? name : t('{0} ({1}, {2})', name, describeRunKind(run, context), describeTime(run.startedAt, { locale }));
}

/** Returns the state, icon and color of a submission without a known batch. */
export function presentSubmission(
  submission: Submission,
  context: PresentationContext,
): Pick<RowPresentation, 'icon' | 'color'> & { readonly state: string } {
  const { translate: t } = context;
  const { words, icon } = describeUnknownState(submission, context);
  return {
    sending: { state: t('sending'), icon: 'cloud-upload', color: undefined },
    created: { state: t('running'), icon: 'sync~spin', color: undefined },
    failed: { state: t('not sent'), icon: 'error', color: 'list.errorForeground' },
    abandoned: { state: t('marked as not created'), icon: 'circle-slash', color: 'disabledForeground' },
    unknown: { state: words, icon, color: 'list.warningForeground' },
  }[submission.state];
}

/** Describes the state of a batch without its progress. By contract, its counts are 0 until it ends. */
export function describeState(batch: MessageBatch, { translate }: PresentationContext): string {
  if (isArchived(batch)) {
    return translate('archived');
  }
  const { processing_status: status, cancel_initiated_at: isCanceled } = batch;
  const states = new Map([
    ['in_progress', translate('running')],
    ['canceling', translate('canceling')],
    ['ended', isCanceled ? translate('ended after cancel') : translate('ended')],
  ]);
  return states.get(status) ?? toLabel(status, 40);
}

/** Describes the service's counts. They include truncated answers, so the text says "answered" instead of "succeeded". */
export function describeOutcomes(counts: RequestCounts, { translate, locale }: PresentationContext): string {
  const { succeeded, errored, canceled, expired } = counts;
  const number = (count: number) => numberFormat(locale).format(count);
  return join(
    ', ',
    succeeded > 0 ? translate('{0} answered', number(succeeded)) : '',
    errored > 0 ? translate('{0} failed', number(errored)) : '',
    canceled > 0 ? translate('{0} canceled', number(canceled)) : '',
    expired > 0 ? translate('{0} expired', number(expired)) : '',
  );
}

/** Returns the words whose condition is true, for the `when` clauses of a row's menu. */
export function wordsOf(conditions: Readonly<Partial<Record<BatchRowWord, boolean>>>): readonly BatchRowWord[] {
  return (Object.keys(conditions) as BatchRowWord[]).filter(word => conditions[word]);
}

/** Returns whether a batch has ended and the service still has its results. */
export function hasResults(batch: MessageBatch): boolean {
  return batch.processing_status === 'ended' && !isArchived(batch) && batch.results_url !== null;
}

/** Returns whether the service no longer keeps the results. */
export function isArchived(batch: MessageBatch): boolean {
  return typeof batch.archived_at === 'string';
}

/** Returns the number of requests of a batch: the sum of its counts (contract, RequestCounts). */
export function totalOf({ processing, succeeded, errored, canceled, expired }: RequestCounts): number {
  return processing + succeeded + errored + canceled + expired;
}

/** Returns the icon and color of a batch's state. With `report`, an ended batch gets the pass icon only if every result is good. */
export function iconOf(batch: MessageBatch, report?: ResultsReport): { readonly icon: string; readonly color: string | undefined } {
  if (isArchived(batch)) {
    return { icon: 'archive', color: 'disabledForeground' };
  }
  const { succeeded, errored, canceled, expired } = batch.request_counts;
  switch (batch.processing_status) {
    case 'in_progress':
      return { icon: 'sync~spin', color: undefined };
    case 'canceling':
      return { icon: 'loading~spin', color: 'list.warningForeground' };
    case 'ended':
      if (errored + canceled + expired === 0 && (report === undefined || reviewCount(report) === 0)) {
        return { icon: 'pass', color: 'testing.iconPassed' };
      }
      if (succeeded === 0) {
        return canceled > 0 && errored + expired === 0
          ? { icon: 'circle-slash', color: 'disabledForeground' }
          : { icon: 'error', color: 'list.errorForeground' };
      }
      return { icon: 'warning', color: 'list.warningForeground' };
    default:
      return { icon: 'circle-large-outline', color: undefined };
  }
}
