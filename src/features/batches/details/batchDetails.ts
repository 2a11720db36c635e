import type { MessageBatch } from '../../../client/resources/messageBatches';
import { escapeMarkdown, toFactTable } from '../../../common/text/escapeMarkdown';
import {
  describeMoment,
  describeRequests,
  describeSince,
  describeTime,
  nameWithHost,
  type PresentationContext,
} from '../../../common/text/presentation';
import type { BatchRowWord, CommandId, Commands } from '../../../contributions';
import { type CountedReport, statusCounts } from '../../../jsonl/results/resultsReport';
import { numberFormat, toNumber } from '../../../shared/formats';
import { resultStatuses, toStatusName } from '../../../shared/results/resultStatus';
import { join, toByteSize, toLabel } from '../../../shared/text';
import {
  type FetchedResults,
  isForeign,
  type ResultsFile,
  type Run,
  requestCountOf,
  resultsOf,
  type Submission,
  sourcePathOf,
} from '../../ledger';
import { type BatchContext, describeRunKind, describeState, isArchived, labelOfSource, totalOf } from '../batchPresentation';
import { describeRun, presentPart } from '../runPresentation';
import { type BatchOrRun, batchesOf, partsIn, type RunPart, type RunRow } from '../runRow';

type Row = readonly [name: string, value: string];
type RunParts = Pick<RunRow, 'run' | 'parts'>;

interface ConnectionHost {
  readonly name: string;
  readonly host: string;
}

/** Links of a page in Markdown, and the cost of its results. The cost is empty if the cost is unknown. */
export interface PageExtras {
  readonly links: readonly string[];
  readonly cost: string;
}

const noExtras: PageExtras = { links: [], cost: '' };

/**
 * Returns the page of a run as Markdown: its state, its requests or its parts with links, its source and its results. With `batch`, returns
 * the page of this batch of the run, with its times. The links at the top come from `extras`.
 */
export function toRunPage(
  row: RunParts,
  batch: MessageBatch | undefined,
  connection: ConnectionHost,
  context: BatchContext,
  extras: PageExtras = noExtras,
): string {
  const { translate: t, locale } = context;
  const { run } = row;
  const submission = batch && run.submissions.find(({ batchId }) => batchId === batch.id);
  const { index = 0 } = submission?.group ?? {};
  const isPart = batch !== undefined && run.parts > 1;
  const results = batch === undefined ? resultsOf(run) : submission?.results;
  const parts = { fetched: run.submissions.filter(part => part.results !== undefined).length, all: run.parts };
  const { fileBytes, sha256 } = submission ?? run.lead;
  const isOther = isForeign(run);
  return join(
    '\n\n',
    `# ${escapeMarkdown(isOther ? run.id : labelOfSource(run.source, context))}`,
    escapeMarkdown(
      join(
        ' · ',
        isOther ? '' : describeRunKind(run, context),
        isPart ? t('Part {0} of {1}', toNumber(index + 1, locale), toNumber(run.parts, locale)) : '',
        batch === undefined ? describeRun(row, context) : statement(batch, context),
      ),
    ),
    extras.links.join(' · '),
    ...(batch === undefined
      ? [
          partsTable(row, context),
          results === undefined ? '' : toFactTable(t('Requests'), statusRows(results.report, context)),
          toFactTable(t('Run'), [
            [t('Connection'), nameWithHost(connection)],
            [t('Started'), describeMoment(run.startedAt, context)],
            [t('Requests'), describeRequests(requestCountOf(run), context)],
          ]),
        ]
      : [
          batch.processing_status === 'ended' ? toFactTable(t('Requests'), requestRows(batch, submission, context)) : '',
          toFactTable(t('Batch'), [
            [t('ID'), batch.id],
            [t('State'), batch.processing_status],
            ...(batch.processing_status === 'ended' ? [] : requestRows(batch, submission, context)),
            [t('Connection'), nameWithHost(connection)],
            ...timeRows(batch, context),
            [t('Request ID'), submission?.requestId ?? ''],
          ]),
        ]),
    toFactTable(
      t('Source'),
      isOther
        ? []
        : [
            [t('File'), sourcePathOf(run.source) ?? run.source],
            [t('Size'), toByteSize(fileBytes, locale)],
            ['SHA-256', sha256],
          ],
    ),
    resultsTable(results, isPart ? undefined : run.lead.resultsFile, extras.cost, context, batch === undefined ? parts : undefined),
  );
}

