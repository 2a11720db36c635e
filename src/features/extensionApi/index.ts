import * as vscode from 'vscode';
import type { KnownBatch, ManagedAgentsApi } from '../../api';
import { combine } from '../../common/disposables';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import type { Connections } from '../connection';
import type { SubmissionRegistry } from '../ledger';
import type { RuleSettings } from '../requests';
import { toKnownBatch } from './knownBatch';

export interface ExtensionApiDependencies {
  readonly context: vscode.ExtensionContext;
  readonly connections: Connections;
  readonly rules: RuleSettings;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
}

/** Creates the API for other extensions as defined in `api.ts`. The first call loads the implementation. */
export function createExtensionApi(deps: ExtensionApiDependencies): vscode.Disposable & { readonly api: ManagedAgentsApi } {
  const { registry } = deps;
  const lifetime = new AbortController();
  const ended = new vscode.EventEmitter<KnownBatch>();
  const running = new Set<string>();
  const load = async () => (await import('./apiCalls')).createApiCalls(deps, lifetime.signal);
  const subscriptions = combine(
    ended,
    { dispose: () => lifetime.abort() },
    registry.onDidChange(submission => {
      const batch = toKnownBatch(submission);
      if (batch !== undefined && batch.state !== 'ended') {
        running.add(submission.id);
      } else if (running.delete(submission.id) && batch !== undefined) {
        ended.fire(batch);
      }
    }),
  );
  return {
    api: Object.freeze({
      version: 1,
      checkFile: async (file, token) => (await load()).checkFile(file, token),
      listBatches: async () => (await load()).listBatches(),
      openBatch: async batch => (await load()).openBatch(batch),
      openSession: async session => (await load()).openSession(session),
      onDidEndBatch: ended.event,
    } satisfies ManagedAgentsApi),
    dispose: () => subscriptions.dispose(),
  };
}
