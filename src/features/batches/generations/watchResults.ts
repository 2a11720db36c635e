import type * as vscode from 'vscode';
import type { Submission } from '../../ledger';
import type { RunDependencies } from '../runCommands';
import { MergeByItself } from './mergeByItself';
import { mergeDependenciesOf } from './mergeDependenciesOf';

/** Merges generations as their results come. */
export interface ResultsWatch extends vscode.Disposable {
  take(submission: Submission): void;
}

export function watchResults(deps: RunDependencies): ResultsWatch {
  const merging = new MergeByItself(mergeDependenciesOf(deps), deps.log, deps.lifetime);
  return { take: submission => void merging.take(submission), dispose: () => undefined };
}
