import { escapeMarkdown, toFactTable } from '../../../common/text/escapeMarkdown';
import { describeAge, describeMoment, describeSince, describeTime, type PresentationContext } from '../../../common/text/presentation';
import { numberFormat, toNumber } from '../../../shared/formats';
import { join, toByteSize } from '../../../shared/text';
import type { StepKind, Submission, SubmissionStep } from '../../ledger';
import { baseName } from '../sourceNames';
import { toSentence } from '../submitting/createBatchMessages';
import { isSearchExhausted, nextSearchIn } from './searchSchedule';
import { describeSearch, describeVerdict, unknownStateOf } from './unknownPresentation';

/** Returns the history of a submission as Markdown without links: its state, its steps with times, and facts. */
export function toStepsPage(submission: Submission, context: PresentationContext): string {
  const { translate, locale } = context;
  return join(
    '\n\n',
    `# ${escapeMarkdown(baseName(submission.source))}`,
    pathOf(submission, context),
    escapeMarkdown(statement(submission, context)),
    toFactTable(
      translate('What happened'),
      (submission.steps ?? []).map(step => [describeTime(step.at, context), stepWords(step, context)]),
    ),
    toFactTable(translate('Listed by the service'), searchRows(submission, context)),
    toFactTable(translate('Details'), [
      [translate('File'), submission.source],
      ['SHA-256', submission.sha256],
      [translate('Requests'), toNumber(submission.requestCount, locale)],
      [translate('Body'), toByteSize(submission.bodyBytes, locale)],
      [translate('Connection'), `${submission.connection} (${submission.origin})`],
      [translate('Batch'), submission.batchId ?? ''],
      [translate('Request ID'), submission.requestId ?? ''],
      [translate('Reason'), submission.problem ?? ''],
    ]),
  );
}

type Row = readonly [name: string, value: string];

/** Returns the states of a submission in their order: past states, the current state in bold, and future states. */
function pathOf(submission: Submission, { translate: t, now }: PresentationContext): string {
  const { state, steps = [], handedOut, results, batch } = submission;
  const lost = steps.some(({ what }) => what === 'lost') ? [t('Response lost')] : [];
  const ends = [t('Batch created'), t('Batch ended'), t('Results fetched')] as const;
  const path = (past: readonly string[], present: string, ...next: readonly string[]) =>
    [...[t('Recorded'), ...lost, ...past].map(escapeMarkdown), `**${escapeMarkdown(present)}**`, ...next.map(escapeMarkdown)].join(' → ');
  switch (state) {
    case 'sending':
      return path([], handedOut === true ? t('Waiting for the response') : t('Sending…'), ends[0]);
    case 'unknown': {
      const isLooking = !isSearchExhausted(submission, now) && ['looking', 'none_yet'].includes(unknownStateOf(submission, now));
      return path([], isLooking ? t('Searching for the batch') : t('Needs your decision'), t('Batch found or needs your decision'));
    }
    case 'failed':
    case 'abandoned':
      return path([], t('No batch'));
    case 'created': {
      const done = results !== undefined ? 2 : batch?.processing_status === 'ended' ? 1 : 0;
      return path(ends.slice(0, done), ends[done], ...ends.slice(done + 1));
    }
  }
}

function statement(submission: Submission, context: PresentationContext): string {
  const { translate: t } = context;
  const { startedAt, batchId = '', deleted } = submission;
  return {
    sending: t('Upload started {0}.', describeTime(startedAt, context)),
    created: deleted ? t('The batch is no longer on the service.') : t('Batch {0}, sent {1}.', batchId, describeSince(startedAt, context)),
    failed: t('No batch was created.'),
    abandoned: t('You marked it as not created.'),
    unknown: describeSearch(submission, context),
  }[submission.state];
}

function stepWords(step: SubmissionStep, { translate, locale }: PresentationContext): string {
  const { batchId = '', note = '', candidates = 0, listed = 0 } = step;
  const number = numberFormat(locale);
  const words: Readonly<Record<StepKind, string>> = {
    written: translate('Recorded before sending.'),
    uploading: translate('Upload started.'),
    handed_out: translate('Upload finished; a batch may exist from here on.'),
    created: translate('The service created batch {0}.', batchId),
    lost: translate('The response was lost. A batch may exist.'),
    failed: translate('No batch was created.'),
    looked: translate('Searched the service: {0} of {1} batches match.', number.format(candidates), number.format(listed)),
    elsewhere: translate('Not searched: the connection now points to {0}.', note),
    adopted: translate('Batch {0} was confirmed as this submission.', batchId),
    linked: translate('Batch {0} was linked to the file.', batchId),
    abandoned: translate('You marked it as not created.'),
    canceling: translate('Cancel requested'),
    ended: translate('Batch ended'),
    fetched: translate('Results fetched.'),
    deleted: translate('The batch is no longer on the service.'),
  };
  // A newer version may have recorded other steps.
  const known = Object.hasOwn(words, step.what) ? words[step.what as StepKind] : step.what;
  const text = note === '' || step.what === 'elsewhere' ? known : `${known} ${toSentence(note)}`;
  return step.times === undefined ? text : translate('{0} ({1} times)', text, number.format(step.times));
}

function searchRows(submission: Submission, context: PresentationContext): readonly Row[] {
  const { translate, locale } = context;
  const { search } = submission;
  if (search === undefined || submission.state !== 'unknown') {
    return [];
  }
  const back = search.backTo === undefined ? '' : describeTime(search.backTo, context);
  const next = nextSearchIn(submission, context.now);
  return [
    [translate('Checked'), describeMoment(search.lookedAt, context)],
    [translate('Batches checked'), toNumber(search.listed, locale)],
    [translate('Searched back to'), back === '' || search.reachedBack ? back : translate('{0}, incomplete', back)],
    [translate('Next check'), next === undefined ? '' : describeAge(new Date(context.now + next).toISOString(), context)],
    ...search.candidates.map(candidate => [candidate.batchId, describeVerdict(candidate, context)] as const),
  ];
}
