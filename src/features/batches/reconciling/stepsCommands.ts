import * as vscode from 'vscode';
import { askChoice } from '../../../common/asking/askSteps';
import { askModal } from '../../../common/asking/notifications';
import { combine } from '../../../common/disposables';
import { describeSince, join, type PresentationContext } from '../../../common/text/presentation';
import type { BatchReference, SubmissionReference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { canForget, type Submission, type SubmissionRegistry } from '../../ledger';
import { presentSubmission } from '../batchPresentation';
import { baseName, nameAmong, namesAmong } from '../sourceNames';
import { askAboutUnknown, isOpenQuestion, type ReconcileDependencies } from './askAboutUnknown';
import { MarkdownPages } from '../details/markdownPage';
import { toStepsPage } from './stepsPage';

/** Shows the history of the given or selected submission. If its outcome is unknown, searches the service and asks the user. */
export async function findOut(
  deps: ReconcileDependencies,
  pages: StepsPages,
  target: SubmissionReference | BatchReference | undefined,
): Promise<void> {
  const submission = await choose(deps.registry, target, vscode.l10n.t('Select a run'), () => true);
  if (isOpenQuestion(submission)) {
    // Not awaited: the command ends while messages are open.
    askAboutUnknown(deps, submission).catch(error => deps.log.error('A message could not be shown', error));
  }
  await pages.show(submission);
}

/** Deletes a submission without a batch, and the other parts of its run, from this machine. Asks first if its outcome is unknown. */
export async function forget(registry: SubmissionRegistry, target: SubmissionReference | undefined): Promise<void> {
  const submission = await choose(registry, target, vscode.l10n.t('Select a run'), one => canForget(one, registry.all()));
  const name = toLabel(nameAmong(registry.all(), submission.source), 80);
  if (!canForget(submission, registry.all())) {
    throw new Error(
      submission.state === 'sending'
        ? vscode.l10n.t('{0} is still being sent.', name)
        : vscode.l10n.t("{0} has a batch and can't be forgotten.", name),
    );
  }
  if (submission.state === 'unknown') {
    const confirm = vscode.l10n.t('Forget Submission');
    const answer = await askModal(
      vscode.l10n.t('Forget the submission of {0}?', name),
      {
        detail: vscode.l10n.t("If a batch exists, it runs and costs money. You won't be warned before you send the file again."),
      },
      confirm,
    );
    if (answer !== confirm) {
      return;
    }
  }
  const { group } = submission;
  const others = registry.all().filter(({ id, group: other }) => id !== submission.id && group !== undefined && other?.id === group.id);
  for (const { id } of [submission, ...others]) {
    await registry.forget(id);
  }
}

async function choose(
  registry: SubmissionRegistry,
  target: SubmissionReference | BatchReference | undefined,
  question: string,
  fits: (submission: Submission) => boolean,
): Promise<Submission> {
  await registry.reload();
  if (target !== undefined) {
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
  const context = rowContext();
  const all = registry.all();
  const nameOf = namesAmong(all);
  const choices = all
    .filter(fits)
    .sort((a, b) => Number(isOpenQuestion(b)) - Number(isOpenQuestion(a)))
    .map(submission => ({
      label: toLabel(nameOf(submission.source), 80),
      description: join(
        ' · ',
        submission.state === 'created' ? '' : presentSubmission(submission, context).state,
        describeSince(submission.startedAt, context),
      ),
      detail: toLabel(submission.batchId ?? submission.connection, 80),
      value: submission,
    }));
  const none = vscode.l10n.t('This run is no longer on this machine.');
  return await askChoice({ title: vscode.l10n.t('Batches'), placeholder: question, choices, none });
}

export type StepsPages = ReturnType<typeof createStepsPages>;

/** Creates the pages with the history of submissions. They are refreshed at every change. */
export function createStepsPages(registry: Pick<SubmissionRegistry, 'find' | 'onDidChange'>) {
  const pages = new MarkdownPages<Pick<Submission, 'id' | 'source'>>({
    viewType: 'managedAgents.steps',
    commands: [],
    title: ({ source }) => vscode.l10n.t('Submission Log of {0}', toLabel(baseName(source), 80)),
    text: async ({ id }) => {
      const submission = registry.find(id);
      return submission === undefined ? vscode.l10n.t('This run is no longer on this machine.') : toStepsPage(submission, rowContext());
    },
  });
  const subscriptions = combine(
    pages,
    registry.onDidChange(changed => pages.refresh(({ id }) => id === changed.id)),
  );
  return { show: ({ id, source }: Submission) => pages.show({ id, source }), dispose: () => subscriptions.dispose() };
}

function rowContext(): PresentationContext {
  return { translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() };
}
