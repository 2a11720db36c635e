import type * as vscode from 'vscode';
import { isCancellation } from '../../../common/cancellation';
import { runOf, type Submission, toRuns } from '../../ledger';
import type { RunDependencies } from '../runCommands';
import { MergeByItself } from './mergeByItself';
import { mergeDependenciesOf } from './mergeDependenciesOf';

/** Looks after results that have come: merges generations, and tells the verdict of a canary. */
export interface ResultsWatch extends vscode.Disposable {
  take(submission: Submission): void;
}

export function watchResults(deps: RunDependencies): ResultsWatch {
  const merging = new MergeByItself(mergeDependenciesOf(deps), deps.log, deps.lifetime);
  return {
    take: submission => {
      void merging.take(submission);
      void tell(deps, submission).catch(error => {
        if (!isCancellation(error)) {
          deps.log.error(`The verdict on submission ${submission.id} could not be told`, error);
        }
      });
    },
    dispose: () => undefined,
  };
}

async function tell(deps: RunDependencies, submission: Submission): Promise<void> {
  if (submission.selection?.purpose !== 'canary') {
    return;
  }
  const all = deps.registry.all();
  const run = runOf(all, submission);
  const { isOpenCanary, tellVerdict } = await import('../canary/canaryVerdict');
  if (run !== undefined && isOpenCanary(toRuns(all), run)) {
    await tellVerdict(deps, run);
  }
}
