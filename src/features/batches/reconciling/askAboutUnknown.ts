import * as vscode from 'vscode';
import type { MessageBatch } from '../../../client/schemas/messageBatches';
import { askChoice } from '../../../common/asking/askSteps';
import { askModal, showWarning } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { isCancellation, unlessCancelled } from '../../../common/cancellation';
import { runCommand } from '../../../common/commands';
import { describeTime } from '../../../common/text/presentation';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import { reach } from '../../connection';
import { isDamaged, type Submission } from '../../ledger';
import type { BatchDependencies } from '../batchDependencies';
import { describeRequests } from '../batchPresentation';
import { nameAmong } from '../sourceNames';
import { describeError, type MessageContext } from '../submitting/createBatchMessages';
import { showCreated } from '../submitting/showCreated';
import { hasNewCandidate, nothingListed, type Reconciliation, searchForBatch } from './searchForBatch';
import { isListedLate, openCandidates } from './searchSchedule';

export type ReconcileDependencies = Pick<BatchDependencies, 'log' | 'connections' | 'registry' | 'lifetime' | 'onBatchChanged'>;

/** Returns whether an outcome is unknown. Includes one that the user marked as not created while the service lists a possible batch. */
export function isOpenQuestion(submission: Submission): boolean {
  return submission.state === 'unknown' || (submission.state === 'abandoned' && openCandidates(submission).length > 0);
}

/**
 * Searches the service for the batch of a submission with an unknown outcome, and lets the user decide: adopt one, check again, or mark it
 * as not created. Never sends anything again. If the user doesn't answer, the submission is unchanged.
 */
