import { escapeMarkdown, toFactTable } from '../../../common/text/escapeMarkdown';
import { describeAge, describeSince, describeTime, type PresentationContext } from '../../../common/text/presentation';
import { numberFormat } from '../../../shared/formats';
import { toByteSize } from '../../../shared/text';
import type { Candidate, Submission, SubmissionStep } from '../../ledger';
import { baseName } from '../sourceNames';
import { toSentence } from '../submitting/createBatchMessages';
import { isLookedOut, nextLookIn, openCandidates } from './lookSchedule';
import { describeSameIds, unknownStateOf } from './unknownPresentation';

/** What happened to a submission, as a Markdown page: where it stands, when what happened, what is known, what can be done. Nothing in it is a link. */
export function toStepsPage(submission: Submission, context: PresentationContext): string {
  const { translate } = context;
  return [
    `# ${escapeMarkdown(baseName(submission.source))}`,
    pathOf(submission, context),
    escapeMarkdown(statement(submission, context)),
    toFactTable(translate('What happened'), stepRows(submission, context)),
    toFactTable(translate('What the service lists'), searchRows(submission, context)),
    toFactTable(translate('What is known'), factRows(submission, context)),
    list(translate('What you can do'), choices(submission, context)),
  ]
    .filter(part => part !== '')
    .join('\n\n');
}

type Row = readonly [name: string, value: string];

/** The states one after the other, the present one in bold: what came before it is past, what stands behind it is to come. */
function pathOf(submission: Submission, { translate, now }: PresentationContext): string {
  const words = {
    written: translate('Recorded'),
    sending: submission.handedOut === true ? translate('Waiting for the response') : translate('Being sent'),
    lost: translate('Response lost'),
    looking: translate('Looking for the batch'),
    question: translate('Needs your decision'),
    known: translate('Batch known'),
    ended: translate('Batch ended'),
    fetched: translate('Results fetched'),
    none: translate('No batch'),
  };
  const past: string[] = [words.written];
  const steps = new Set(submission.steps?.map(({ what }) => what));
  if (steps.has('lost')) {
    past.push(words.lost);
  }
  const path = (present: string, ...next: readonly string[]) =>
    [...past, `**${present}**`, ...next].map(word => (word.startsWith('**') ? word : escapeMarkdown(word))).join(' → ');
  switch (submission.state) {
    case 'sending':
      return path(words.sending, words.known);
    case 'unknown': {
      const isOver = isLookedOut(submission, now);
      const state = unknownStateOf(submission, now);
      const asks = isOver || state === 'one' || state === 'several' || state === 'not_looked';
      return asks
        ? path(words.question, translate('Batch known, or needs your decision'))
        : path(words.looking, translate('Batch known, or needs your decision'));
    }
    case 'failed':
    case 'abandoned':
      return path(words.none);
    case 'created':
      if (submission.results !== undefined) {
        past.push(words.known, words.ended);
        return path(words.fetched);
      }
      if (submission.batch?.processing_status === 'ended') {
        past.push(words.known);
        return path(words.ended, words.fetched);
      }
      return path(words.known, words.ended, words.fetched);
  }
}

function statement(submission: Submission, context: PresentationContext): string {
  const { translate, locale } = context;
  const number = numberFormat(locale);
  const sent = describeSince(submission.startedAt, context);
  switch (submission.state) {
    case 'sending':
      return translate('Uploading since {0}.', describeTime(submission.startedAt, context));
    case 'created':
      return submission.deleted === true
        ? translate('The batch is no longer on the service.')
        : translate('Batch {0}, sent {1}.', submission.batchId ?? '', sent);
    case 'failed':
      return translate('No batch was created.');
    case 'abandoned':
      return translate('You marked it as not created.');
    case 'unknown':
      break;
  }
  const open = openCandidates(submission);
  switch (unknownStateOf(submission, context.now)) {
    case 'looking':
      return translate('The response was lost. Looking for the batch…');
    case 'not_looked':
      return translate("The response was lost, and the service couldn't be asked.");
    case 'one':
      return translate('The response was lost. Batch {0} may be it.', open[0]?.batchId ?? '');
    case 'several':
      return translate('The response was lost. {0} batches may be it.', number.format(open.length));
    case 'none_yet':
      return translate('The response was lost. No batch found yet; the list is checked again.');
    case 'none':
      return translate('The response was lost, and no batch was found. Decide whether to send the file again.');
  }
}

function stepRows({ steps = [] }: Submission, context: PresentationContext): readonly Row[] {
  return steps.map(step => [describeTime(step.at, context), describeStep(step, context)] as const);
}

function describeStep(step: SubmissionStep, context: PresentationContext): string {
  const { translate, locale } = context;
  const number = numberFormat(locale);
  const note = step.note === undefined ? '' : ` ${toSentence(step.note)}`;
  const text = stepWords(step, translate, number) + (step.what === 'elsewhere' ? '' : note);
  return step.times === undefined ? text : translate('{0} ({1} times)', text, number.format(step.times));
}

