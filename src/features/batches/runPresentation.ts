import type { MessageBatch } from '../../client/resources/messageBatches';
import {
  describeDuration,
  describeRequests,
  describeSince,
  type PresentationContext,
  type RowPresentation,
  shortId,
} from '../../common/text/presentation';
import type { RequestCounts } from '../../contract/requestCounts';
import type { BatchRowWord } from '../../contributions';
import { reviewCount } from '../../jsonl/results/resultsReport';
import { describeFacts } from '../../jsonl/results/resultsSummary';
import { numberFormat, toNumber } from '../../shared/formats';
import { join, toLabel } from '../../shared/text';
import { isForeign, type Run, requestCountOf, resultsOf } from '../ledger';
import {
  type BatchContext,
  describeOutcomes,
  describeRunKind,
  describeState,
  hasResults,
  iconOf,
  isArchived,
  labelOfSource,
  presentSubmission,
  wordsOf,
} from './batchPresentation';
import type { FileRow, OthersRow } from './batchStore';
import { batchesOf, countsOf, firstBatchIdOf, isUnfinished, partsIn, type RunPart, type RunRow, runOfPart, sumOf } from './runRow';

type RunParts = Pick<RunRow, 'run' | 'parts'>;

/** Returns the row of a run: its state, or the outcome of its requests once it has ended, and its age. */
export function presentRun(row: RunRow, context: PresentationContext): RowPresentation {
  const { run, fileName, isOnly } = row;
  const isOther = isForeign(run);
  const name = toLabel(isOther ? run.id : fileName, 80);
  const kind = isOther ? '' : describeRunKind(run, context);
  const isRunning = isRunUnderWay(row);
  const state = describeRun(row, context);
  const requests = isRunning && (isOnly || isOther) ? describeRequests(requestCountOf(run), context) : '';
  const age = isRunning ? '' : describeSince(run.startedAt, context);
  // A retry may have its own file.
  const ownFile = run.source === row.source ? '' : labelOfSource(run.source, {}, 60);
  const words = runWords(row);
  const description = join(
    ' · ',
    isOther ? '' : describeNext(words, row, context),
    state,
    requests,
    age,
    ownFile,
    row.isElsewhere ? toLabel(run.connection, 40) : '',
  );
  return {
    label: isOther ? shortId(run.id) : isOnly ? name : kind,
    description,
    ...iconOfRun(row, context),
    abilities: words.join(' '),
    spoken: join(', ', name, kind, description),
  };
}

/**
 * Returns the row of a file with several runs. Shows the state of an unknown run, if any, then the state and next action of the latest run.
 */
export function presentFile(row: FileRow, context: PresentationContext): RowPresentation {
  const { translate: t, locale } = context;
  const label = toLabel(row.name, 80);
  const [latest] = row.runs;
  if (latest === undefined) {
    throw new Error('The file has no run.');
  }
  const unknown = row.runs.find(isUnknown);
  const shown = presentRun(latest, context);
  const report = resultsOf(latest.run) === undefined ? undefined : (row.results ?? resultsOf(latest.run))?.report;
  const bad = report === undefined ? 0 : reviewCount(report);
  const isRunning = isRunUnderWay(latest);
  const state =
    isRunning || report === undefined
      ? shown.description
      : join(
          ' · ',
          describeNext(fileWords(row), latest, context),
          bad > 0 ? t('{0} without a good result', numberFormat(locale).format(bad)) : describeFacts(report, context),
          describeSince(latest.run.startedAt, context),
        );
  const uncertain =
    unknown === undefined || unknown === latest ? '' : `${describeRunKind(unknown.run, context)}: ${describeRun(unknown, context)}`;
  const description = join(' · ', uncertain, state);
  const { icon, color } =
    unknown === undefined ? (isRunning || report === undefined ? shown : iconOfRun(latest, context, report)) : iconOfRun(unknown, context);
  const spoken = join(', ', label, describeRunKind(latest.run, context), description);
  return { label, description, icon, color, abilities: fileWords(row).join(' '), spoken };
}

/** Returns the parent row of the batches that were not created on this machine. */
export function presentOthers({ count, below }: OthersRow, { translate: t, locale }: PresentationContext): RowPresentation {
  const number = numberFormat(locale).format(count);
  const description = below.length > count ? t('{0} listed so far', number) : number;
  const label = t('Other Batches');
  return { label, description, icon: 'server', color: undefined, abilities: '', spoken: join(', ', label, description) };
}

