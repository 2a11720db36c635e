import * as vscode from 'vscode';
import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { CommandRegistry } from '../../../common/commands';
import { combine } from '../../../common/disposables';
import type { Log } from '../../../common/log';
import type { BatchReference, RunReference } from '../../../contributions';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { Connections } from '../../connection';
import { runOf, type SubmissionRegistry } from '../../ledger';

export interface ResultsCommandsDependencies {
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
  /** Lets the user choose a batch whose abilities include a word; throws a `CancelledError` when none is chosen. */
  readonly pickBatch: (ability: string, question: string) => Promise<BatchReference>;
  readonly onBatchChanged?: (connection: string, batch: MessageBatch) => void;
}

/** The commands around results: fetch and open them, open the source, write the failed requests to a new file. */
export function registerResultsCommands(deps: ResultsCommandsDependencies): vscode.Disposable {
  const { commands, registry } = deps;
  const lifetime = new AbortController();
  const fetching = { ...deps, lifetime: lifetime.signal, busy: new Set<string>() };
  const fetchGroup = async (target: RunReference | undefined) =>
    (await import('../groups/fetchGroupResults')).fetchGroupResults(fetching, target);
  return combine(
    { dispose: () => lifetime.abort() },
    commands.register('managedAgents.batch.fetchResults', async target => {
      const reference = toReference(target) ?? (await deps.pickBatch('hasResults', vscode.l10n.t('Fetch the results of which batch?')));
      await registry.load();
      const ours = registry.findByBatch(reference.connection, reference.batchId);
      const run = ours && runOf(registry.all(), ours);
      if (run !== undefined && run.parts > 1) {
        await fetchGroup({ runId: run.id });
        return;
      }
      const { fetchBatchResults } = await import('./fetchBatchResults');
      await fetchBatchResults(fetching, reference);
    }),
    commands.register('managedAgents.group.fetchResults', fetchGroup),
    commands.register('managedAgents.batch.openResults', async target => (await import('./openFetched')).openResults(registry, target)),
    commands.register('managedAgents.batch.openSource', async target => (await import('./openFetched')).openSource(registry, target)),
    commands.register('managedAgents.batch.writeFailedRequests', async target => {
      const [{ chooseFailed }, { writeFailedRequests }] = await Promise.all([
        import('./openFetched'),
        import('../retrying/writeFailedRequests'),
      ]);
      await writeFailedRequests({ ...deps, lifetime: lifetime.signal }, await chooseFailed(registry, target));
    }),
  );
}

/** Menus hand over tree items, which carry more than a reference. */
function toReference(target: BatchReference | undefined): BatchReference | undefined {
  return target === undefined ? undefined : { connection: target.connection, batchId: target.batchId };
}