function stepWords(step: SubmissionStep, translate: PresentationContext['translate'], number: Intl.NumberFormat): string {
  switch (step.what) {
    case 'written':
      return translate('Recorded before sending.');
    case 'uploading':
      return translate('Upload started.');
    case 'handed_out':
      return translate('Upload finished; a batch may exist from here on.');
    case 'created':
      return translate('The service created batch {0}.', step.batchId ?? '');
    case 'lost':
      return translate('The response was lost. A batch may exist.');
    case 'failed':
      return translate('No batch was created.');
    case 'looked':
      return translate(
        'Searched the service: {0} of {1} batches may be it.',
        number.format(step.candidates ?? 0),
        number.format(step.listed ?? 0),
      );
    case 'elsewhere':
      return translate('Not searched: the connection now points to {0}.', step.note ?? '');
    case 'adopted':
      return translate('Batch {0} was adopted.', step.batchId ?? '');
    case 'linked':
      return translate('Batch {0} was linked to the file.', step.batchId ?? '');
    case 'abandoned':
      return translate('You marked it as not created.');
    case 'canceling':
      return translate('Cancel requested');
    case 'ended':
      return translate('Batch ended');
    case 'fetched':
      return translate('Results fetched.');
    case 'deleted':
      return translate('The batch is no longer on the service.');
    default:
      return step.what;
  }
}

function searchRows(submission: Submission, context: PresentationContext): readonly Row[] {
  const { translate, locale } = context;
  const { search } = submission;
  if (search === undefined || submission.state !== 'unknown') {
    return [];
  }
  const number = numberFormat(locale);
  const rows: Row[] = [
    [translate('Checked'), `${describeTime(search.lookedAt, context)} (${describeAge(search.lookedAt, context)})`],
    [translate('Batches read'), number.format(search.listed)],
  ];
  if (search.backTo !== undefined) {
    const back = describeTime(search.backTo, context);
    rows.push([translate('Back to'), search.reachedBack ? back : translate('{0}, incomplete', back)]);
  }
  const next = nextLookIn(submission, context.now);
  if (next !== undefined) {
    rows.push([translate('Next check'), describeAge(new Date(context.now + next).toISOString(), context)]);
  }
  return [...rows, ...search.candidates.map(candidate => [candidate.batchId, describeVerdict(candidate, context)] as const)];
}

function describeVerdict({ createdAt, ids, doubt, atAnotherTime }: Candidate, context: PresentationContext): string {
  const { translate } = context;
  const created = createdAt === undefined ? '' : translate('Created {0}.', describeTime(createdAt, context));
  const time = atAnotherTime === true ? translate('A clock may be wrong.') : '';
  const verdict = () => {
    switch (ids) {
      case 'same':
        return describeSameIds(doubt, translate);
      case 'different':
        return translate('Other IDs: not the one.');
      case 'unclear':
        return translate("IDs can't tell.");
      case undefined:
        return translate('Not compared yet.');
    }
  };
  return [created, time, verdict()].filter(text => text !== '').join(' ');
}

function factRows(submission: Submission, { translate, locale }: PresentationContext): readonly Row[] {
  const number = numberFormat(locale);
  const optional = (name: string, value: string | undefined): readonly Row[] => (value === undefined ? [] : [[name, value]]);
  return [
    [translate('File'), submission.source],
    ['SHA-256', submission.sha256],
    [translate('Requests'), number.format(submission.requestCount)],
    [translate('Body'), toByteSize(submission.bodyBytes, locale)],
    [translate('Connection'), `${submission.connection} (${submission.origin})`],
    ...optional(translate('Batch'), submission.batchId),
    ...optional(translate('Request ID'), submission.requestId),
    ...optional(translate('Reason'), submission.problem),
  ];
}

function choices(submission: Submission, { translate, now }: PresentationContext): readonly string[] {
  const resolve = translate('Adopt a batch, check again, or mark it as not created.');
  const forget = translate('Forget it to remove it from this list.');
  const again = translate('Send the file again.');
  switch (submission.state) {
    case 'sending':
      return [translate('Wait, or cancel it.')];
    case 'failed':
    case 'abandoned':
      return [again, forget];
    case 'created':
      return submission.batch?.processing_status === 'ended' ? [translate('Open its results.')] : [translate('Wait, or cancel it.')];
    case 'unknown': {
      const wait = isLookedOut(submission, now) ? [] : [translate('Wait, or cancel it.')];
      return [...wait, resolve, forget];
    }
  }
}

function list(title: string, items: readonly string[]): string {
  return `## ${escapeMarkdown(title)}\n\n${items.map(item => `- ${escapeMarkdown(item)}`).join('\n')}`;
}
