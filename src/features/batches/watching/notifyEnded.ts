import * as vscode from 'vscode';
import { showInformation, showWarning } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import { readSetting } from '../../../common/settings';
import { join } from '../../../common/text/presentation';
import { toLabel } from '../../../shared/text';
import type { Run } from '../../ledger';
import type { BatchContext } from '../batchPresentation';
import { describeMoved } from '../fetching/resultsMessages';
import { describeEnd } from '../runPresentation';
import { countsOf } from '../runRow';
import type { FetchedEnd } from './fetchEnded';
import { lacksGoodResults } from './runSummary';

/**
 * Notifies the user of the end of a run, with its outcome and a button to its results, unless the setting turns that off. Returns whether
 * the user chose a button.
 */
export async function notifyEnded(run: Run, fetched: FetchedEnd | undefined, context: BatchContext): Promise<boolean> {
  const problem = fetched?.isFetched === false ? fetched.problem : undefined;
  const troubled = lacksGoodResults(run);
  const wanted = readSetting('managedAgents.batches.notify');
  if (wanted === 'never' || (wanted === 'problems' && !troubled && problem === undefined)) {
    return false;
  }
  const show = troubled && countsOf(run).succeeded === 0 ? showWarning : showInformation;
  const { t } = vscode.l10n;
  const end = describeEnd(run, context);
  const moved = describeMoved(fetched?.isFetched === true ? fetched.movedTo : undefined, context);
  const message =
    problem === undefined ? join(' ', end, moved) : t('{0} Its results could not be fetched: {1}', end, toLabel(problem, 300));
  const button = fetched?.isFetched ? t('Show Results') : t('Fetch Results');
  const isChosen = (await show(message, button)) !== undefined;
  if (isChosen && fetched?.isFetched) {
    await runCommand('managedAgents.results.show', { runId: run.id, withRetries: true });
  } else if (isChosen) {
    await runCommand('managedAgents.batch.fetchResults', { runId: run.id });
  }
  return isChosen;
}
