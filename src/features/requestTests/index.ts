import type * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import type { Log } from '../../common/log';
import type { JsonlJobs } from '../../jsonl/jobs';
import type { SubmissionRegistry } from '../batches/ledger/submissionRegistry';

export interface RequestTestsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
}

/** The requests of files that have results, as tests in the Test Explorer. */
export function registerRequestTests({ commands }: RequestTestsDependencies): vscode.Disposable {
  return combine(
    commands.register('managedAgents.expectations.create', () => {
      throw new Error('This is being built.');
    }),
  );
}
