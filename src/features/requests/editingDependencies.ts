import type * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import type { Log } from '../../common/log';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import type { Connections } from '../connection';
import type { DocumentAnswers } from './answers/documentAnswers';
import type { failingScope } from './answers/failingScope';
import type { RuleSettings } from './checking/ruleSettings';
import type { RequestDocuments } from './documents/requestDocuments';

/** What the parts that help to write request files are given. */
export interface EditingDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly jobs: JsonlJobs;
  readonly documents: RequestDocuments;
  readonly answers: Pick<DocumentAnswers, 'shownAt'>;
  readonly rules: RuleSettings;
  /** As `failingScope` says. */
  failing(file: vscode.Uri): ReturnType<typeof failingScope>;
}
