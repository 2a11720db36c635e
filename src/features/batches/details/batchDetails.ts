import type { MessageBatch } from '../../../client/schemas/messageBatches';
import { escapeMarkdown, toFactTable } from '../../../common/text/escapeMarkdown';
import {
  describeMoment,
  describeSince,
  describeTime,
  join,
  nameWithHost,
  type PresentationContext,
} from '../../../common/text/presentation';
import { numberFormat } from '../../../shared/formats';
import { toByteSize } from '../../../shared/text';
import type { Submission } from '../../ledger';
import { type BatchContext, describeSource, describeState, isArchived, labelOfSource, totalOf } from '../batchPresentation';
import { noSurroundings, type PageSurroundings } from './pageLinks';
import { cacheRows, statusRows } from './reportRows';

type Row = readonly [name: string, value: string];

/** A batch as a Markdown page: its state, what became of its requests, its times, where it came from. Only what `around` brings is a link. */
export function toBatchPage(
  batch: MessageBatch,
  submission: Submission | undefined,
  connection: { readonly name: string; readonly host: string },
  context: BatchContext,
  around: PageSurroundings = noSurroundings,
): string {
  const { translate } = context;
  const title = submission === undefined ? batch.id : labelOfSource(submission.source, context);
  return [
    `# ${escapeMarkdown(title)}`,
    escapeMarkdown(join(' ', around.run, statement(batch, context))),
    around.links.join(' · '),
    batch.processing_status === 'ended' ? toFactTable(translate('Requests'), requestRows(batch, submission, context)) : '',
    toFactTable(translate('Batch'), batchRows(batch, submission, connection, context)),
    around.family,
    toFactTable(translate('Source'), sourceRows(submission, context)),
    toFactTable(translate('Results'), resultRows(submission, around.cost, context)),
    toFactTable(translate('Final Results'), finalRows(submission, context)),
    toFactTable(translate('Other fields'), otherRows(batch)),
  ]
    .filter(part => part !== '')
    .join('\n\n');
}

/** The hover of a batch: the same facts, shorter. */
export function toBatchHover(
  batch: MessageBatch,
  submission: Submission | undefined,
  connection: { readonly name: string; readonly host: string },
  context: BatchContext,
): string {
  const { translate } = context;
  const rows: Row[] = [
    [translate('ID'), batch.id],
    ...requestRows(batch, submission, context),
    ...timeRows(batch, context),
    [translate('Connection'), nameWithHost(connection)],
    ...(submission === undefined ? [] : [[translate('Source'), labelOfSource(submission.source, context)] as const]),
  ];
  return `**${escapeMarkdown(statement(batch, context))}**\n\n${rows.map(([name, value]) => `${escapeMarkdown(name)}: ${escapeMarkdown(value)}`).join('  \n')}`;
}

function statement(batch: MessageBatch, context: PresentationContext): string {
  const { translate } = context;
  if (isArchived(batch)) {
    return translate('Archived {0}: the service no longer keeps the results.', describeSince(batch.archived_at, context));
  }
  switch (batch.processing_status) {
    case 'in_progress':
      return translate(
        'In progress since {0}. The service counts the outcomes only when the whole batch has ended.',
        describeTime(batch.created_at, context),
      );
    case 'canceling':
      return translate(
        'Canceling since {0}. Requests that already run are still finished.',
        describeTime(batch.cancel_initiated_at, context),
      );
    case 'ended':
      return batch.ended_at ? translate('Ended {0}.', describeSince(batch.ended_at, context)) : translate('Ended.');
    default:
      return translate('State: {0}', describeState(batch, context));
  }
}

function requestRows(batch: MessageBatch, submission: Submission | undefined, { translate, locale }: PresentationContext): readonly Row[] {
  const number = numberFormat(locale);
  if (batch.processing_status !== 'ended') {
    return [[translate('Requests'), number.format(totalOf(batch.request_counts))]];
  }
  const report = submission?.results?.report;
  if (report !== undefined) {
    return statusRows(report, { translate, locale });
  }
  const { processing, succeeded, errored, canceled, expired } = batch.request_counts;
  return [
    [translate('Answered'), number.format(succeeded)],
    [translate('Failed'), number.format(errored)],
    [translate('Canceled'), number.format(canceled)],
    [translate('Expired'), number.format(expired)],
    ...(processing > 0 ? [[translate('Processing'), number.format(processing)] as const] : []),
  ];
}

