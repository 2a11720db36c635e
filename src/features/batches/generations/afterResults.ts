import type * as vscode from 'vscode';
import type { Submission } from '../ledger/submission';
import type { RunDependencies } from '../runCommands';
import { MergeByItself } from './mergeByItself';
import { mergeDependenciesOf } from './mergePlace';

/** Looks after results that have come: merges generations, and tells the verdict of a canary. */
export interface ResultsWatch extends vscode.Disposable {
  take(submission: Submission): void;
}

export function watchResults(deps: RunDependencies): ResultsWatch {
  const merging = new MergeByItself(mergeDependenciesOf(deps), deps.log, deps.lifetime);
  return {
    take: submission => {
      void merging.take(submission);
    },
    dispose: () => undefined,
  };
}