/** Describes the state of a run, and the outcome of its requests once it has ended. */
export function describeRun(row: RunParts, context: PresentationContext): string {
  const { parts, run } = row;
  const { translate: t } = context;
  const [only] = parts;
  if (parts.length === 1 && only?.kind === 'submission') {
    return presentSubmission(only.submission, context).state;
  }
  const batches = batchesOf(row);
  const count = parts.length;
  const sent = batches.length + parts.filter(({ kind }) => kind === 'deleted').length;
  const deleted = sent - batches.length;
  const ended = batches.filter(isEnded).length;
  const [unknown] = partsIn(row, 'unknown');
  const canceling = batches.find(({ processing_status: status }) => status === 'canceling');
  const isSending = partsIn(row, 'sending').length > 0;
  const runningBatch = batches.find(batch => !isEnded(batch));
  const running =
    runningBatch === undefined
      ? ''
      : canceling !== undefined
        ? t('canceling')
        : runningBatch.processing_status !== 'in_progress'
          ? describeState(runningBatch, context)
          : describeRunning(run.startedAt, context);
  return join(
    ' · ',
    unknown === undefined ? '' : t('part {0} may have been created', unknown.index + 1),
    isSending ? t('sending, {0} of {1} sent', sent, count) : sent < count ? t('{0} of {1} sent', sent, count) : '',
    running,
    runningBatch === undefined || count === 1 || ended === 0 ? '' : t('{0} of {1} ended', ended, batches.length),
    deleted === 0 ? '' : count === 1 ? t('deleted on the service') : t('{0} of {1} deleted', deleted, count),
    runningBatch === undefined ? describeEnding(row, context) : '',
  );
}

/** Describes how long something has been running. `since` is RFC 3339. */
function describeRunning(since: string | null | undefined, { translate: t, locale, now }: PresentationContext): string {
  const elapsed = now - Date.parse(since ?? '');
  return Number.isNaN(elapsed) ? t('running') : t('running for {0}', describeDuration(Math.max(elapsed, 0), locale));
}

/** Describes the end of a run in one sentence: how many of its batches have ended, and the outcomes of their requests. */
export function describeEnd(run: Run, context: BatchContext): string {
  const { translate: t } = context;
  const name = labelOfSource(run.source, context);
  const outcome = describeOutcome(run, countsOf(run), context);
  const sent = run.submissions.filter(({ state }) => state === 'created').length;
  if (run.parts === 1) {
    return t('The batch of {0} has ended: {1}.', name, outcome);
  }
  return sent < run.parts
    ? t('{0} of {1} batches of {2} were sent and have ended: {3}.', sent, run.parts, name, outcome)
    : t('All {0} batches of {1} have ended: {2}.', run.parts, name, outcome);
}

function describeOutcome(run: Run, counts: RequestCounts, context: PresentationContext): string {
  const fetched = resultsOf(run);
  return fetched === undefined ? describeOutcomes(counts, context) : describeFacts(fetched.report, context);
}

function describeEnding({ run, parts }: RunParts, context: PresentationContext): string {
  const batches = batchesOf({ parts });
  const [only] = batches;
  const outcome = describeOutcome(run, sumOf(batches), context);
  const isPlain = outcome !== '' && !batches.some(batch => isArchived(batch) || batch.cancel_initiated_at);
  return only === undefined || isPlain || resultsOf(run) !== undefined ? outcome : join(' · ', describeState(only, context), outcome);
}

/** Returns the row of a part for the page of its run. */
export function presentPart(run: Run, part: RunPart, context: PresentationContext): { readonly label: string; readonly state: string } {
  const { translate: t, locale } = context;
  const name = t('Part {0}', toNumber(part.index + 1, locale));
  if (part.kind === 'unsent') {
    return { label: name, state: t('not sent') };
  }
  const { firstLine, lastLine } = part.submission.selection ?? {};
  const lines =
    firstLine === undefined || lastLine === undefined
      ? ''
      : firstLine === lastLine
        ? t('line {0}', toNumber(firstLine + 1, locale))
        : t('lines {0} to {1}', toNumber(firstLine + 1, locale), toNumber(lastLine + 1, locale));
  return { label: join(', ', name, lines), state: describeRun({ run: runOfPart(run, part.submission), parts: [part] }, context) };
}

