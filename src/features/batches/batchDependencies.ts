import type * as vscode from 'vscode';
import type { MessageBatch } from '../../client/resources/messageBatches';
import type { Log } from '../../common/log';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import type { Connections } from '../connection';
import type { SubmissionRegistry } from '../ledger';
import type { RuleSettings } from '../requests';

/** Dependencies of the code that creates batches or acts on them. */
export interface BatchDependencies {
  readonly extension: vscode.Uri;
  readonly log: Log;
  readonly connections: Connections;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
  readonly rules: Pick<RuleSettings, 'options' | 'models'>;
  /** Called with the latest state of a batch that was created, linked or retrieved. */
  readonly onBatchChanged?: (connection: string, batch: MessageBatch) => void;
  /** Returns the IDs of the batches of a connection that are listed in this window. */
  readonly listedBatches?: (connection: string) => readonly string[];
  /** Aborted when the window closes. */
  readonly lifetime: AbortSignal;
}
