import type { Disposable, Event } from 'vscode';
import type { MessageBatch } from '../../client/schemas/messageBatches';
import type { SendingHold } from './sendingHold';
import type { Submission } from './submission';
import type { SubmissionStep } from './submissionSteps';

/**
 * Submissions of this machine on disk, shared by several windows. Each has a folder with `submission.json` (written to a temporary file,
 * fsynced, renamed), `lines.tsv` (line and ID of each request), the raw results and their index.
 */
export interface SubmissionRegistry extends Disposable {
  /** Settles after the first read of the disk. Until then the lists are empty. `onDidChange` fires for each submission that is found. */
  load(): Promise<void>;
  /** Newest first. */
  all(): readonly Submission[];
  find(id: string): Submission | undefined;
  findByBatch(connection: string, batchId: string): Submission | undefined;
  /** Returns the submissions of a file, newest first. `source` is a URI string. */
  findBySource(source: string): readonly Submission[];
  readonly onDidChange: Event<Submission>;
  /**
   * Saves a new submission, or the differences from the one in memory. Settles when it is on disk. Prefer `update` for changes: it keeps
   * what was written since the caller read.
   */
  save(submission: Submission): Promise<void>;
  /**
   * Changes some fields of a submission on disk; `undefined` removes one. Settles with the result when it is on disk. Leaves out steps
   * back, such as a known batch becoming unknown, and records steps. If the disk refuses, this rejects, this window keeps the change, and
   * the next write includes it.
   */
  update(id: string, change: Partial<Submission>, options?: UpdateOptions): Promise<Submission>;
  /**
   * Links a submission to its batch. A batch belongs to at most one submission over all windows: another one is returned as `conflict`.
   * `requestId` is that of the create's response, if it came.
   */
  adopt(id: string, batch: MessageBatch, requestId?: string): Promise<Submission | { readonly conflict: Submission }>;
  /** Removes a submission. Throws if it has a batch, is being sent, or is part of a run with batches. */
  forget(id: string): Promise<void>;
  /** Removes submissions in order, whatever they hold. Throws and removes nothing if one of them may still be running. */
  remove(ids: readonly string[]): Promise<void>;
  /** Reads what other windows wrote. Unchanged files are only checked by their stamp. */
  reload(): Promise<void>;
  /**
   * Reads the submissions that other windows changed since the last read; everything if these are unknown. Skips this window's own writes.
   */
  catchUp(): Promise<void>;
  /** Folder of all submissions. */
  readonly root: string;
  /** Returns the folder of a submission. It exists once the submission was prepared or saved. */
  folder(id: string): string;
  /** Creates the folder of a submission that is not saved yet. */
  prepare(id: string): Promise<string>;
  /** As `prepare`, and marks the folder as in use for all windows until the submission is begun, discarded or let go. */
  prepareInUse(id: string): Promise<string>;
  /** Ends the use of a folder, immediately for this window. */
  letGo(id: string): void;
  /** Deletes the folder of a submission that was prepared and never saved. */
  discard(id: string): Promise<void>;
  /**
   * Saves a new submission as `sending` and holds it for this window until the hold is released. `findConflict` searches the records of all
   * windows: if it returns a submission, nothing is saved and that one is returned. No two conflicting submissions can begin at once, even
   * if a window stalls. Rejects and saves nothing if a record can't be read, because it may have the same content.
   */
  begin(submission: Submission, findConflict: () => Submission | undefined): Promise<SendingHold | { readonly conflict: Submission }>;
  /**
   * Runs `action` while no window begins a submission: earlier ones are on disk, later ones see what it wrote. Runs it again if this window
   * stalled and another one went on.
   */
  whileNoneBegins<T>(action: () => Promise<T>): Promise<T>;
  /** Returns true once, over all windows and reloads: to the caller that may notify of the end of this submission's batch. */
  claimEndNotification(id: string): Promise<boolean>;
}

export interface UpdateOptions {
  /** Steps before the change. */
  readonly steps?: readonly SubmissionStep[];
  /** Checks the submission on disk. If it returns false, nothing is written and the update rejects with `SubmissionMovedOnError`. */
  readonly onlyIf?: (stored: Submission) => boolean;
}
