import * as vscode from 'vscode';
import { askModal } from '../../../common/asking/notifications';
import { combine } from '../../../common/disposables';
import type { BatchReference, SubmissionReference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { canForget, type Submission, type SubmissionRegistry } from '../../ledger';
import { chooseRun } from '../chooseRun';
import { MarkdownPages } from '../details/markdownPage';
import { baseName, nameOfRun } from '../sourceNames';
import { askAboutUnknown, isOpenQuestion, type ReconcileDependencies } from './askAboutUnknown';
import { toStepsPage } from './stepsPresentation';

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
