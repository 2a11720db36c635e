import type * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { Lazy } from '../../../common/lazy';
import type { RunDependencies } from '../runCommands';

/** Merges generations as their results come. What does it is loaded with the first. */
export function mergeSoon(deps: RunDependencies): vscode.Disposable {
  const after = new Lazy(async () => (await import('./watchResults')).watchResults(deps));
  return combine(
    after,
    deps.registry.onDidChange(submission => {
      const { results, groupResults, follows, merged } = submission;
      if ((results ?? groupResults) !== undefined && (follows ?? merged) !== undefined) {
        after.get().then(
          watch => watch.take(submission),
          error => deps.log.error('Results are not looked after', error),
        );
      }
    }),
  );
}
