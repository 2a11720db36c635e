import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../common/clock';
import { undefinedIfMissing } from '../../common/files/undefinedIfMissing';
import { describeError } from '../../common/text/describeError';
import { type Fence, LockLostError, withFolderLock } from './folderLock';
import type { SendingHolds } from './lockHolder';
import { folderName, folderOf, type Submission, SubmissionMovedOnError, type UpdateOptions } from './submission';
import type { SubmissionEntries } from './submissionEntries';
import {
  advance,
  announceWrite,
  applyChange,
  keepDamagedFile,
  readSubmissionFile,
  type StoredSubmission,
  stampOfSubmission,
  submissionFileName,
  writeSubmissionFile,
} from './submissionFile';
import { endOfDead, withoutSteppingBack } from './submissionSteps';

const readers = 8;
/** Age in milliseconds at which a folder without a submission is deleted. A younger folder may belong to a submit in progress. */
const orphanAge = 24 * 60 * 60 * 1000;
/** Names of files that an interrupted submit can leave: a copy of the editor's text, locks, and temporary files. */
const leftover = /^(?:source\.jsonl|(?:submission|sending)\.lock(?:\.\d+)?|.*\.tmp)$/;

interface LedgerFilesOptions {
  readonly root: string;
  readonly log: { warn(message: string): void };
  readonly clock: Pick<Clock, 'now'>;
  readonly holds: Pick<SendingHolds, 'isHeld' | 'hasEnded' | 'remove'>;
  readonly entries: SubmissionEntries;
}

/**
 * The records of the ledger on disk. Reads them into the entries, stores the outcome of submissions whose window ended, and removes
 * orphans. A write applies a change to the record on disk.
 */
export class LedgerFiles {
  /** Pending writes of this window, keyed by submission ID. */
  private readonly pending = new Map<string, Promise<void>>();
  /** Folders whose damaged record was logged. */
  private readonly reported = new Set<string>();
  /** Errors of records that could not be read, keyed by submission ID. */
  private readonly unreadable = new Map<string, unknown>();

  constructor(private readonly options: LedgerFilesOptions) {}

  /** Reads all submissions. Rejects if a record can't be read. */
  async readStrictly(): Promise<void> {
    await this.readAll();
    const [first] = this.unreadable;
    if (first !== undefined) {
      const [id, error] = first;
      const problem = `The record of a submission can't be read (${path.join(this.options.root, id, submissionFileName)}: ${describeError(error)})`;
      throw new Error(`${problem}, so these requests may already have been sent. Nothing was sent.`);
    }
  }

