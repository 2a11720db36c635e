import * as vscode from 'vscode';
import type { MessageBatch } from '../../../client/schemas/messageBatches';
import { CancelledError, isCancellation } from '../../../common/cancellation';
import type { Log } from '../../../common/log';
import { showInformation, showWarning } from '../../../common/notifications';
import { withProgress } from '../../../common/progress';
import { toLabel } from '../../../common/text';
import type { SubmissionReference } from '../../../contributions';
import type { Connections } from '../../connection/connection';
import { baseName } from '../batchPresentation';
import type { Submission } from '../ledger/submission';
import type { SubmissionRegistry } from '../ledger/submissionRegistry';
import { describeError, describeTime, type MessageContext } from '../submitting/createBatchMessages';
import { showCreated } from '../submitting/submitCreated';
import { type Reconciliation, reconcile } from './reconcile';
import { describeCandidate, describeUnknown } from './reconcileMessages';

export interface ReconcileDependencies {
  readonly log: Log;
  readonly connections: Connections;
  readonly registry: SubmissionRegistry;
  readonly lifetime: AbortSignal;
  readonly onBatchChanged?: (connection: string, batch: MessageBatch) => void;
}

/** Settles a submission of which nobody knows whether it made a batch: the given one, or the one the user chooses. */
export async function resolveSubmission(deps: ReconcileDependencies, target: SubmissionReference | undefined): Promise<void> {
  const submission = await chooseSubmission(deps, target);
  // Not awaited: the messages wait for the user, the command has ended.
  askAboutUnknown(deps, submission).catch(error => deps.log.error('A message could not be shown', error));
}

async function chooseSubmission({ registry }: ReconcileDependencies, target: SubmissionReference | undefined): Promise<Submission> {
  await registry.reload();
  if (target !== undefined) {
    const submission = registry.find(target.submissionId);
    if (submission?.state === 'sending') {
      throw new Error(vscode.l10n.t('{0} is still being sent.', toLabel(baseName(submission.source), 80)));
    }
    if (submission?.state !== 'unknown') {
      throw new Error(vscode.l10n.t('There is nothing left to find out about this submission.'));
    }
    return submission;
  }
  const context = messageContext();
  const items = registry
    .all()
    .filter(({ state }) => state === 'unknown')
    .map(submission => ({
      label: toLabel(baseName(submission.source), 80),
      description: toLabel(submission.connection, 80),
      detail: vscode.l10n.t('{0} requests, sent {1}', submission.requestCount, describeTime(submission.startedAt, context)),
      submission,
    }));
  if (items.length === 0) {
    void showInformation(vscode.l10n.t('Every submission from this machine has a known end.'));
    throw new CancelledError();
  }
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Find out about which submission?') });
  if (chosen === undefined) {
    throw new CancelledError();
  }
  return chosen.submission;
}

/**
 * Looks at the service for the batch of a submission whose end is not known, and lets the user decide: adopt one, look
 * again, or say that there is none. Nothing is ever sent again from here; without an answer the submission stays as it is.
 */
export async function askAboutUnknown(deps: ReconcileDependencies, submission: Submission): Promise<void> {
  const checkAgain = vscode.l10n.t('Check Again');
  const notCreated = vscode.l10n.t('It Was Not Created');
  const chooseBatch = vscode.l10n.t('Choose Batch...');
  for (;;) {
    let message: string;
    let candidates: readonly MessageBatch[] = [];
    try {
      const { host, found } = await look(deps, submission);
      candidates = found.candidates;
      message = describeUnknown(submission, host, found, messageContext());
    } catch (error) {
      if (isCancellation(error)) {
        return;
      }
      deps.log.error(`The batches for submission ${submission.id} could not be looked through`, error);
      message = vscode.l10n.t(
        'It is not known whether a batch was created from {0}, and the service could not be asked. {1}',
        toLabel(baseName(submission.source), 80),
        describeError(error),
      );
    }
    const only = candidates.length === 1 ? candidates[0] : undefined;
    const adopt = only === undefined ? chooseBatch : vscode.l10n.t('Adopt Batch');
    const choices = candidates.length === 0 ? [checkAgain, notCreated] : [adopt, checkAgain, notCreated];
    const choice = await showWarning(message, ...choices);
    if (choice === notCreated) {
      await deps.registry.update(submission.id, { state: 'abandoned' });
      return;
    }
    if (choice === adopt) {
      const batch = only ?? (await chooseCandidate(candidates));
      if (batch !== undefined) {
        await adoptBatch(deps, submission, batch);
        return;
      }
    } else if (choice !== checkAgain) {
      return;
    }
  }
}

async function look(
  deps: ReconcileDependencies,
  submission: Submission,
): Promise<{ readonly host: string; readonly found: Reconciliation }> {
  const connection = deps.connections.find(submission.connection);
  if (connection === undefined) {
    throw new Error(
      vscode.l10n.t('The connection {0} no longer exists. Add it again under that name.', toLabel(submission.connection, 80)),
    );
  }
  const client = await deps.connections.client(connection);
  const { origin, host } = new URL(client.baseUrl);
  // The emulator has another port each time it starts.
  if (origin !== submission.origin && !connection.isEmulator) {
    throw new Error(
      vscode.l10n.t('It went to {0}, and the connection {1} now points to {2}.', submission.origin, toLabel(connection.name, 80), origin),
    );
  }
  const title = vscode.l10n.t('Looking for the batch on {0}', host);
  const found = await withProgress(title, deps.lifetime, signal => reconcile(client.batches, deps.registry, submission, { signal }));
  return { host, found };
}

async function chooseCandidate(candidates: readonly MessageBatch[]): Promise<MessageBatch | undefined> {
  const context = messageContext();
  const items = candidates.map(batch => ({ label: describeCandidate(batch, context), batch }));
  return (await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Which batch is it?') }))?.batch;
}

async function adoptBatch(deps: ReconcileDependencies, submission: Submission, batch: MessageBatch): Promise<void> {
  const adopted = await deps.registry.update(submission.id, { state: 'created', batchId: batch.id, batch, problem: undefined });
  deps.onBatchChanged?.(submission.connection, batch);
  await showCreated(adopted);
}

function messageContext(): MessageContext {
  return { translate: vscode.l10n.t, locale: vscode.env.language };
}
