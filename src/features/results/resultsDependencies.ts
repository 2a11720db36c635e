import type * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import type { Log } from '../../common/log';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import type { Connections } from '../connection';
import type { SubmissionRegistry } from '../ledger';
import type { RuleSettings } from '../requests';

export interface ResultsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
  readonly rules: RuleSettings;
}
