import * as vscode from 'vscode';
import type { MessageBatch } from '../../../client/resources/messageBatches';
import { askChoice } from '../../../common/asking/askSteps';
import { askModal, type Offer, offer, showWarning } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { isCancellation, unlessCancelled } from '../../../common/cancellation';
import { runCommand } from '../../../common/commands';
import { describeTime, type PresentationContext } from '../../../common/text/presentation';
import { join, toLabel } from '../../../shared/text';
import { reach } from '../../connection';
import { isDamaged, type Submission } from '../../ledger';
import type { BatchDependencies } from '../batchDependencies';
import { nameAmong, nameOfRun } from '../sourceNames';
import { describeError } from '../submitting/createBatchMessages';
import { showCreated } from '../submitting/showCreated';
import { hasNewCandidate, nothingListed, searchForBatch } from './searchForBatch';
import { isListedLate, openCandidates } from './searchSchedule';
import { describeSearch, describeVerdict } from './unknownPresentation';

export type ReconcileDependencies = Pick<BatchDependencies, 'log' | 'connections' | 'registry' | 'lifetime' | 'onBatchChanged'>;

/** Returns whether the outcome of a submission is open: unknown, or marked as not created although the service lists a possible batch. */
export function isOpenQuestion(submission: Submission): boolean {
  return submission.state === 'unknown' || (submission.state === 'abandoned' && openCandidates(submission).length > 0);
}

/**
 * Searches the service for the batch of a submission with an unknown outcome, and lets the user decide. The user can adopt a batch, check
 * again, or mark the submission as not created. Never sends anything again. If the user doesn't answer, the submission is unchanged.
 */
export async function askAboutUnknown(deps: ReconcileDependencies, submission: Submission): Promise<void> {
  const { t } = vscode.l10n;
  const [checkAgain, notCreated, chooseBatch] = [t('Check Again'), t('Mark as Not Created'), t('Select Batch...')];
  for (;;) {
    let message: string;
    let candidates: readonly MessageBatch[] = [];
    let mayExist = true;
    try {
      const { found, submission: searched } = await search(deps, submission);
      if (searched.state !== submission.state) {
        await reportSettled(deps, searched);
        return;
      }
      candidates = found.candidates;
      mayExist = candidates.length > 0 || !found.reachedBack;
      const [only, ...others] = openCandidates(searched);
      const isToWarn = others.length === 0 && (only?.ids === 'same' || only?.atAnotherTime === true);
      const verdict = only !== undefined && isToWarn ? describeVerdict(only, rowContext()) : '';
      message = join(
        ' ',
        t('{0} may have created a batch.', nameOfRun(deps.registry, searched)),
        describeSearch(searched, rowContext()),
        verdict,
      );
    } catch (error) {
      if (isCancellation(error)) {
        return;
      }
      deps.log.error(`The batches for submission ${submission.id} could not be searched`, error);
      message = `${t('{0} may have created a batch.', nameOfRun(deps.registry, submission))} ${describeError(error)}`;
    }
    const only = candidates.length === 1 ? candidates[0] : undefined;
    const adopt = only === undefined ? chooseBatch : t('Use This Batch');
    const choices = candidates.length === 0 ? [checkAgain, notCreated] : [adopt, checkAgain, notCreated];
    const choice = await showWarning(message, ...choices);
    if (choice !== undefined && deps.registry.find(submission.id)?.state !== submission.state) {
      // Another window settled the submission while the message was open.
      return;
    }
    if (choice === notCreated) {
      const isEarly = isListedLate(submission, Date.now());
      if ((!mayExist && !isEarly) || (await isSure(deps, submission, candidates, mayExist))) {
        await deps.registry.update(submission.id, { state: 'abandoned' });
      }
      return;
    }
    if (choice === adopt) {
      const batch = only ?? (await chooseCandidate(candidates));
      if (batch !== undefined) {
        const adopted = await deps.registry.adopt(submission.id, batch);
        if ('conflict' in adopted) {
          throw new Error(t('Batch {0} is linked to {1}.', toLabel(batch.id, 80), nameOfRun(deps.registry, adopted.conflict)));
        }
        await reportSettled(deps, adopted);
        return;
      }
    } else if (choice !== checkAgain) {
      return;
    }
  }
}

