import type { Disposable, Event } from 'vscode';
import type { MessageBatch } from '../../client/schemas/messageBatches';
import type { SendingHold } from './sendingHold';
import type { Submission } from './submission';
import type { SubmissionStep } from './submissionSteps';

/**
 * What was submitted from this machine, kept on disk: one folder per submission under the global storage folder, with
 * `submission.json` (written to a temporary file, fsynced, renamed), `lines.tsv` (line and id of every request), the raw
 * results and their index. Several windows share it.
 */
export interface SubmissionRegistry extends Disposable {
  /** Settles when the disk was read once. Until then the lists below are empty; `onDidChange` fires for each one found. */
  load(): Promise<void>;
  /** Newest first. */
  all(): readonly Submission[];
  find(id: string): Submission | undefined;
  findByBatch(connection: string, batchId: string): Submission | undefined;
  /** Submissions made from a file, newest first. `source` is a URI string. */
  findBySource(source: string): readonly Submission[];
  readonly onDidChange: Event<Submission>;
  /**
   * Writes a new submission, or what differs from the one held here; settles when it is on disk. Prefer `update` for
   * changes: it cannot take back what was written since the caller looked.
   */
  save(submission: Submission): Promise<void>;
  /**
   * Changes some fields (`undefined` removes one) of the submission as it stands on disk, and settles with it when it is
   * there. What would lead back (a batch that is known becoming unknown) is left out; what happened is noted as steps. When
   * the disk refuses, this rejects, and this window goes on with the change, which the next write takes along.
   */
  update(id: string, change: Partial<Submission>, options?: UpdateOptions): Promise<Submission>;
  /**
   * Links a submission to its batch. No two submissions of all windows can have the same batch: the other one is returned as `conflict`.
   * `requestId` is that of the response to its create, if it came.
   */
  adopt(id: string, batch: MessageBatch, requestId?: string): Promise<Submission | { readonly conflict: Submission }>;
  /** Takes a submission off this machine that has no batch, is not being sent, and is no part of a group that has batches; else throws. */
  forget(id: string): Promise<void>;
  /**
   * Takes submissions off this machine, whatever they hold, one after the other in their order. Throws, with nothing removed, when one
   * of them is under way or nobody knows what became of it.
   */
  remove(ids: readonly string[]): Promise<void>;
  /** Reads again what other windows may have written; a look at each file's date when nothing changed. */
  reload(): Promise<void>;
  /** Reads what other windows told of since this was last read; all there is where that cannot be known. What this window wrote is none of it. */
  catchUp(): Promise<void>;
  /** The folder that all submissions are in. */
  readonly root: string;
  /** The folder of one submission; it exists once the submission was prepared or saved. */
  folder(id: string): string;
  /** Makes the folder of a submission that is not written down yet. */
  prepare(id: string): Promise<string>;
  /** The same, and says to all windows that the folder is in use, however long, until the submission is begun, discarded or let go. */
  prepareInUse(id: string): Promise<string>;
  /** The folder is not in use any more; at once for this window. */
  letGo(id: string): void;
  /** Removes the folder of a submission that was prepared and never saved. */
  discard(id: string): Promise<void>;
  /**
   * Writes down a new submission as `sending` and says to all windows that this one sends it, until the hold is released.
   * `findConflict` looks through what all windows have written down; when it finds a submission, nothing is written and that one
   * comes back. Over all windows no two that conflict can begin at once, also when one of them stands still in the middle. Rejects,
   * with nothing written, when some record cannot be read: it can be of the same content.
   */
  begin(submission: Submission, findConflict: () => Submission | undefined): Promise<SendingHold | { readonly conflict: Submission }>;
  /**
   * Does something while no window begins a submission: what was begun before is on disk, what is begun afterwards sees what this wrote.
   * Does it again where this window stood still meanwhile and another one went on.
   */
  whileNoneBegins<T>(action: () => Promise<T>): Promise<T>;
  /** True for the one caller, over all windows and reloads, that may notify that this submission's batch has ended. */
  claimEndNotification(id: string): Promise<boolean>;
}

export interface UpdateOptions {
  /** What happened besides, before the change. */
  readonly steps?: readonly SubmissionStep[];
  /** Looks at the submission as it stands on disk; on false nothing is written and the update rejects with `SubmissionMovedOnError`. */
  readonly onlyIf?: (stored: Submission) => boolean;
}
