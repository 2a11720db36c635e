import type * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import type { CreateBatchDependencies } from './createBatch';

/**
 * The commands that create a batch from a file and that settle a submission whose end is not known. What they do is loaded
 * when one is used.
 */
export function registerSubmitCommands(
  deps: Omit<CreateBatchDependencies, 'lifetime' | 'busy'> & { readonly commands: CommandRegistry },
): vscode.Disposable {
  const lifetime = new AbortController();
  const creating: CreateBatchDependencies = { ...deps, lifetime: lifetime.signal, busy: new Set() };
  return combine(
    { dispose: () => lifetime.abort() },
    deps.commands.register('managedAgents.batch.create', async given => (await import('./createBatch')).createBatchFrom(creating, given)),
    deps.commands.register('managedAgents.file.estimate', async given => (await import('./estimateFile')).estimateFile(creating, given)),
    deps.commands.register('managedAgents.submission.resolve', async target =>
      (await import('./reconcileCommands')).resolveSubmission(creating, target),
    ),
  );
}
