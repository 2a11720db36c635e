import * as vscode from 'vscode';
import { showInformation, showWarning } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import { readSetting } from '../../../common/settings';
import { join } from '../../../common/text/presentation';
import { toLabel } from '../../../shared/text';
import type { Run } from '../../ledger';
import type { BatchContext } from '../batchPresentation';
import { describeMoved } from '../fetching/resultsMessages';
import { whenNoSheet } from '../sheet/whenNoSheet';
import { describeEnd } from './describeEnd';
import type { FetchedEnd } from './fetchEnded';
import { countsOf, needsReview } from './runSummary';

/**
 * Tells that all batches of a run have ended, with what became of its requests and the way to its results, which may have been
 * fetched already. The setting may silence it, and an open sheet puts it off. Answers whether the user went on from there.
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
  const { t } = vscode.l10n;
  const end = describeEnd(run, context);
  const moved = describeMoved(fetched?.isFetched === true ? fetched.movedTo : undefined, context);
  const message =
    problem === undefined ? join(' ', end, moved) : t('{0} Its results could not be fetched: {1}', end, toLabel(problem, 300));
  const button = fetched?.isFetched ? t('Show Results') : t('Fetch Results');
  await whenNoSheet();
  const isChosen = (await show(message, button)) !== undefined;
  if (isChosen && fetched?.isFetched) {
    await runCommand('managedAgents.results.show', { runId: run.id, withRetries: true });
  } else if (isChosen) {
    await runCommand('managedAgents.batch.fetchResults', { runId: run.id });
  }
  return isChosen;
}
