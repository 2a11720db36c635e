import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Disposable } from 'vscode';
import type { MessageBatch } from '../../client/resources/messageBatches';
import { type Clock, systemClock } from '../../common/clock';
import { describeError } from '../../common/text/describeError';
import { withFolderLock } from './folderLock';
import { LedgerFiles } from './ledgerFiles';
import { holdTimeout, type SendingHold, SendingHolds } from './lockHolder';
import { canForget, folderOf, isOutdated, isUnderWay, type Submission, SubmissionMovedOnError, type UpdateOptions } from './submission';
import { SubmissionEntries } from './submissionEntries';
import { announceWrite, changeBetween, submissionFileName } from './submissionFile';

interface SubmissionRegistryOptions {
  /** Folder with one folder per submission. The first write creates it. */
  readonly folder: string;
  readonly log: { warn(message: string): void };
  readonly clock?: Clock;
}

/**
 * Submissions of this machine on disk, shared by several windows. Each has a folder with `submission.json` (written to a temporary file,
 * fsynced, renamed), `lines.tsv` (line and ID of each request), the raw results and their index. Nothing is read before `load`, `reload` or
 * the first query.
 */
export class SubmissionRegistry implements Disposable {
  private readonly holds: SendingHolds;
  private readonly entries: SubmissionEntries;
  private readonly files: LedgerFiles;
  /** Prepared folders that are in use, with their holds. */
  private readonly inUse = new Map<string, SendingHold>();
  private loading: Promise<void> | undefined;
  /** Settles when no read of the whole folder is running. */
  private lastRead = Promise.resolve();
  /** A read of the whole folder that has not started. */
  private nextRead: Promise<void> | undefined;
  private watch: NodeJS.Timeout | undefined;

  readonly onDidChange;
  readonly root: string;
  private readonly log: SubmissionRegistryOptions['log'];
  private readonly clock: Clock;

  constructor({ folder: root, log, clock = systemClock }: SubmissionRegistryOptions) {
    this.root = root;
    this.log = log;
    this.clock = clock;
    this.holds = new SendingHolds({ clock, outlastsSilence: true });
    this.entries = new SubmissionEntries({ isHeld: folder => this.holds.isHeld(folder), onSending: () => this.checkAgain() });
    this.onDidChange = this.entries.onDidChange;
    this.files = new LedgerFiles({ root, log, clock, holds: this.holds, entries: this.entries });
  }

  /** Settles after the first read of the disk. Until then the lists are empty. `onDidChange` fires for each submission found. */
  load(): Promise<void> {
    this.loading ??= this.reload().then(() => this.prune());
    return this.loading;
  }

  /** Returns all submissions, newest first. */
  all(): readonly Submission[] {
    this.loadInBackground();
    return this.entries.all();
  }

  find(id: string): Submission | undefined {
    this.loadInBackground();
    return this.entries.get(id)?.view;
  }

  findByBatch(connection: string, batchId: string): Submission | undefined {
    this.loadInBackground();
    return this.entries.findByBatch(connection, batchId);
  }

  /** Returns the submissions of a file, newest first. `source` is a URI string. */
  findBySource(source: string): readonly Submission[] {
    return this.all().filter(submission => submission.source === source);
  }

  /** Returns the folder of a submission. The folder exists once the submission was prepared or saved. */
  folder(id: string): string {
    return folderOf(this.root, id);
  }