function timeRows(batch: MessageBatch, context: PresentationContext): readonly Row[] {
  const { translate } = context;
  const rows: (readonly [string, string | null | undefined])[] = [
    [translate('Created'), batch.created_at],
    [translate('Ended'), batch.ended_at],
    [translate('Cancel asked for'), batch.cancel_initiated_at],
    [translate('Archived'), batch.archived_at],
    [translate('Expires'), batch.processing_status === 'ended' ? undefined : batch.expires_at],
  ];
  return rows.flatMap(([name, time]) => (time ? [[name, describeMoment(time, context)] as const] : []));
}

function batchRows(
  batch: MessageBatch,
  submission: Submission | undefined,
  connection: { readonly name: string; readonly host: string },
  context: PresentationContext,
): readonly Row[] {
  const { translate } = context;
  return [
    [translate('ID'), batch.id],
    [translate('State'), batch.processing_status],
    ...(batch.processing_status === 'ended' ? [] : requestRows(batch, submission, context)),
    [translate('Connection'), nameWithHost(connection)],
    ...timeRows(batch, context),
    ...(submission?.requestId === undefined ? [] : [[translate('Request ID of the create'), submission.requestId] as const]),
  ];
}

function sourceRows(submission: Submission | undefined, { translate, locale }: PresentationContext): readonly Row[] {
  return submission === undefined
    ? []
    : [
        [translate('File'), describeSource(submission.source)],
        [translate('Size'), toByteSize(submission.fileBytes, locale)],
        ['SHA-256', submission.sha256],
      ];
}

function resultRows(submission: Submission | undefined, cost: string, context: PresentationContext): readonly Row[] {
  const { translate, locale } = context;
  const results = submission?.results;
  if (results === undefined) {
    return [];
  }
  const number = numberFormat(locale);
  const { report } = results;
  const rows: Row[] = [
    ...(submission?.merged === undefined ? [[translate('File'), submission?.resultsFile?.path ?? results.joinedPath] as const] : []),
    [translate('Fetched'), describeTime(results.fetchedAt, context)],
    [translate('Input tokens'), number.format(report.inputTokens)],
    [translate('Output tokens'), number.format(report.outputTokens)],
    ...cacheRows(report, context),
    ...(cost === '' ? [] : [[translate('Cost'), cost] as const]),
    [translate('Complete'), report.complete ? translate('yes') : translate('no')],
  ];
  const gaps: Row[] = [
    [translate('Answers to no request'), number.format(report.unexpected.count)],
    [translate('Requests answered twice'), number.format(report.duplicate.count)],
    [translate('Damaged lines'), number.format(report.damaged.count)],
  ];
  return [...rows, ...gaps.filter(([, value]) => value !== '0')];
}

/** What came of this batch and those that follow it. */
function finalRows(submission: Submission | undefined, { translate, locale }: PresentationContext): readonly Row[] {
  const merged = submission?.merged;
  if (merged === undefined) {
    return [];
  }
  const number = numberFormat(locale);
  const { report, taken = [], joinedPath } = merged;
  return [
    [translate('File'), submission?.resultsFile?.path ?? joinedPath],
    [translate('Runs'), number.format(merged.runIds.length)],
    [translate('Answers from each of them'), taken.map(count => number.format(count)).join(', ')],
    ...statusRows(report, { translate, locale }),
    [translate('Complete'), report.complete ? translate('yes') : translate('no')],
  ];
}

/** Fields this version does not know are shown as they are. */
function otherRows(batch: MessageBatch): readonly Row[] {
  return Object.entries(batch)
    .filter(([name]) => !knownFields.has(name))
    .map(([name, value]) => [name, JSON.stringify(value)] as const);
}

const knownFields = new Set([
  'id',
  'type',
  'processing_status',
  'request_counts',
  'created_at',
  'expires_at',
  'ended_at',
  'cancel_initiated_at',
  'archived_at',
  'results_url',
]);