/** Returns the hover of a run. With `runs`, it is the hover of a file with that many runs, and `row` is the latest. */
export function toRunHover(
  row: RunParts,
  connection: ConnectionHost,
  costs: Readonly<Record<'actual' | 'estimate', string>>,
  context: PresentationContext,
  runs = 1,
): string {
  const { translate: t, locale } = context;
  const { run, parts } = row;
  const [only] = parts.length === 1 ? batchesOf(row) : [];
  const problem = partsIn(row).find(({ submission }) => submission.problem !== undefined)?.submission.problem;
  const ids = run.submissions.flatMap(({ batchId }) => batchId ?? []);
  const facts: readonly Row[] = [
    [t('File'), sourcePathOf(run.source) ?? run.source],
    [t('Runs'), runs > 1 ? numberFormat(locale).format(runs) : ''],
    [t('Problem'), problem === undefined ? '' : toLabel(problem, 500)],
    [t('Requests'), describeRequests(requestCountOf(run), context)],
    [t('Batches'), parts.length > 1 ? numberFormat(locale).format(parts.length) : ''],
    [t('Cost'), costs.actual],
    [t('Estimated cost'), costs.estimate],
    ...(only === undefined ? [[t('Started'), describeMoment(run.startedAt, context)] as const] : timeRows(only, context)),
    [t('Connection'), nameWithHost(connection)],
    [t('ID'), join(', ', ...ids.slice(0, maxIds), ids.length > maxIds ? '…' : '')],
  ];
  const statement = join(' · ', isForeign(run) ? '' : describeRunKind(run, context), describeRun(row, context));
  const known = facts.filter(([, value]) => value !== '');
  const lines = known.map(([name, value]) => `${escapeMarkdown(name)}: ${escapeMarkdown(value)}`);
  return `**${escapeMarkdown(statement)}**\n\n${lines.join('  \n')}`;
}

/** Maximum number of IDs in a hover. */
const maxIds = 3;

function statement(batch: MessageBatch, context: PresentationContext): string {
  const { translate: t } = context;
  if (isArchived(batch)) {
    return t('Archived {0}: the service no longer keeps the results.', describeSince(batch.archived_at, context));
  }
  switch (batch.processing_status) {
    case 'in_progress':
      return t('Running since {0}. The service reports counts when the batch has ended.', describeTime(batch.created_at, context));
    case 'canceling':
      return t('Canceling since {0}. Requests that are already running still finish.', describeTime(batch.cancel_initiated_at, context));
    case 'ended':
      return batch.ended_at ? t('Ended {0}.', describeSince(batch.ended_at, context)) : t('Ended.');
    default:
      return t('State: {0}', describeState(batch, context));
  }
}

function requestRows(batch: MessageBatch, submission: Submission | undefined, context: PresentationContext): readonly Row[] {
  const { translate: t, locale } = context;
  if (batch.processing_status !== 'ended') {
    return [[t('Requests'), toNumber(totalOf(batch.request_counts), locale)]];
  }
  const report = submission?.results?.report;
  if (report !== undefined) {
    return statusRows(report, context);
  }
  const { processing, succeeded, errored, canceled, expired } = batch.request_counts;
  return [
    [t('Answered'), toNumber(succeeded, locale)],
    [t('Failed'), toNumber(errored, locale)],
    [t('Canceled'), toNumber(canceled, locale)],
    [t('Expired'), toNumber(expired, locale)],
    [t('Processing'), processing > 0 ? toNumber(processing, locale) : ''],
  ];
}

function statusRows(report: CountedReport, { translate: t, locale }: PresentationContext): readonly Row[] {
  const counts = statusCounts(report);
  const rows = resultStatuses.map(status => [toStatusName(status, t), counts[status]] as const);
  return [...rows, [t('Requests without an answer'), counts.missing] as const].map(([name, count], index) => [
    name,
    count > 0 || index === 0 ? toNumber(count, locale) : '',
  ]);
}

function timeRows(batch: MessageBatch, context: PresentationContext): readonly Row[] {
  const { translate: t } = context;
  return [
    [t('Created'), describeMoment(batch.created_at, context)],
    [t('Ended'), describeMoment(batch.ended_at, context)],
    [t('Cancel requested'), describeMoment(batch.cancel_initiated_at, context)],
    [t('Archived'), describeMoment(batch.archived_at, context)],
    [t('Expires'), batch.processing_status === 'ended' ? '' : describeMoment(batch.expires_at, context)],
  ];
}

