import type { MessageBatch } from '../../../client/schemas/messageBatches';
import { describeSince, join, type PresentationContext, type RowPresentation } from '../../../common/text/presentation';
import { reviewCount } from '../../../jsonl/results/resultsReport';
import { describeFacts } from '../../../jsonl/results/resultsSummary';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import { resultsOf } from '../../ledger';
import {
  type BatchContext,
  describeOutcomes,
  describePurpose,
  iconOf,
  isArchived,
  labelOfSource,
  presentBatch,
  presentSubmission,
  totalOf,
} from '../batchPresentation';
import { batchesOf, type GroupPartRow, type GroupRow, isUnfinished, sumOf } from './groupRow';

/** The row of a group: the file it was made from, the state of the whole in honest words, what became of all requests once all ended. */
export function presentGroup(row: GroupRow, context: BatchContext): RowPresentation {
  const { run } = row;
  const label = labelOfSource(run.source, context);
  const state = describeGroupState(row, context);
  const age = describeSince(run.startedAt, context);
  const description = join(' · ', describePurpose(run.lead.selection, context), state, describeRequests(row, context), age);
  return { label, description, ...groupIcon(row), abilities: groupAbilities(row), spoken: join(', ', label, description) };
}

/** The state of a group in words. What needs the user comes first; a share of work is never made of counts, which are 0 until the end. */
export function describeGroupState(row: GroupRow, { translate }: PresentationContext): string {
  const { parts } = row;
  const count = parts.length;
  const sent = parts.filter(({ kind }) => kind === 'batch' || kind === 'deleted').length;
  const batches = batchesOf(row);
  const ended = batches.filter(isEnded).length;
  const unknown = parts.find(part => part.kind === 'submission' && part.submission.state === 'unknown');
  const isSending = parts.some(part => part.kind === 'submission' && part.submission.state === 'sending');
  const isCanceling = batches.some(({ processing_status: status }) => status === 'canceling');
  const deleted = parts.filter(({ kind }) => kind === 'deleted').length;
  return join(
    ' · ',
    unknown === undefined ? '' : translate('part {0}: not known whether it was created', unknown.index + 1),
    isSending ? translate('sending, {0} of {1} sent', sent, count) : sent < count ? translate('{0} of {1} sent', sent, count) : '',
    ended === batches.length
      ? sent < count && ended > 0
        ? translate('those have ended')
        : ''
      : isCanceling
        ? translate('canceling, {0} of {1} ended', ended, batches.length)
        : ended === 0
          ? batches.length === 1
            ? translate('1 batch in progress')
            : translate('{0} batches in progress', batches.length)
          : translate('{0} of {1} ended', ended, batches.length),
    deleted === 0 ? '' : translate('{0} of {1} deleted', deleted, count),
  );
}

/** What became of all requests, once all batches that were sent have ended; until then how many there are. */
export function describeRequests(row: GroupRow, context: PresentationContext): string {
  const { translate, locale } = context;
  const batches = batchesOf(row);
  const sum = sumOf(batches);
  if (batches.length > 0 && batches.every(isEnded)) {
    const fetched = resultsOf(row.run);
    return fetched === undefined ? describeOutcomes(sum, context) : describeFacts(fetched.report, context);
  }
  const total = totalOf(sum);
  return total === 0 ? '' : total === 1 ? translate('1 request') : translate('{0} requests', numberFormat(locale).format(total));
}

/** What one can do with a group, as words that menus match. */
export function groupAbilities(row: GroupRow): string {
  const { run } = row;
  const batches = batchesOf(row);
  const results = resultsOf(run);
  const words = ['group', 'hasSource'];
  const add = (ability: string, has: boolean) => has && words.push(ability);
  add('hasResults', batches.some(hasResults));
  add(
    'cancelable',
    batches.some(({ processing_status: status }) => status === 'in_progress'),
  );
  add('deletable', batches.length > 0 && batches.every(isEnded));
  add('groupUnfinished', isUnfinished(row));
  add('fetched', results !== undefined);
  add('retryable', results !== undefined && reviewCount(results.report) > 0);
  return words.join(' ');
}

const ofGroup: ReadonlySet<string> = new Set(['hasResults', 'fetched', 'retryable']);

/** What a part can do by itself. */
export function withoutGroupAbilities(abilities: string): string {
  return abilities
    .split(' ')
    .filter(word => !ofGroup.has(word))
    .join(' ');
}

/** The row of one part under its group. */
export function presentPart(part: GroupPartRow, context: PresentationContext): RowPresentation {
  const { translate, locale } = context;
  const number = numberFormat(locale);
  const name = translate('Part {0}', number.format(part.index + 1));
  if (part.kind === 'unsent') {
    const state = translate('not sent');
    return {
      label: name,
      description: state,
      icon: 'circle-outline',
      color: 'disabledForeground',
      abilities: 'part',
      spoken: join(', ', name, state),
    };
  }
  const { selection } = part.submission;
  const lines =
    selection === undefined
      ? ''
      : selection.firstLine === selection.lastLine
        ? translate('line {0}', number.format(selection.firstLine + 1))
        : translate('lines {0} to {1}', number.format(selection.firstLine + 1), number.format(selection.lastLine + 1));
  const label = join(', ', name, lines);
  switch (part.kind) {
    case 'deleted': {
      const state = translate('deleted');
      return { label, description: state, icon: 'trash', color: 'disabledForeground', abilities: 'part', spoken: join(', ', label, state) };
    }
    case 'submission': {
      const row = presentSubmission(part.submission, context);
      return { ...row, label, spoken: join(', ', label, row.description) };
    }
    case 'batch': {
      const row = presentBatch(part.batch, part.submission, context);
      // The results of a part are fetched, shown and retried with those of its group.
      return {
        ...row,
        abilities: withoutGroupAbilities(row.abilities),
        label,
        spoken: join(', ', label, toLabel(part.batch.id, 80), row.description),
      };
    }
  }
}

/** Whether the service has results of an ended batch. */
export function hasResults(batch: MessageBatch): boolean {
  return isEnded(batch) && !isArchived(batch) && batch.results_url !== null;
}

function isEnded({ processing_status: status }: MessageBatch): boolean {
  return status === 'ended';
}

/** The worst of all states: what needs the user, what is under way, what went wrong. */
function groupIcon(row: GroupRow): Pick<RowPresentation, 'icon' | 'color'> {
  const { parts } = row;
  const batches = batchesOf(row);
  if (parts.some(part => part.kind === 'submission' && part.submission.state === 'unknown')) {
    return { icon: 'question', color: 'list.warningForeground' };
  }
  if (parts.some(part => part.kind === 'submission' && part.submission.state === 'sending')) {
    return { icon: 'cloud-upload', color: undefined };
  }
  if (isUnfinished(row)) {
    return { icon: 'debug-pause', color: 'list.warningForeground' };
  }
  const going = batches.find(({ processing_status: status }) => status === 'canceling') ?? batches.find(batch => !isEnded(batch));
  const first = batches.find(batch => !isArchived(batch)) ?? batches[0];
  if (going !== undefined) {
    return iconOf(going);
  }
  return first === undefined
    ? { icon: 'trash', color: 'disabledForeground' }
    : iconOf({ ...first, request_counts: sumOf(batches) }, resultsOf(row.run)?.report);
}
