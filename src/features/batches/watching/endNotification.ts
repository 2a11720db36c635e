import * as vscode from 'vscode';
import { runCommand } from '../../../common/commands';
import type { PresentationContext } from '../../../common/presentation';
import { readSetting } from '../../../common/settings';
import { toLabel } from '../../../common/text';
import { baseName, describeOutcomes } from '../batchPresentation';
import type { Run } from '../ledger/runs';
import { countsOf } from './runSummary';

/**
 * Tells that all batches of a run have ended, with what became of its requests and the way to its results. The setting may silence
 * it. Answers whether the user went on from there.
 */
export async function notifyEnded(run: Run, context: PresentationContext): Promise<boolean> {
  const counts = countsOf(run);
  const troubled = counts.errored + counts.canceled + counts.expired > 0;
  const wanted = readSetting('managedAgents.batches.notify');
  if (wanted === 'never' || (wanted === 'problems' && !troubled)) {
    return false;
  }
  const fetch = vscode.l10n.t('Fetch Results');
  const open = vscode.l10n.t('Open Batch');
  const show = troubled && counts.succeeded === 0 ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const choice = await show(describeEnd(run, context), fetch, open);
  const { connection, batchId = '' } = run.lead;
  if (choice === fetch) {
    await (run.parts > 1
      ? runCommand('managedAgents.group.fetchResults', { runId: run.id })
      : runCommand('managedAgents.batch.fetchResults', { connection, batchId }));
  } else if (choice === open) {
    await runCommand('managedAgents.batch.open', { connection, batchId });
  }
  return choice !== undefined;
}

function describeEnd(run: Run, context: PresentationContext): string {
  const name = toLabel(baseName(run.source), 80);
  const outcomes = describeOutcomes(countsOf(run), context);
  const sent = run.submissions.filter(({ state }) => state === 'created').length;
  if (run.parts === 1) {
    return vscode.l10n.t('The batch of {0} has ended: {1}.', name, outcomes);
  }
  return sent < run.parts
    ? vscode.l10n.t('The {0} batches of {1} that were sent have ended: {2}. {3} were not sent.', sent, name, outcomes, run.parts - sent)
    : vscode.l10n.t('All {0} batches of {1} have ended: {2}.', run.parts, name, outcomes);
}
