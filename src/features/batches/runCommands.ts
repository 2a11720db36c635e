import type * as vscode from 'vscode';
import { combine } from '../../common/disposables';
import { Lazy } from '../../common/lazy';
import { hashSoon } from './incremental/hashSoon';
import type { RunDependencies } from './submitting/createBatchDependencies';

/** Registers the commands on runs. Their code is loaded on demand. */
export function registerRunCommands(deps: RunDependencies): vscode.Disposable {
  const { commands } = deps;
  const steps = new Lazy(async () => new (await import('./reconciling/stepsDocuments')).StepsDocuments(deps.registry));
  return combine(
    steps,
    hashSoon(deps),
    commands.register('managedAgents.submission.resolve', async target =>
      (await import('./reconciling/stepsCommands')).findOut(deps, await steps.get(), target),
    ),
    commands.register('managedAgents.submission.forget', async target =>
      (await import('./reconciling/stepsCommands')).forget(deps.registry, target),
    ),
    commands.register('managedAgents.batch.adopt', async target => (await import('./reconciling/adoptBatch')).adoptBatch(deps, target)),
    commands.register('managedAgents.group.resume', async target => (await import('./groups/resumeGroup')).resume(deps, target)),
  );
}
