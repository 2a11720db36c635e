import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../common/clock';
import { undefinedIfMissing } from '../../common/files/undefinedIfMissing';
import { describeError } from '../../common/text/describeError';
import { withFolderLock } from './folderLock';
import type { SendingHolds } from './sendingHold';
import { folderName, type Submission, SubmissionMovedOnError, type UpdateOptions } from './submission';
import type { SubmissionEntries } from './submissionEntries';
import { applyChange, readSubmissionFile, type StoredSubmission, stampOfSubmission, submissionFileName } from './submissionFile';
import { endOfDead } from './submissionSteps';

const readers = 8;
/** Age in milliseconds at which a folder without a submission is deleted. A younger one may belong to a submit in progress. */
const orphanAge = 24 * 60 * 60 * 1000;
/** Names of files that an interrupted submit can leave: a copy of the editor's text, locks, and temporary files. */
const leftover = /^(?:source\.jsonl|(?:submission|sending)\.lock(?:\.\d+)?|.*\.tmp)$/;

export interface LedgerReaderDependencies {
  readonly root: string;
  readonly log: { warn(message: string): void };
  readonly clock: Pick<Clock, 'now'>;
  readonly holds: Pick<SendingHolds, 'isHeld' | 'hasEnded' | 'remove'>;
  readonly entries: Pick<SubmissionEntries, 'ids' | 'drop' | 'get' | 'put'>;
  /** Pending writes of this window, keyed by submission ID. */
  readonly writes: ReadonlyMap<string, Promise<void>>;
  readonly update: (id: string, change: Partial<Submission>, options: UpdateOptions) => Promise<Submission>;
}

/** Reads the ledger's folder into the entries, settles submissions of dead windows, and removes orphans. */
export class LedgerReader {
  /** Folders whose damaged record was logged. */
  private readonly reported = new Set<string>();
  /** Errors of records that could not be read, keyed by submission ID. */
  private readonly unreadable = new Map<string, unknown>();

  constructor(private readonly deps: LedgerReaderDependencies) {}

  /** Records that a submission was written, and is therefore readable. */
  written(id: string): void {
    this.unreadable.delete(id);
  }

  /** Reads all submissions. Rejects if a record can't be read. */
  async readStrictly(): Promise<void> {
    await this.readAll();
    const [first] = this.unreadable;
    if (first !== undefined) {
      const [id, error] = first;
      const words = `The record of a submission can't be read (${path.join(this.deps.root, id, submissionFileName)}: ${describeError(error)})`;
      throw new Error(`${words}, so it is not known whether this was sent already. Nothing was sent.`);
    }
  }

  /** Reads all submissions. Unreadable records stay as last read. */
  async readAll(): Promise<void> {
    const { entries, root, writes } = this.deps;
    const found = (await readdir(root, { withFileTypes: true }).catch(undefinedIfMissing)) ?? [];
    const names = found.filter(one => one.isDirectory()).map(({ name }) => name);
    const present = new Set(names);
    for (const id of entries.ids()) {
      if (!present.has(id) && !writes.has(id)) {
        entries.drop(id);
      }
    }
    const queue = names.filter(name => folderName.test(name));
    for (const id of this.unreadable.keys()) {
      if (!present.has(id)) {
        this.unreadable.delete(id);
      }
    }
    const next = async (): Promise<void> => {
      for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
        await this.refreshOrKeep(name);
      }
    };
    await Promise.all(Array.from({ length: readers }, next));
  }

  /** Reads one submission. If the disk fails, keeps the last version and logs it once. */
  private async refreshOrKeep(id: string): Promise<void> {
    try {
      await this.refresh(id);
      this.unreadable.delete(id);
    } catch (error) {
      if (!this.unreadable.has(id)) {
        this.deps.log.warn(`Could not read ${path.join(this.deps.root, id, submissionFileName)}: ${describeError(error)}`);
      }
      this.unreadable.set(id, error);
    }
  }

  private async refresh(id: string): Promise<void> {
    const { entries, root, writes } = this.deps;
    const folder = path.join(root, id);
    // A pending write updates the entry itself, but not with later writes of other windows.
    while (writes.has(id)) {
      await writes.get(id);
    }
    const stamp = await stampOfSubmission(folder);
    const known = entries.get(id);
    if (stamp === undefined) {
      await this.clean(folder);
      return;
    }
    if (known?.stamp === stamp) {
      if (known.submission.state === 'sending') {
        await entries.put(folder, known, stamp, known.unsaved);
        await this.settleDead(folder, known.submission);
      }
      return;
    }
    const stored = await this.read(folder);
    // The version in memory is more complete than the damaged file.
    const isLess = stored?.damage !== undefined && known !== undefined;
    if (writes.has(id)) {
      // A write started meanwhile. If it fails, this read is outdated.
      await this.refresh(id);
    } else if (stored !== undefined && !isLess) {
      const unsaved = known?.unsaved;
      const shown = unsaved === undefined ? stored : applyChange(stored, unsaved);
      await entries.put(folder, shown, stored.damage === undefined ? stamp : undefined, unsaved);
      await this.settleDead(folder, shown.submission);
    }
  }

  /** Stores the outcome of a submission whose window ended or stopped its heartbeats while sending. Throws errors of the disk. */
  private async settleDead(folder: string, { id, state, handedOut }: Submission): Promise<void> {
    if (state !== 'sending' || (await this.deps.holds.isHeld(folder))) {
      return;
    }
    try {
      const hasEnded = await this.deps.holds.hasEnded(folder);
      if (!hasEnded) {
        // A live window notices that its hold was removed.
        await this.deps.holds.remove(folder);
      }
      const onlyIf = (stored: Submission) => stored.state === 'sending' && stored.handedOut === handedOut;
      await this.deps.update(id, endOfDead(handedOut !== false || !hasEnded), { onlyIf });
    } catch (error) {
      if (!(error instanceof SubmissionMovedOnError)) {
        throw error;
      }
      // The record changed after it was read.
      await this.refresh(id);
    }
  }

  private async clean(folder: string): Promise<void> {
    try {
      const age = this.deps.clock.now() - (await stat(folder)).mtimeMs;
      if (age > orphanAge && !(await this.deps.holds.isHeld(folder))) {
        await withFolderLock(folder, async fence => {
          const hasRecord = (await stampOfSubmission(folder)) !== undefined;
          // Paid or planned work is never deleted.
          if (!hasRecord && (await readdir(folder)).every(name => leftover.test(name))) {
            await fence.check();
            await rm(folder, { recursive: true, force: true });
          }
        });
      }
    } catch (error) {
      this.deps.log.warn(`Could not remove what an unfinished submit left in ${folder}: ${describeError(error)}`);
    }
  }

  /** Reads a submission. Logs a damaged one once. */
  async read(folder: string): Promise<StoredSubmission | undefined> {
    const stored = await readSubmissionFile(folder);
    if (stored?.damage !== undefined && !this.reported.has(folder)) {
      this.reported.add(folder);
      this.deps.log.warn(`Not all of ${path.join(folder, submissionFileName)} can be read: ${stored.damage}`);
    }
    return stored;
  }
}
