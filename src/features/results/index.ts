import type * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import type { Log } from '../../common/log';
import type { JsonlJobs } from '../../jsonl/jobs';
import type { SubmissionRegistry } from '../batches/ledger/submissionRegistry';
import type { Connections } from '../connection/connection';

export interface ResultsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
}

/** What one does with fetched results: look at them in a table, export them, compare two runs. Loaded when it is first used. */
export function registerResults(deps: ResultsDependencies): vscode.Disposable {
  const { commands } = deps;
  return combine(
    commands.register('managedAgents.results.show', async (target, customId) =>
      (await import('./panel/showResults')).showResults(deps, target, customId),
    ),
    commands.register('managedAgents.results.export', async target =>
      (await import('./exporting/exportCommand')).exportResults(deps, target),
    ),
    commands.register('managedAgents.results.compare', async target =>
      (await import('./comparing/compareCommand')).compareResults(deps, target),
    ),
  );
}