  /** Reads all submissions. Unreadable records stay as last read. */
  async readAll(): Promise<void> {
    const { entries, root } = this.options;
    const found = (await readdir(root, { withFileTypes: true }).catch(undefinedIfMissing)) ?? [];
    const names = found.filter(one => one.isDirectory()).map(({ name }) => name);
    const present = new Set(names);
    for (const id of entries.ids()) {
      if (!present.has(id) && !this.pending.has(id)) {
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

  /** Reads one submission. If the disk fails, keeps the last version and logs the error once. */
  private async refreshOrKeep(id: string): Promise<void> {
    try {
      await this.refresh(id);
      this.unreadable.delete(id);
    } catch (error) {
      if (!this.unreadable.has(id)) {
        this.options.log.warn(`Could not read ${path.join(this.options.root, id, submissionFileName)}: ${describeError(error)}`);
      }
      this.unreadable.set(id, error);
    }
  }

  private async refresh(id: string): Promise<void> {
    const { entries, root } = this.options;
    const folder = path.join(root, id);
    // A pending write updates the entry itself, but not with later writes of other windows.
    while (this.pending.has(id)) {
      await this.pending.get(id);
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
    const isLessComplete = stored?.damage !== undefined && known !== undefined;
    if (this.pending.has(id)) {
      // A write started meanwhile, so this read may be outdated.
      await this.refresh(id);
    } else if (stored !== undefined && !isLessComplete) {
      const unsaved = known?.unsaved;
      const shown = unsaved === undefined ? stored : applyChange(stored, unsaved);
      await entries.put(folder, shown, stored.damage === undefined ? stamp : undefined, unsaved);
      await this.settleDead(folder, shown.submission);
    }
  }

  /** Stores the outcome of a submission whose window ended or stopped its heartbeats while sending. Throws errors of the disk. */
  private async settleDead(folder: string, { id, state, handedOut }: Submission): Promise<void> {
    if (state !== 'sending' || (await this.options.holds.isHeld(folder))) {
      return;
    }
    try {
      const hasEnded = await this.options.holds.hasEnded(folder);
      if (!hasEnded) {
        // A live window notices that its hold was removed.
        await this.options.holds.remove(folder);
      }
      const onlyIf = (stored: Submission) => stored.state === 'sending' && stored.handedOut === handedOut;
      await this.write(id, endOfDead(handedOut !== false || !hasEnded), { onlyIf });
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
      const age = this.options.clock.now() - (await stat(folder)).mtimeMs;
      if (age > orphanAge && !(await this.options.holds.isHeld(folder))) {
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
      this.options.log.warn(`Could not delete leftovers of an unfinished submission in ${folder}: ${describeError(error)}`);
    }
  }

  /** Reads a submission. Logs a damaged record once. */
  async read(folder: string): Promise<StoredSubmission | undefined> {
    const stored = await readSubmissionFile(folder);
    if (stored?.damage !== undefined && !this.reported.has(folder)) {
      this.reported.add(folder);
      this.options.log.warn(`Could not read all of ${path.join(folder, submissionFileName)}: ${stored.damage}`);
    }
    return stored;
  }

  /** Queues a write after the pending writes of the same submission. `fallback` is the base of the change if the disk has no record. */
  write(
    id: string,
    change: Partial<Submission>,
    options?: UpdateOptions,
    fallback = this.options.entries.get(id)?.submission,
  ): Promise<Submission> {
    const before = this.pending.get(id) ?? Promise.resolve();
    const write = before.then(() => this.writeNow(id, change, fallback, options));
    const settled = write.then(
      () => undefined,
      () => undefined,
    );
    this.pending.set(id, settled);
    void settled.then(() => {
      if (this.pending.get(id) === settled) {
        this.pending.delete(id);
      }
    });
    return write;
  }

  private async writeNow(
    id: string,
    change: Partial<Submission>,
    fallback: Submission | undefined,
    { steps, onlyIf }: UpdateOptions = {},
  ): Promise<Submission> {
    const { root, clock, entries } = this.options;
    const folder = folderOf(root, id);
    const unsaved = entries.get(id)?.unsaved;
    const at = new Date(clock.now()).toISOString();
    const next = (stored: StoredSubmission | undefined): StoredSubmission => {
      const from = stored ?? (fallback === undefined ? undefined : { submission: fallback, raw: { ...fallback } });
      if (from === undefined) {
        throw new Error(`No submission ${id} is stored in ${root}`);
      }
      return advance(unsaved === undefined ? from : advance(from, unsaved, at), change, at, steps);
    };
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return await withLock(folder, async fence => {
        const read = await this.read(folder);
        if (onlyIf !== undefined && read !== undefined && !onlyIf(read.submission)) {
          throw new SubmissionMovedOnError(`Submission ${id} was changed by another window.`);
        }
        const isDamaged = read?.damage !== undefined;
        const stored = next(isDamaged ? (entries.get(id) ?? read) : read);
        if (isDamaged) {
          await keepDamagedFile(folder);
        }
        const stamp = await writeSubmissionFile(folder, stored.raw, fence);
        await announceWrite(root);
        this.unreadable.delete(id);
        return await entries.put(folder, stored, stamp);
      });
    } catch (error) {
      const known = entries.get(id);
      // The condition of a conditional change can't be checked without the record.
      if (known !== undefined && onlyIf === undefined) {
        const refused = { ...unsaved, ...withoutSteppingBack(known.submission, change) };
        await entries.put(folder, advance(known, change, at, steps), known.stamp, refused);
      }
      throw error;
    }
  }
}

/** Runs `action` under a folder's lock. Repeats it if another process took over the lock. */
async function withLock<T>(folder: string, action: (fence: Fence) => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await withFolderLock(folder, action);
    } catch (error) {
      if (!(error instanceof LockLostError)) {
        throw error;
      }
    }
  }
}