  /** Creates the folder of a submission that is not saved yet. */
  async prepare(id: string): Promise<string> {
    const folder = this.folder(id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /** Creates a folder as `prepare` does, and marks it as in use for all windows until the submission is started, discarded or released. */
  async prepareInUse(id: string): Promise<string> {
    const folder = await this.prepare(id);
    this.inUse.set(id, await this.holds.take(folder));
    return folder;
  }

  /** Releases a folder of `prepareInUse`. In this window, the release has immediate effect. */
  letGo(id: string): void {
    const hold = this.inUse.get(id);
    this.inUse.delete(id);
    // A remaining hold names its process, and is valid only while that process lives.
    void hold?.release().catch(() => undefined);
  }

  /**
   * Saves a new submission as `sending` and holds it for this window until the hold is released. `findConflict` searches the records of all
   * windows. If it returns a submission, that submission is returned and nothing is saved. Of two conflicting submissions, only one can
   * begin, even if a window stalls. Rejects and saves nothing if a record can't be read, because it may have the same content.
   */
  async begin(
    submission: Submission,
    findConflict: () => Submission | undefined,
  ): Promise<SendingHold | { readonly conflict: Submission }> {
    const folder = await this.prepare(submission.id);
    let isSure = false;
    const begun = await withFolderLock(this.root, async fence => {
      await this.files.readStrictly();
      const conflict = findConflict();
      if (conflict !== undefined) {
        return { conflict };
      }
      await this.inUse.get(submission.id)?.release();
      this.inUse.delete(submission.id);
      const hold = await this.holds.take(folder);
      await this.orRelease(hold, () => this.save({ steps: [{ what: 'written', at: submission.startedAt }], ...submission }));
      isSure = await fence.isHeld();
      return hold;
    });
    // A window that took over the lock may have read the records before this record was written, and may write its own record only now.
    // Both windows check again one after the other, so one of them finds the other's record.
    while ('release' in begun && !isSure) {
      const winner = await this.orRelease(begun, () =>
        withFolderLock(this.root, async fence => {
          await this.files.readStrictly();
          const conflict = findConflict();
          if (conflict !== undefined) {
            await begun.release();
            await this.deleteFolder(submission.id);
          }
          isSure = await fence.isHeld();
          return conflict;
        }),
      );
      if (winner !== undefined) {
        return { conflict: winner };
      }
    }
    return begun;
  }

  /** Runs `action`. Releases the hold if it throws. */
  private async orRelease<T>(hold: SendingHold, action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      await hold.release();
      throw error;
    }
  }

  /**
   * Runs `action` while no window can begin a submission. Earlier submissions are on disk, and later submissions see the changes of
   * `action`. Runs `action` again if this window stalled and another window took over.
   */
  async whileNoneBegins<T>(action: () => Promise<T>): Promise<T> {
    await mkdir(this.root, { recursive: true, mode: 0o700 });
    for (;;) {
      const [result, isSure] = await withFolderLock(this.root, async fence => [await action(), await fence.isHeld()] as const);
      // A window that took over the lock may have started a submission that `action` did not see.
      if (isSure) {
        return result;
      }
    }
  }

  /**
   * Links a submission to its batch. Across all windows, a batch belongs to at most one submission. If another submission has the batch,
   * returns that submission as `conflict`. `requestId` is from the response to the create, if a response arrived.
   */
  async adopt(id: string, batch: MessageBatch, requestId?: string): Promise<Submission | { readonly conflict: Submission }> {
    return await withFolderLock(this.root, async fence => {
      const before = this.entries.get(id);
      await this.files.readAll();
      if (before?.submission.state === 'sending' && this.entries.get(id) === undefined) {
        // The submission's folder was deleted while it was being sent. This window keeps the record in memory.
        await this.entries.put(this.folder(id), before, before.stamp, before.unsaved);
      }
      const conflict = this.all().find(other => other.id !== id && other.batchId === batch.id);
      await fence.check();
      return conflict === undefined
        ? await this.update(id, { state: 'created', batchId: batch.id, batch, problem: undefined, ...(requestId && { requestId }) })
        : { conflict };
    });
  }

  /** Removes a submission. Throws if it has a batch, is being sent, or is part of a run with batches. */
  async forget(id: string): Promise<void> {
    await this.remove([id], submission => canForget(submission, this.all()));
  }

  /**
   * Removes submissions in order, even submissions with batches or results. Throws and removes nothing if one of them may still be running.
   */
  async remove(ids: readonly string[], mayRemove = (submission: Submission) => !isUnderWay(submission)): Promise<void> {
    await withFolderLock(this.root, async fence => {
      await this.files.readAll();
      for (const id of ids) {
        const submission = this.find(id);
        if ((submission !== undefined && !mayRemove(submission)) || (await this.holds.isHeld(this.folder(id)))) {
          throw new Error(`Submission ${id} is being sent, or its group has a batch, so it is kept.`);
        }
      }
      await fence.check();
      for (const id of ids) {
        await this.deleteFolder(id);
      }
    });
  }

  /** Deletes the folder of a submission that was prepared but never saved. */
  async discard(id: string): Promise<void> {
    const folder = this.folder(id);
    this.letGo(id);
    if ((await this.files.read(folder)) === undefined) {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Saves a new submission, or the fields that differ from memory. Prefer `update`, which keeps changes of other windows. */
  async save(submission: Submission): Promise<void> {
    const known = this.entries.get(submission.id)?.view;
    await this.files.write(submission.id, known === undefined ? { ...submission } : changeBetween(known, submission), {}, submission);
  }

  /**
   * Changes some fields of a submission on disk. A field set to `undefined` is removed. Settles with the result once it is on disk. Ignores
   * steps back, such as a known batch becoming unknown, and records steps. Rejects if the disk fails. This window then keeps the change,
   * and the next write includes it.
   */
  update(id: string, change: Partial<Submission>, options?: UpdateOptions): Promise<Submission> {
    return this.files.write(id, change, options);
  }

  /** Changes a submission as `update` does if `onlyIf` accepts the submission on disk. Otherwise resolves to `undefined`. */
  async updateIf(id: string, change: Partial<Submission>, onlyIf: (stored: Submission) => boolean): Promise<Submission | undefined> {
    try {
      return await this.update(id, change, { onlyIf });
    } catch (error) {
      if (error instanceof SubmissionMovedOnError) {
        return undefined;
      }
      throw error;
    }
  }

  /**
   * Reads the changes of other windows. Settles after a read that started after this call, because a read in progress may have missed a
   * write. For unchanged files, reads only the stamp.
   */
  reload(): Promise<void> {
    this.nextRead ??= this.lastRead.then(() => {
      this.nextRead = undefined;
      return this.files.readAll();
    });
    this.lastRead = this.nextRead.catch(() => undefined);
    return this.nextRead;
  }

  dispose(): void {
    clearTimeout(this.watch);
    this.entries.dispose();
  }

  private loadInBackground(): void {
    if (this.loading === undefined) {
      this.load().catch(error => this.log.warn(`Could not read the submissions in ${this.root}: ${describeError(error)}`));
    }
  }

  private async deleteFolder(id: string): Promise<void> {
    const folder = this.folder(id);
    // After a crash here, the folder has no submission and is removed as an orphan.
    await rm(path.join(folder, submissionFileName), { force: true });
    await rm(folder, { recursive: true, force: true });
    this.entries.drop(id);
    await announceWrite(this.root);
  }

  private async prune(): Promise<void> {
    const all = this.all();
    for (const { id } of all.filter(submission => isOutdated(submission, all, this.clock.now()))) {
      await this.forget(id).catch(error => this.log.warn(`Could not remove the old submission ${id}: ${describeError(error)}`));
    }
  }

  /** Checks again later whether another window is still sending, because it may end without a notice. */
  private checkAgain(): void {
    clearTimeout(this.watch);
    this.watch = setTimeout(() => {
      this.reload().catch(error => this.log.warn(`Could not read the submissions in ${this.root}: ${describeError(error)}`));
    }, holdTimeout + 1_000);
    this.watch.unref();
  }
}
