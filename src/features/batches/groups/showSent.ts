import * as vscode from 'vscode';
import { showWarning } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import { views } from '../../../contributions';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import { runOf } from '../../ledger';
import type { ReconcileDependencies } from '../reconciling/askAboutUnknown';
import { describeFailure, describeRepeat, type MessageContext } from '../submitting/createBatchMessages';
import { nameOf } from '../submitting/createBatchTarget';
import { tellInPassing } from '../submitting/showCreated';
import { showOutcome } from '../submitting/showOutcome';
import type { SubmitOutcome } from '../submitting/submit';
import type { GroupOutcome } from './sendGroup';

/** Shows the outcome of sending a run and offers the next act. Settles when the user has answered. */
export async function showSent(deps: ReconcileDependencies, target: vscode.Uri, outcome: SubmitOutcome | GroupOutcome): Promise<void> {
  if (outcome.kind !== 'group') {
    await showOutcome(deps, target, outcome);
    return;
  }
  const { created, stopped } = outcome;
  if (stopped === undefined) {
    await showAllCreated(target, outcome);
  } else if (created.length === 0 && stopped.index === 0 && stopped.outcome !== undefined) {
    // No part was sent, so the message is that of a single batch.
    await showOutcome(deps, target, stopped.outcome);
  } else {
    await showStopped(deps, target, { ...outcome, stopped });
  }
}

async function showAllCreated(target: vscode.Uri, { created }: GroupOutcome): Promise<void> {
  const number = numberFormat(vscode.env.language);
  const requests = created.reduce((sum, { submission }) => sum + submission.requestCount, 0);
  const name = toLabel(nameOf(target), 80);
  const message =
    created.length === 1
      ? requests === 1
        ? vscode.l10n.t('1 batch created from {0}: 1 request.', name)
        : vscode.l10n.t('1 batch created from {0}: {1} requests.', name, number.format(requests))
      : vscode.l10n.t('{0} batches created from {1}: {2} requests.', number.format(created.length), name, number.format(requests));
  const unsaved = created.flatMap(({ batch, unsaved: problem }) => (problem === undefined ? [] : [batch.id]));
  if (unsaved.length === 0) {
    tellInPassing(message);
    return;
  }
  const show = vscode.l10n.t('Show in Batches View');
  const choice = await showWarning(
    vscode.l10n.t("{0} It couldn't be saved on this machine, so link it to its file later: {1}", message, toLabel(unsaved.join(', '), 300)),
    show,
  );
  if (choice === show) {
    await vscode.commands.executeCommand(`${views.batches}.focus`);
  }
}

async function showStopped(
  { registry }: ReconcileDependencies,
  target: vscode.Uri,
  { groupId, count, stopped: { index, outcome } }: GroupOutcome & { readonly stopped: NonNullable<GroupOutcome['stopped']> },
): Promise<void> {
  const context: MessageContext = { translate: vscode.l10n.t, locale: vscode.env.language };
  const name = toLabel(nameOf(target), 80);
  const sent = vscode.l10n.t('{0} of {1} parts of {2} were sent before.', index, count, name);
  if (outcome?.kind === 'unknown') {
    const find = vscode.l10n.t('Show Submission Log');
    const message = vscode.l10n.t(
      'Part {0} of {1} may have become a batch. {2} Find out before you send the rest.',
      index + 1,
      count,
      sent,
    );
    if ((await showWarning(message, find)) === find) {
      await runCommand('managedAgents.submission.resolve', { submissionId: outcome.submission.id });
    }
    return;
  }
  const again = vscode.l10n.t('Send Remaining Parts');
  const message = vscode.l10n.t('Part {0} of {1} was not sent. {2} {3}', index + 1, count, describeStop(target, outcome, context), sent);
  const begun = registry.all().find(({ group }) => group?.id === groupId);
  const run = begun && runOf(registry.all(), begun);
  if (run !== undefined && (await showWarning(message, again)) === again) {
    await runCommand('managedAgents.group.resume', { runId: run.id });
  }
}

function describeStop(
  target: vscode.Uri,
  outcome: Exclude<SubmitOutcome, { kind: 'created' | 'unknown' }> | undefined,
  context: MessageContext,
): string {
  switch (outcome?.kind) {
    case undefined:
      return vscode.l10n.t('Sending was canceled.');
    case 'conflict':
      return describeRepeat(outcome.other, context, { source: target.toString() });
    case 'failed':
      return describeFailure(
        { reason: outcome.reason, error: outcome.error, fileName: nameOf(target), bodyBytes: outcome.submission.bodyBytes },
        context,
      );
  }
}
