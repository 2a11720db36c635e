import { fileURLToPath } from 'node:url';
import type { MessageBatch } from '../../client/schemas/messageBatches';
import { describeError } from '../../common/text/describeError';
import {
  describeDuration,
  describeSince,
  describeTime,
  join,
  type PresentationContext,
  type RowPresentation,
  shortId,
} from '../../common/text/presentation';
import type { Translate } from '../../common/text/translate';
import type { RequestCounts } from '../../contract/requestCounts';
import { type ResultsReport, reviewCount } from '../../jsonl/results/resultsReport';
import { describeFacts } from '../../jsonl/results/resultsSummary';
import { numberFormat } from '../../shared/formats';
import { toLabel } from '../../shared/text';
import { type ChosenResults, generationsOf, type Run, runsOfSource, type Submission } from '../ledger';
import { describeUnknownState } from './reconciling/unknownPresentation';
import { baseName, type NameOfSource } from './sourceNames';

/** Context of batch rows. Without `nameOf` a source is shown by its file name alone. */
export interface BatchContext extends PresentationContext {
  readonly nameOf?: NameOfSource;
}

/** Returns the label of a source: its file name, with its folder if another source has the same name. */
export function labelOfSource(source: string, { nameOf = baseName }: Pick<BatchContext, 'nameOf'>, most = 80): string {
  return toLabel(nameOf(source), most);
}

/** The row of a batch: the file it was made from or its id, its state in honest words, its age. */
export function presentBatch(batch: MessageBatch, submission: Submission | undefined, context: BatchContext): RowPresentation {
  const label = submission === undefined ? shortId(batch.id) : labelOfSource(submission.source, context);
  // What was fetched of a part is with its group.
  const report = submission?.group === undefined ? submission?.results?.report : undefined;
  const { icon, color } = iconOf(batch, report);
  const state = describeState(batch, context);
  const counts = report === undefined ? describeCounts(batch, context) : describeFacts(report, context);
  const ended = batch.processing_status === 'ended';
  const age = ended ? describeSince(batch.created_at, context) : describeRunning(batch, submission, context);
  // The icon says how a batch stands that nobody interfered with; all else is in the hover.
  const plain = (ended || batch.processing_status === 'in_progress') && !batch.cancel_initiated_at && !isArchived(batch) && counts !== '';
  const purpose = submission?.group === undefined ? describePurpose(submission?.selection, context) : '';
  // What became of it comes first: a narrow view shows the begin.
  const description = join(' · ', plain ? '' : state, counts, purpose, age);
  const name = submission === undefined ? '' : label;
  const spoken = join(', ', name, toLabel(batch.id, 80), state, counts, purpose, age);
  return { label, description, icon, color, abilities: abilitiesOf(batch, submission), spoken };
}

/** For how long a batch of ours has been running by this machine's clock, which may differ from the service's. */
function describeRunning(batch: MessageBatch, submission: Submission | undefined, { translate, locale, now }: PresentationContext): string {
  const elapsed = now - Date.parse(submission?.startedAt ?? batch.created_at ?? '');
  return Number.isNaN(elapsed) ? '' : translate('for {0}', describeDuration(Math.max(elapsed, 0), locale));
}

/** What there is to do with a run as it stands, by what it can: it is first in the row. `submission` is that of a single batch of ours. */
export function describeAct(abilities: string, submission: Submission | undefined, { translate, locale }: PresentationContext): string {
  const words = abilities.split(' ');
  const has = (ability: string) => words.includes(ability);
  const { selection, requestCount = 0 } = submission ?? {};
  if (has('groupUnfinished')) {
    return translate('Send remaining parts');
  }
  if (has('hasResults') && (!has('group') || has('deletable')) && !has('fetched')) {
    return translate('Fetch results');
  }
  return !has('canary') || !has('showable')
    ? ''
    : selection?.total === undefined
      ? translate('Send the rest')
      : translate('Send the rest ({0})', numberFormat(locale).format(selection.total - requestCount));
}

/** Which requests of its file a run sent, when these were not all: several runs of one file are told apart by it. */
export function describePurpose(selection: Submission['selection'], { translate }: PresentationContext): string {
  switch (selection?.purpose) {
    case 'canary':
      return translate('canary');
    case 'rest':
      return translate('rest after the canary');
    case 'changed':
      return translate('what changed');
    default:
      return '';
  }
}

/** What a run is of its file: all of it, a canary, a retry. */
export function describeRunKind({ lead, follows }: Run, { translate: t }: PresentationContext): string {
  if (follows?.purpose === 'retry') {
    return t('Retry');
  }
  switch (lead.selection?.purpose) {
    case 'canary':
      return t('Canary');
    case 'rest':
      return t('Rest after the canary');
    case 'changed':
      return t('What changed');
    default:
      return t('Whole file');
  }
}

/** Returns the name of results: that of the file, with the run if the file has several, or with its retries. */
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

