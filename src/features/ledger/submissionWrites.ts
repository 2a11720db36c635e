import { mkdir } from 'node:fs/promises';
import type { Clock } from '../../common/clock';
import { type Fence, LockLostError, withFolderLock } from './folderLock';
import type { LedgerReader } from './ledgerReader';
import { type Submission, SubmissionMovedOnError, type UpdateOptions } from './submission';
import type { SubmissionEntries } from './submissionEntries';
import { advance, announceWrite, keepDamagedFile, type StoredSubmission, writeSubmissionFile } from './submissionFile';
import { withoutSteppingBack } from './submissionSteps';

export interface SubmissionWritesOptions {
  readonly root: string;
  /** Returns the folder of a submission. Throws if `id` is not a submission ID. */
  readonly folder: (id: string) => string;
  readonly clock: Clock;
  readonly entries: SubmissionEntries;
  readonly reader: () => LedgerReader;
}

/** Writes of this window. Each applies a change to the record on disk. */
export class SubmissionWrites {
  /** Pending writes, keyed by submission ID. */
  readonly pending = new Map<string, Promise<void>>();

  constructor(private readonly options: SubmissionWritesOptions) {}

  /** Queues a write behind others of the same submission. `fallback` is the base of the change if the disk has no record. */
  enqueue(id: string, change: Partial<Submission>, fallback: Submission | undefined, options?: UpdateOptions): Promise<Submission> {
    const before = this.pending.get(id) ?? Promise.resolve();
    const write = before.then(() => this.write(id, change, fallback, options));
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

  private async write(
    id: string,
    change: Partial<Submission>,
    fallback: Submission | undefined,
    { steps, onlyIf }: UpdateOptions = {},
  ): Promise<Submission> {
    const { root, clock, entries, reader } = this.options;
    const folder = this.options.folder(id);
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
        const read = await reader().read(folder);
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
        reader().written(id);
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
