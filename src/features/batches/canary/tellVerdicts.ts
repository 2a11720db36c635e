import type * as vscode from 'vscode';
import { isCancellation } from '../../../common/cancellation';
import { runOf, type Submission, toRuns } from '../../ledger';
import type { RunDependencies } from '../runCommands';

/** Tells the verdict on a canary when its results arrive. */
export function tellVerdicts(deps: RunDependencies): vscode.Disposable {
  return deps.registry.onDidChange(submission => {
    const { results, groupResults, selection } = submission;
    if (selection?.purpose === 'canary' && (results ?? groupResults) !== undefined) {
      tell(deps, submission).catch(error => {
        if (!isCancellation(error)) {
          deps.log.error(`The verdict on submission ${submission.id} could not be told`, error);
        }
      });
    }
  });
}

async function tell(deps: RunDependencies, submission: Submission): Promise<void> {
  const all = deps.registry.all();
  const run = runOf(all, submission);
  const { isOpenCanary, tellVerdict } = await import('./canaryVerdict');
  if (run !== undefined && isOpenCanary(toRuns(all), run)) {
    await tellVerdict(deps, run);
  }
}