/** The row of a submission without a batch: it is being sent, or nobody knows whether it arrived, or it came to nothing. */
export function presentSubmission(submission: Submission, context: BatchContext): RowPresentation {
  const label = labelOfSource(submission.source, context);
  const { words, icon, color, abilities } = statusOf(submission, context);
  const description = `${words} · ${describeSince(submission.startedAt, context)}`;
  return { label, description, icon, color, abilities, spoken: `${label}, ${description}` };
}

function statusOf(
  submission: Submission,
  context: PresentationContext,
): Pick<RowPresentation, 'icon' | 'color' | 'abilities'> & { readonly words: string } {
  const { translate } = context;
  switch (submission.state) {
    case 'sending':
      return { words: translate('sending'), icon: 'cloud-upload', color: undefined, abilities: 'submission' };
    case 'failed':
      return {
        words: translate('no batch was created'),
        icon: 'error',
        color: 'list.errorForeground',
        abilities: 'submission forgettable',
      };
    case 'abandoned':
      return { words: translate('given up'), icon: 'circle-slash', color: 'disabledForeground', abilities: 'submission forgettable' };
    default: {
      const unknown = describeUnknownState(submission, context);
      return { ...unknown, color: 'list.warningForeground', abilities: 'submission unresolved forgettable' };
    }
  }
}

/** The state in words. Counts are 0 until the end by contract, so no share of the work is ever derived from them. */
export function describeState(batch: MessageBatch, { translate }: PresentationContext): string {
  if (isArchived(batch)) {
    return translate('archived');
  }
  switch (batch.processing_status) {
    case 'in_progress':
      return translate('in progress');
    case 'canceling':
      return translate('canceling');
    case 'ended':
      return batch.cancel_initiated_at ? translate('ended after cancel') : translate('ended');
    default:
      return toLabel(batch.processing_status, 40);
  }
}

/** The counts that are not 0: while it runs how many requests it has, afterwards what became of them. */
export function describeCounts(batch: MessageBatch, context: PresentationContext): string {
  if (batch.processing_status === 'ended') {
    return describeOutcomes(batch.request_counts, context);
  }
  const { translate, locale } = context;
  const total = totalOf(batch.request_counts);
  return total === 1 ? translate('1 request') : translate('{0} requests', numberFormat(locale).format(total));
}

/**
 * Describes the service's own counts that are not 0, for a batch whose results were not fetched. The service can't tell a whole answer from
 * one that is cut short, so these are answered, not succeeded.
 */
export function describeOutcomes(counts: RequestCounts, { translate, locale }: PresentationContext): string {
  const number = numberFormat(locale);
  const parts: string[] = [];
  const add = (count: number, toWords: (count: string) => string) => count > 0 && parts.push(toWords(number.format(count)));
  add(counts.succeeded, count => translate('{0} answered', count));
  add(counts.errored, count => translate('{0} failed', count));
  add(counts.canceled, count => translate('{0} canceled', count));
  add(counts.expired, count => translate('{0} expired', count));
  return parts.join(', ');
}

/** What one can do with a batch, as words that menus match. Anything ended with results can be fetched, whatever its counts. */
export function abilitiesOf(batch: MessageBatch, submission: Submission | undefined): string {
  const ended = batch.processing_status === 'ended';
  const words = ['batch'];
  const add = (ability: string, has: boolean) => has && words.push(ability);
  add('cancelable', batch.processing_status === 'in_progress');
  add('deletable', ended);
  add('hasResults', ended && !isArchived(batch) && batch.results_url !== null);
  add('hasSource', submission !== undefined);
  add('adoptable', submission === undefined);
  add('fetched', submission?.results !== undefined);
  add('retryable', submission?.results !== undefined && reviewCount(submission.results.report) > 0);
  return words.join(' ');
}

/** Whether the service keeps the results no longer. */
export function isArchived(batch: MessageBatch): boolean {
  return typeof batch.archived_at === 'string';
}

/** All requests of a batch: the sum of its counts (contract, RequestCounts). */
export function totalOf({ processing, succeeded, errored, canceled, expired }: RequestCounts): number {
  return processing + succeeded + errored + canceled + expired;
}

/** Where a source is, as the user's machine says it: the path of a file, any other address as it stands. */
export function describeSource(source: string): string {
  try {
    return fileURLToPath(source);
  } catch {
    return source;
  }
}

/** The icon of a batch's state, and its color. With what was fetched of it a batch is well only if each request has a good answer. */
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

/** Why a view that shows rows could not be refreshed; undefined when it could. */
export function presentListingProblem(
  store: { readonly problem: unknown; readonly isUnsupported: boolean },
  t: Translate,
): string | undefined {
  if (store.problem === undefined) {
    return undefined;
  }
  return store.isUnsupported ? t('This service has no batches.') : t('Could not refresh: {0}', describeError(store.problem));
}
