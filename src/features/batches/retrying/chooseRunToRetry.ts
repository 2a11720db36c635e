import * as vscode from 'vscode';
import type { BatchReference, RunReference } from '../../../contributions';
import { finalResultsOf, generationsOf, type SubmissionRegistry, toRuns } from '../../ledger';
import { chooseRun } from '../chooseRun';

/** Returns the run whose requests are sent again, and the file that its generations began with. */
export async function chooseRunToRetry(
  registry: Pick<SubmissionRegistry, 'all' | 'reload' | 'findByBatch'>,
  target: RunReference | BatchReference | vscode.Uri | undefined,
): Promise<{ readonly file: vscode.Uri; readonly runId: string }> {
  const runs = () => toRuns(registry.all());
  const run = await chooseRun(registry, target, vscode.l10n.t('Select a batch'), one => finalResultsOf(runs(), one) !== undefined);
  const [root = run] = generationsOf(runs(), run);
  return { file: vscode.Uri.parse(root.source), runId: run.id };
}
