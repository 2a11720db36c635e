import * as vscode from 'vscode';
import { showInformation, showWarning } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import { readSetting } from '../../../common/settings';
import { toLabel } from '../../../shared/text';
import type { Run } from '../../ledger';
import type { BatchContext } from '../batchPresentation';
import { describeEnd } from './describeEnd';
import type { FetchedEnd } from './fetchEnded';
import { countsOf, needsReview } from './runSummary';

/**
 * Shows that all batches of a run have ended, with the outcome of its requests and a button to its results, unless the setting
 * silences it. Returns whether the user chose a button.
 */
export async function notifyEnded(run: Run, fetched: FetchedEnd | undefined, context: BatchContext): Promise<boolean> {
  const counts = countsOf(run);
  const problem = fetched?.isFetched === false ? fetched.problem : undefined;
  const troubled = needsReview(run);
  const wanted = readSetting('managedAgents.batches.notify');
  if (wanted === 'never' || (wanted === 'problems' && !troubled && problem === undefined)) {
    return false;
  }
  const show = troubled && counts.succeeded === 0 ? showWarning : showInformation;
  const fetch = vscode.l10n.t('Fetch Results');
  const open = vscode.l10n.t('Open Batch');
  const results = vscode.l10n.t('Show Results Table');
  const end = describeEnd(run, context);
  const message =
    problem === undefined ? end : vscode.l10n.t('{0} Its results could not be fetched by themselves: {1}', end, toLabel(problem, 300));
  const choice = await show(message, fetched?.isFetched ? results : fetch, open);
  const { connection, batchId = '' } = run.lead;
  if (choice === results) {
    await runCommand('managedAgents.results.show', { runId: run.id });
  } else if (choice === fetch) {
    await (run.parts > 1
      ? runCommand('managedAgents.batch.fetchResults', { runId: run.id })
      : runCommand('managedAgents.batch.fetchResults', { connection, batchId }));
  } else if (choice === open) {
    await runCommand('managedAgents.batch.open', { connection, batchId });
  }
  return choice !== undefined;
}
