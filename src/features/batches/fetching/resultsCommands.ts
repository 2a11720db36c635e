import * as vscode from 'vscode';
import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { CommandRegistry } from '../../../common/commands';
import { combine } from '../../../common/disposables';
import type { Log } from '../../../common/log';
import type { BatchReference, BatchRowWord, RunReference } from '../../../contributions';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { Connections } from '../../connection';
import type { SubmissionRegistry } from '../../ledger';

export interface ResultsCommandsDependencies {
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
  /** Lets the user select a run or batch that has this word. Throws a `CancelledError` if none is selected. */
  readonly pickBatch: (ability: BatchRowWord) => Promise<BatchReference & Partial<RunReference>>;
  readonly onBatchChanged?: (connection: string, batch: MessageBatch) => void;
}

/** Registers the commands for results: fetch them, open them, open the source. */
export function registerResultsCommands(deps: ResultsCommandsDependencies): vscode.Disposable {
  const { commands, registry } = deps;
  const lifetime = new AbortController();
  const fetching = { ...deps, lifetime: lifetime.signal, busy: new Set<string>() };
  return combine(
    { dispose: () => lifetime.abort() },
    commands.register('managedAgents.batch.fetchResults', async target => {
      const chosen = target ?? (await deps.pickBatch('hasResults'));
      await registry.load();
      const run = await (await import('../runTarget')).findRun(registry, chosen, vscode.l10n.t);
      await (await import('./fetchCommand')).fetchCommand(fetching, run);
    }),
    commands.register('managedAgents.batch.openResults', async target => (await import('./openFetched')).openResults(registry, target)),
    commands.register('managedAgents.batch.openSource', async target => (await import('./openFetched')).openSource(registry, target)),
  );
}
