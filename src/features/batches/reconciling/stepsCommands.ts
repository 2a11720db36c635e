import * as vscode from 'vscode';
import { askModal } from '../../../common/asking/notifications';
import { combine } from '../../../common/disposables';
import { escapeMarkdown, toFactTable } from '../../../common/text/escapeMarkdown';
import {
  describeAge,
  describeMoment,
  describeSince,
  describeTime,
  join,
  type PresentationContext,
} from '../../../common/text/presentation';
import type { BatchReference, SubmissionReference } from '../../../contributions';
import { numberFormat, toNumber } from '../../../shared/formats';
import { toByteSize, toLabel } from '../../../shared/text';
import { canForget, type StepKind, type Submission, type SubmissionRegistry, type SubmissionStep } from '../../ledger';
import { chooseRun } from '../chooseRun';
import { MarkdownPages } from '../details/markdownPage';
import { baseName, nameOfRun } from '../sourceNames';
import { toSentence } from '../submitting/createBatchMessages';
import { askAboutUnknown, isOpenQuestion, type ReconcileDependencies } from './askAboutUnknown';
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

type Target = SubmissionReference | BatchReference | undefined;

/** Shows the history of the given or selected submission. If its outcome is unknown, searches the service and asks the user. */
export async function findOut(deps: ReconcileDependencies, pages: StepsPages, target: Target): Promise<void> {
  const submission = await choose(deps.registry, target, () => true);
  if (isOpenQuestion(submission)) {
    // Not awaited, because the command ends while messages are open.
    askAboutUnknown(deps, submission).catch(error => deps.log.error('A message could not be shown', error));
  }
  await pages.show(submission);
}

/** Deletes a submission without a batch, and the other parts of its run, from this machine. Asks first if its outcome is unknown. */
export async function forget(registry: SubmissionRegistry, target: SubmissionReference | undefined): Promise<void> {
  const submission = await choose(registry, target, one => canForget(one, registry.all()));
  const name = nameOfRun(registry, submission);
  if (!canForget(submission, registry.all())) {
    throw new Error(
      submission.state === 'sending'
        ? vscode.l10n.t('{0} is still being sent.', name)
        : vscode.l10n.t("{0} has a batch and can't be forgotten.", name),
    );
  }
  if (submission.state === 'unknown') {
    const confirm = vscode.l10n.t('Forget Submission');
    const choice = await askModal(
      vscode.l10n.t('Forget the submission of {0}?', name),
      {
        detail: vscode.l10n.t("If a batch exists, it runs and costs money. You won't be warned before you send the file again."),
      },
      confirm,
    );
    if (choice !== confirm) {
      return;
    }
  }
  const { group } = submission;
  const others = registry.all().filter(({ id, group: other }) => id !== submission.id && group !== undefined && other?.id === group.id);
  for (const { id } of [submission, ...others]) {
    await registry.forget(id);
  }
}

/**
 * Returns the submission of an argument. Without an argument, lets the user select a run, and returns one of its submissions that `fits`
 * accepts. A submission with an open question takes precedence.
 */
async function choose(registry: SubmissionRegistry, target: Target, fits: (submission: Submission) => boolean): Promise<Submission> {
  if (target === undefined) {
    const run = await chooseRun(registry, undefined, vscode.l10n.t('Select a run'), ({ submissions }) => submissions.some(fits));
    const fitting = run.submissions.filter(fits);
    return fitting.find(isOpenQuestion) ?? fitting[0] ?? run.lead;
  }
  await registry.reload();
  const found = 'submissionId' in target ? registry.find(target.submissionId) : registry.findByBatch(target.connection, target.batchId);
  if (found === undefined) {
    throw new Error(
      'submissionId' in target
        ? vscode.l10n.t('This run is no longer on this machine.')
        : vscode.l10n.t('Link batch {0} to its file first.', toLabel(target.batchId, 80)),
    );
  }
  return found;
}

type StepsPages = ReturnType<typeof createStepsPages>;

/** Creates the pages with the history of submissions. They are refreshed at every change. */
export function createStepsPages(registry: Pick<SubmissionRegistry, 'find' | 'onDidChange'>) {
  const pages = new MarkdownPages<Pick<Submission, 'id' | 'source'>>({
    viewType: 'managedAgents.steps',
    commands: [],
    title: ({ source }) => vscode.l10n.t('Submission Log of {0}', toLabel(baseName(source), 80)),
    text: async ({ id }) => {
      const submission = registry.find(id);
      return submission === undefined
        ? vscode.l10n.t('This run is no longer on this machine.')
        : toStepsPage(submission, { translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() });
    },
  });
  const subscriptions = combine(
    pages,
    registry.onDidChange(changed => pages.refresh(({ id }) => id === changed.id)),
  );
  return { show: ({ id, source }: Submission) => pages.show({ id, source }), dispose: () => subscriptions.dispose() };
}
