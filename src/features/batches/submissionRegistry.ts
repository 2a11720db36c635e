import type { Event } from 'vscode';
import type { Submission } from './submission';

/**
 * What was submitted from this machine, kept on disk: one folder per submission under the global storage folder, with
 * `submission.json` (written to a temporary file, fsynced, renamed), `lines.tsv` (line and id of every request), the raw
 * results and their index. Several windows share it.
 */
export interface SubmissionRegistry {
  /** Newest first. */
  all(): readonly Submission[];
  find(id: string): Submission | undefined;
  findByBatch(connection: string, batchId: string): Submission | undefined;
  /** Submissions made from a file, newest first. `source` is a URI string. */
  findBySource(source: string): readonly Submission[];
  readonly onDidChange: Event<Submission>;
  /** Writes a new or changed submission; settles when it is on disk. */
  save(submission: Submission): Promise<void>;
  /** Reads again what other windows may have written. */
  reload(): Promise<void>;
  /** The folder of one submission. */
  folder(id: string): string;
  /** True for the one caller, over all windows and reloads, that may notify that this submission's batch has ended. */
  claimEndNotification(id: string): Promise<boolean>;
}