/** Returns the words for a run that `when` clauses of menus check. */
export function runWords(row: RunParts & Partial<Pick<RunRow, 'isOnly' | 'isOpenTrial'>>): readonly BatchRowWord[] {
  const batches = batchesOf(row);
  const results = resultsOf(row.run);
  const isSent = firstBatchIdOf(row) !== undefined;
  return wordsOf({
    file: row.isOnly === true,
    batch: isSent,
    hasSource: isSent && !isForeign(row.run),
    hasResults: batches.some(hasResults),
    cancelable: batches.some(({ processing_status: status }) => status === 'in_progress'),
    deletable: isSent && batches.every(isEnded),
    unfinished: isUnfinished(row) && !isUnknown(row),
    unresolved: isUnknown(row),
    notSent: !isSent && partsIn(row, 'failed').length > 0,
    forgettable: !isSent && partsIn(row, 'sending', 'created').length === 0,
    fetched: results !== undefined,
    showable: results !== undefined,
    retryable: results !== undefined && reviewCount(results.report) > 0,
    trial: row.isOpenTrial === true && row.isOnly === true,
    adoptable: isForeign(row.run),
  });
}

/** Words that a file's row gets from its latest run. */
const sharedAbilities: ReadonlySet<BatchRowWord> = new Set(['hasSource', 'hasResults', 'unfinished', 'unresolved', 'notSent', 'fetched']);

function fileWords({ runs, results }: FileRow): readonly BatchRowWord[] {
  const [latest] = runs;
  const ofLatest = latest === undefined ? [] : runWords(latest).filter(word => sharedAbilities.has(word));
  const own = wordsOf({
    unresolved: runs.some(isUnknown),
    showable: results !== undefined,
    retryable: results !== undefined && reviewCount(results.report) > 0,
    trial: latest?.isOpenTrial === true,
  });
  return [...new Set<BatchRowWord>(['file', ...ofLatest, ...own])];
}

/** Describes the next action for a run. Empty if there is none, or if the text of the state includes it. */
export function describeNext(words: readonly BatchRowWord[], { run: { lead }, parts }: RunParts, context: PresentationContext): string {
  const { translate: t, locale } = context;
  const has = (word: BatchRowWord) => words.includes(word);
  if (has('unfinished')) {
    return t('Send Remaining Parts');
  }
  if (has('hasResults') && !has('fetched') && batchesOf({ parts }).every(isEnded)) {
    return t('Fetch Results');
  }
  const total = lead.selection?.total;
  return !has('trial')
    ? ''
    : total === undefined
      ? t('Send the rest')
      : t('Send the rest ({0})', numberFormat(locale).format(total - lead.requestCount));
}

/** Returns whether part of a run is being sent or processed. */
export function isRunUnderWay(row: RunParts): boolean {
  return partsIn(row, 'sending', 'created').length > 0 || batchesOf(row).some(batch => !isEnded(batch));
}

/** Returns whether it is unknown if the service created a batch for a run. */
export function isUnknown(row: Pick<RunRow, 'parts'>): boolean {
  return partsIn(row, 'unknown').length > 0;
}

function isEnded({ processing_status: status }: MessageBatch): boolean {
  return status === 'ended';
}

/**
 * Returns the icon of a run. A part that needs the user has precedence, then a running part, then a failed part. `report` is the report of
 * the shown results.
 */
function iconOfRun(row: RunParts, context: PresentationContext, report = resultsOf(row.run)?.report) {
  const [open] = [...partsIn(row, 'unknown'), ...partsIn(row, 'sending'), ...(row.parts.length === 1 ? partsIn(row) : [])];
  if (open !== undefined) {
    const { icon, color } = presentSubmission(open.submission, context);
    return { icon, color };
  }
  if (isUnfinished(row)) {
    return { icon: 'debug-pause', color: 'list.warningForeground' };
  }
  const batches = batchesOf(row);
  const running = batches.find(({ processing_status: status }) => status === 'canceling') ?? batches.find(batch => !isEnded(batch));
  if (running !== undefined) {
    return iconOf(running);
  }
  // A batch deleted on the service is recorded with its last state.
  const known = batches.length > 0 ? batches : row.run.submissions.flatMap(({ batch }) => batch ?? []);
  const first = known.find(batch => !isArchived(batch)) ?? known[0];
  return first === undefined ? { icon: 'trash', color: 'disabledForeground' } : iconOf({ ...first, request_counts: sumOf(known) }, report);
}