/** Warns if a submission that the user marked as not created may have created a batch after all. Settles when the user has responded. */
export async function warnOfLateBatch(all: readonly Submission[], before: Submission, after: Submission): Promise<void> {
  if (!hasNewCandidate(before, after)) {
    return;
  }
  const message = vscode.l10n.t(
    'You marked {0} as not created, but the service now lists a possible batch. If it is yours, it runs and costs money.',
    toLabel(nameAmong(all, after.source), 80),
  );
  await offer(showWarning, message, toLog(after));
}

/** Returns the button that shows the log of a submission. */
export function toLog({ id }: Submission): Offer {
  return [vscode.l10n.t('Show Submission Log'), () => runCommand('managedAgents.submission.resolve', { submissionId: id })];
}

async function isSure(deps: ReconcileDependencies, submission: Submission, candidates: readonly MessageBatch[], mayExist: boolean) {
  const { t } = vscode.l10n;
  const name = nameOfRun(deps.registry, submission);
  const confirm = t('Mark as Not Created');
  const why =
    candidates.length > 0
      ? t(
          'Possible batches: {0}.',
          candidates
            .map(({ id }) => toLabel(id, 80))
            .slice(0, 3)
            .join(', '),
        )
      : mayExist
        ? t("Couldn't read some batches.")
        : t('It was sent only minutes ago and may not be listed yet.');
  const detail = `${why} ${t("If a batch exists, it runs and costs money. You won't be warned before you send the file again.")}`;
  const question = t('Mark {0} as not created?', name);
  return (await askModal(question, { detail }, confirm)) === confirm;
}

/** Searches for the batch of a submission. Returns the result and the updated submission, because another window may have settled it. */
async function search(deps: ReconcileDependencies, submission: Submission) {
  if (isDamaged(submission)) {
    throw new Error(vscode.l10n.t('The record of this submission is damaged.'));
  }
  const { connection, client } = await reach(deps.connections, submission.connection, 'read');
  const title = vscode.l10n.t('Searching for the batch on {0}', new URL(client.baseUrl).host);
  const service = { client, isEmulator: connection.isEmulator };
  const { registry } = deps;
  const known = registry.find(submission.id) ?? submission;
  const searched = await withProgress(title, deps.lifetime, signal => searchForBatch(registry, known, service, { signal, isAsked: true }));
  if (searched.found === undefined && searched.submission.state === submission.state) {
    throw new Error(vscode.l10n.t('The connection {0} no longer points to {1}.', toLabel(connection.name, 80), submission.origin));
  }
  const open = new Set(openCandidates(searched.submission).map(({ batchId }) => batchId));
  const found = searched.found ?? nothingListed;
  return {
    found: { ...found, candidates: found.candidates.filter(({ id }) => open.has(id)) },
    submission: searched.submission,
  };
}

/** Asks the user to select a candidate. Returns `undefined` if the user cancels. */
async function chooseCandidate(candidates: readonly MessageBatch[]): Promise<MessageBatch | undefined> {
  const { t } = vscode.l10n;
  const choices = candidates.map(batch => {
    const id = toLabel(batch.id, 80);
    return { label: batch.created_at ? t('{0}, created {1}', id, describeTime(batch.created_at, rowContext())) : id, value: batch };
  });
  return await unlessCancelled(undefined, () => askChoice({ title: t('Batches'), placeholder: t('Select a batch'), choices }));
}

async function reportSettled(deps: ReconcileDependencies, submission: Submission): Promise<void> {
  const { batch, batchId, connection } = submission;
  if (submission.state !== 'created' || batch === undefined || batchId === undefined) {
    return;
  }
  deps.onBatchChanged?.(connection, batch);
  if (submission.cancelWanted !== true || batch.processing_status !== 'in_progress') {
    await showCreated(deps.registry.all(), [{ submission }]);
    return;
  }
  const message = vscode.l10n.t(
    'Batch {1} of {0} was created although you stopped sending. Cancel it to avoid further cost.',
    nameOfRun(deps.registry, submission),
    toLabel(batchId, 80),
  );
  const cancel = () => runCommand('managedAgents.batch.cancel', { connection, batchId });
  await offer(showWarning, message, [vscode.l10n.t('Cancel Batch...'), cancel], [vscode.l10n.t('Keep Running'), async () => undefined]);
}

function rowContext(): PresentationContext {
  return { translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() };
}