export async function askAboutUnknown(deps: ReconcileDependencies, submission: Submission): Promise<void> {
  const checkAgain = vscode.l10n.t('Check Again');
  const notCreated = vscode.l10n.t('Mark as Not Created');
  const chooseBatch = vscode.l10n.t('Choose Batch...');
  for (;;) {
    let message: string;
    let candidates: readonly MessageBatch[] = [];
    let canBeThere = true;
    try {
      const { host, found, submission: searched } = await search(deps, submission);
      if (searched.state !== submission.state) {
        await reportSettled(deps, searched);
        return;
      }
      candidates = found.candidates;
      canBeThere = candidates.length > 0 || !found.reachedBack;
      message = describeUnknown(searched, nameOf(deps, searched), host, found, messageContext());
    } catch (error) {
      if (isCancellation(error)) {
        return;
      }
      deps.log.error(`The batches for submission ${submission.id} could not be searched`, error);
      message = `${vscode.l10n.t('{0} may have created a batch.', nameOf(deps, submission))} ${describeError(error)}`;
    }
    const only = candidates.length === 1 ? candidates[0] : undefined;
    const adopt = only === undefined ? chooseBatch : vscode.l10n.t('Adopt Batch');
    const choices = candidates.length === 0 ? [checkAgain, notCreated] : [adopt, checkAgain, notCreated];
    const choice = await showWarning(message, ...choices);
    if (choice !== undefined && deps.registry.find(submission.id)?.state !== submission.state) {
      // Another window settled the submission while the message was open.
      return;
    }
    if (choice === notCreated) {
      const isEarly = isListedLate(submission, Date.now());
      if ((!canBeThere && !isEarly) || (await isSure(deps, submission, candidates, canBeThere))) {
        await deps.registry.update(submission.id, { state: 'abandoned' });
      }
      return;
    }
    if (choice === adopt) {
      const batch = only ?? (await chooseCandidate(candidates));
      if (batch !== undefined) {
        await adoptCandidate(deps, submission, batch);
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
  const resolve = vscode.l10n.t('Show Submission Log');
  const message = vscode.l10n.t(
    'You marked {0} as not created, but the service now lists a possible batch. If it is yours, it runs and costs money.',
    toLabel(nameAmong(all, after.source), 80),
  );
  if ((await showWarning(message, resolve)) === resolve) {
    await runCommand('managedAgents.submission.resolve', { submissionId: after.id });
  }
}

async function isSure(
  deps: ReconcileDependencies,
  submission: Submission,
  candidates: readonly MessageBatch[],
  canBeThere: boolean,
): Promise<boolean> {
  const { t } = vscode.l10n;
  const name = nameOf(deps, submission);
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
      : canBeThere
        ? t("Some batches couldn't be read.")
        : t('It was sent minutes ago and may not be listed yet.');
  const detail = `${why} ${t("If a batch exists, it runs and costs money. You won't be warned before you send the file again.")}`;
  const question = t('Mark {0} as not created?', name);
  return (await askModal(question, { detail }, confirm)) === confirm;
}

/** Searches for the batch of a submission. Returns it with the result of the search, or with the state that another window saved. */
async function search(deps: ReconcileDependencies, submission: Submission) {
  if (isDamaged(submission)) {
    throw new Error(vscode.l10n.t('The record of this submission is damaged.'));
  }
  const { connection, client } = await reach(deps.connections, submission.connection, 'read');
  const { host } = new URL(client.baseUrl);
  const title = vscode.l10n.t('Looking for the batch on {0}', host);
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
    host,
    found: { ...found, candidates: found.candidates.filter(({ id }) => open.has(id)) },
    submission: searched.submission,
  };
}

/** Asks the user to select a candidate. Returns `undefined` if the user cancels. */
async function chooseCandidate(candidates: readonly MessageBatch[]): Promise<MessageBatch | undefined> {
  const choices = candidates.map(batch => ({ label: describeCandidate(batch, messageContext()), value: batch }));
  const words = { title: vscode.l10n.t('Batches'), placeholder: vscode.l10n.t('Select a batch') };
  return await unlessCancelled(undefined, () => askChoice({ ...words, choices }));
}

async function adoptCandidate(deps: ReconcileDependencies, submission: Submission, batch: MessageBatch): Promise<void> {
  const adopted = await deps.registry.adopt(submission.id, batch);
  if ('conflict' in adopted) {
    throw new Error(vscode.l10n.t('Batch {0} is linked to {1}.', toLabel(batch.id, 80), nameOf(deps, adopted.conflict)));
  }
  await reportSettled(deps, adopted);
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
  const cancel = vscode.l10n.t('Cancel Batch...');
  const message = vscode.l10n.t(
    'Batch {1} of {0} was created although you stopped sending. Cancel it to stop the cost.',
    nameOf(deps, submission),
    toLabel(batchId, 80),
  );
  if ((await showWarning(message, cancel, vscode.l10n.t('Keep Running'))) === cancel) {
    await runCommand('managedAgents.batch.cancel', { connection, batchId });
  }
}

function nameOf({ registry }: ReconcileDependencies, { source }: Submission): string {
  return toLabel(nameAmong(registry.all(), source), 80);
}

function messageContext(): MessageContext {
  return { translate: vscode.l10n.t, locale: vscode.env.language };
}

/** Describes the unknown outcome of a file's submission, and the result of the search. */
export function describeUnknown(
  submission: Submission,
  file: string,
  host: string,
  found: Reconciliation,
  context: MessageContext,
): string {
  const { translate: t, locale } = context;
  const number = numberFormat(locale);
  const requests = describeRequests(submission.requestCount, context);
  const lead = t('{0} may have created a batch.', file);
  const only = found.candidates.length === 1 ? found.candidates[0] : undefined;
  if (found.atAnotherTime && found.candidates.length > 0) {
    return t(
      '{0} {1} lists batches of {3} that were created at a different time ({2}): {4}. A clock may be wrong.',
      lead,
      host,
      number.format(found.candidates.length),
      requests,
      found.candidates
        .slice(0, 3)
        .map(batch => describeCandidate(batch, context))
        .join('; '),
    );
  }
  if (only !== undefined) {
    const one = t('{0} {1} lists a possible batch: {2}.', lead, host, describeCandidate(only, context));
    const { ids } = submission.search?.candidates.find(({ batchId }) => batchId === only.id) ?? {};
    return ids === 'same' ? `${one} ${t('Same IDs. Someone else may have sent the same file.')}` : one;
  }
  if (found.candidates.length > 1) {
    return t('{0} {1} lists {2} possible batches of {3}.', lead, host, number.format(found.candidates.length), requests);
  }
  if (!found.reachedBack) {
    return t('{0} None of the {1} newest batches of {2} matches.', lead, number.format(found.batchCount), host);
  }
  return t(
    '{0} {1} lists no new batch of {2} since {3}. It may appear later.',
    lead,
    host,
    requests,
    found.backTo === undefined ? t('its beginning') : describeTime(found.backTo, context),
  );
}

function describeCandidate(batch: MessageBatch, context: MessageContext): string {
  const { translate: t } = context;
  const id = toLabel(batch.id, 80);
  return batch.created_at ? t('{0}, created {1}', id, describeTime(batch.created_at, context)) : id;
}