/** Returns a table of facts about fetched results, if any. `file` is the user's copy of them. `parts` counts the fetched parts of a run. */
function resultsTable(
  results: FetchedResults | undefined,
  file: ResultsFile | undefined,
  cost: string,
  context: PresentationContext,
  parts?: { readonly fetched: number; readonly all: number },
): string {
  if (results === undefined) {
    return '';
  }
  const { joinedPath, fetchedAt, report } = results;
  const { translate: t, locale } = context;
  const isComplete = report.complete && parts?.fetched === parts?.all;
  // The count of input tokens does not include cached tokens.
  const { cacheReadTokens = 0, cacheWriteTokens = 0, unexpected, duplicate, damaged } = report;
  const ifAny = (count: number) => (count > 0 ? toNumber(count, locale) : '');
  return toFactTable(t('Results'), [
    [t('File'), file?.path ?? joinedPath],
    [t('Fetched'), describeTime(fetchedAt, context)],
    [t('Parts fetched'), parts === undefined ? '' : t('{0} of {1}', parts.fetched, parts.all)],
    [t('Input tokens'), toNumber(report.inputTokens, locale)],
    [t('Output tokens'), toNumber(report.outputTokens, locale)],
    [t('Tokens read from the cache'), ifAny(cacheReadTokens)],
    [t('Tokens written to the cache'), ifAny(cacheWriteTokens)],
    [t('Cost'), cost],
    [t('Complete'), isComplete ? t('yes') : t('no')],
    [t('Answers without a request'), ifAny(unexpected.count)],
    [t('Duplicate answers'), ifAny(duplicate.count)],
    [t('Damaged lines'), ifAny(damaged.count)],
  ]);
}

function partsTable({ run, parts }: RunParts, context: PresentationContext): string {
  const { translate: t, locale } = context;
  const head = [t('Part'), t('State'), t('Requests'), t('Batch')].map(escapeMarkdown);
  const rows = parts.map(part => {
    const { label, state } = presentPart(run, part, context);
    const requests = part.kind === 'unsent' ? '' : toNumber(part.submission.requestCount, locale);
    return [...[label, state, requests].map(escapeMarkdown), linkOf(part, run.connection, context)];
  });
  return [head, head.map(() => ':--'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');
}

function linkOf(part: RunPart, connection: string, { translate: t }: PresentationContext): string {
  if (part.kind === 'unsent') {
    return '';
  }
  const { batchId, id } = part.submission;
  return batchId === undefined
    ? toPageLink('managedAgents.submission.resolve', t('Show submission log'), { submissionId: id })
    : toPageLink('managedAgents.batch.open', batchId, { connection, batchId });
}

/** Commands that the links of a page can run. All other commands are blocked. */
export const pageCommands = [
  'managedAgents.results.show',
  'managedAgents.batch.fetchResults',
  'managedAgents.batch.create',
  'managedAgents.retry.plan',
  'managedAgents.group.resume',
  'managedAgents.batch.cancel',
  'managedAgents.batch.openSource',
  'managedAgents.batch.openResults',
  'managedAgents.batch.open',
  'managedAgents.copyId',
  'managedAgents.copyLink',
  'managedAgents.showJson',
  'managedAgents.submission.resolve',
  'managedAgents.spend.export',
] as const satisfies readonly CommandId[];

type PageCommand = (typeof pageCommands)[number];

/** Returns a Markdown link that runs a command. The arguments are encoded, so that text from a service can't change the target. */
export function toPageLink<K extends PageCommand>(id: K, title: string, ...given: Commands[K]): string {
  const query = encodeURIComponent(JSON.stringify(given)).replace(/[()'!*~]/g, character => `%${character.charCodeAt(0).toString(16)}`);
  return `[${escapeMarkdown(title)}](command:${id}?${query})`;
}

/** Returns the links for a batch or run, starting with the next action, whose title is `next`. */
export function toPageLinks(
  words: readonly BatchRowWord[],
  next: string,
  target: BatchOrRun,
  run: Pick<Run, 'id' | 'source'>,
  { translate: t }: Pick<PresentationContext, 'translate'>,
): readonly string[] {
  const { connection, batchId } = target;
  const has = (word: BatchRowWord) => words.includes(word);
  const id = { runId: run.id };
  return [
    ...(has('hasResults') && !has('fetched') ? [toPageLink('managedAgents.batch.fetchResults', t('Fetch Results'), target)] : []),
    ...(has('trial') ? [toPageLink('managedAgents.batch.create', next, { connection, batchId, source: run.source })] : []),
    ...(has('unfinished') ? [toPageLink('managedAgents.group.resume', t('Send Remaining Parts'), id)] : []),
    ...(has('showable') ? [toPageLink('managedAgents.results.show', t('Show Results'), id)] : []),
    ...(has('showable') ? [toPageLink('managedAgents.batch.openResults', t('Open Results File'), { connection, batchId })] : []),
    ...(has('retryable') ? [toPageLink('managedAgents.retry.plan', t('Send again'), id)] : []),
    ...(has('cancelable') ? [toPageLink('managedAgents.batch.cancel', t('Cancel...'), target)] : []),
    ...(has('hasSource') ? [toPageLink('managedAgents.submission.resolve', t('Show Submission Log'), { connection, batchId })] : []),
    toPageLink('managedAgents.copyId', t('Copy ID'), target),
    toPageLink('managedAgents.copyLink', t('Copy Link'), target),
    toPageLink('managedAgents.showJson', t('Show as JSON'), target),
  ];
}
