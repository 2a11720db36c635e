import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Disposable, Event } from 'vscode';
import type { MessageBatch } from '../../../client/schemas/messageBatches';
import { type Clock, systemClock } from '../../../common/clock';
import { describeError } from '../../../common/describeError';
import { Emitter } from '../../../common/emitter';
import { canForget, isOutdated } from './forgetting';
import { endOfDead, type SubmissionStep, withoutSteppingBack } from './steps';
import { isSameService, type Submission } from './submission';
import {
  advance,
  applyChange,
  changeBetween,
  keepDamagedFile,
  readSubmissionFile,
  type StoredSubmission,
  submissionFileName,
  tellOfChange,
  writeSubmissionFile,
} from './submissionFile';
import { holdTimeout, type SendingHold, SendingHolds, withFolderLock } from './submissionLock';

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
  /** Links a submission to its batch; over all windows no two submissions can have the same one: then the other comes back. */
  adopt(id: string, batch: MessageBatch): Promise<Submission | { readonly conflict: Submission }>;
  /** Takes a submission off this machine that has no batch, is not being sent, and is no part of a group that has batches; else throws. */
  forget(id: string): Promise<void>;
  /** Reads again what other windows may have written; a look at each file's date when nothing changed. */
  reload(): Promise<void>;
  /** The folder that all submissions are in. */
  readonly root: string;
  /** The folder of one submission; it exists once the submission was prepared or saved. */
  folder(id: string): string;
  /** Makes the folder of a submission that is not written down yet. */
  prepare(id: string): Promise<string>;
  /** Removes the folder of a submission that was prepared and never saved. */
  discard(id: string): Promise<void>;
  /**
   * Writes down a new submission as `sending` and says to all windows that this one sends it, until the hold is released.
   * When a submission for which `conflicts` is true is there already, nothing is written and that one comes back; over all
   * windows no two that conflict can begin at once.
   */
  begin(submission: Submission, conflicts: (other: Submission) => boolean): Promise<SendingHold | { readonly conflict: Submission }>;
  /** True for the one caller, over all windows and reloads, that may notify that this submission's batch has ended. */
  claimEndNotification(id: string): Promise<boolean>;
}

export interface UpdateOptions {
  /** What happened besides, before the change. */
  readonly steps?: readonly SubmissionStep[];
  /** Looks at the submission as it stands on disk; on false nothing is written and the update rejects with `SubmissionMovedOnError`. */
  readonly onlyIf?: (stored: Submission) => boolean;
}

/** Another window has changed a submission, so that a change of it no longer fits. */
export class SubmissionMovedOnError extends Error {
  override readonly name = 'SubmissionMovedOnError';
}

export interface SubmissionRegistryOptions {
  /** Folder that holds one folder per submission; made when first written to. */
  readonly folder: string;
  readonly log: { warn(message: string): void };
  readonly clock?: Clock;
}

/** The registry over one folder. Nothing is read before `load`, `reload` or the first question. */
export function createSubmissionRegistry(options: SubmissionRegistryOptions): SubmissionRegistry {
  return new FolderRegistry(options.folder, options.log, options.clock ?? systemClock);
}

interface Entry extends StoredSubmission {
  /** What the file looked like when it was read, to see whether it must be read again. */
  readonly stamp: string | undefined;
  /** As the others see it: a `sending` that nobody sends any more is `unknown`. */
  readonly view: Submission;
  /** Its start, parsed once. */
  readonly startedMs: number;
  /** Changes that the disk refused. */
  readonly unsaved: Partial<Submission> | undefined;
}

const readers = 8;
/** A folder without a submission is a submit that ended before it was written down; younger ones may still be at it. */
const orphanAge = 24 * 60 * 60 * 1000;
const folderName = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

class FolderRegistry implements SubmissionRegistry {
  private readonly entries = new Map<string, Entry>();
  private readonly holds: SendingHolds;
  private readonly told = new Set<string>();
  private readonly claimed = new Set<string>();
  private readonly writes = new Map<string, Promise<void>>();
  private readonly changes = new Emitter<Submission>();
  private loading: Promise<void> | undefined;
  private reloading: Promise<void> | undefined;
  private reloadingNext: Promise<void> | undefined;
  private watch: NodeJS.Timeout | undefined;
  private sorted: readonly Submission[] | undefined;

  readonly onDidChange = this.changes.event;

  constructor(
    readonly root: string,
    private readonly log: { warn(message: string): void },
    private readonly clock: Clock,
  ) {
    this.holds = new SendingHolds(clock);
  }

  load(): Promise<void> {
    this.loading ??= this.reload().then(() => this.prune());
    return this.loading;
  }

  all(): readonly Submission[] {
    this.loadInBackground();
    this.sorted ??= [...this.entries.values()].sort((a, b) => b.startedMs - a.startedMs).map(({ view }) => view);
    return this.sorted;
  }

  find(id: string): Submission | undefined {
    this.loadInBackground();
    return this.entries.get(id)?.view;
  }

  findByBatch(connection: string, batchId: string): Submission | undefined {
    return this.all().find(submission => submission.batchId === batchId && submission.connection === connection);
  }

  findBySource(source: string): readonly Submission[] {
    return this.all().filter(submission => submission.source === source);
  }

  folder(id: string): string {
    if (!folderName.test(id)) {
      throw new Error(`Not the id of a submission: ${id}`);
    }
    return path.join(this.root, id);
  }

  async prepare(id: string): Promise<string> {
    const folder = this.folder(id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  async begin(submission: Submission, conflicts: (other: Submission) => boolean): Promise<SendingHold | { readonly conflict: Submission }> {
    const folder = await this.prepare(submission.id);
    return await withFolderLock(this.root, async () => {
      await this.readAll();
      const conflict = this.all().find(other => other.id !== submission.id && conflicts(other));
      if (conflict !== undefined) {
        return { conflict };
      }
      const hold = await this.holds.take(folder);
      try {
        await this.save({ steps: [{ what: 'written', at: submission.startedAt }], ...submission });
      } catch (error) {
        await hold.release();
        throw error;
      }
      return hold;
    });
  }

  async adopt(id: string, batch: MessageBatch): Promise<Submission | { readonly conflict: Submission }> {
    return await withFolderLock(this.root, async () => {
      await this.readAll();
      const own = this.find(id);
      const conflict = this.all().find(
        other => other.id !== id && other.batchId === batch.id && own !== undefined && isSameService(other, own),
      );
      return conflict === undefined
        ? await this.update(id, { state: 'created', batchId: batch.id, batch, problem: undefined })
        : { conflict };
    });
  }

  async forget(id: string): Promise<void> {
    const folder = this.folder(id);
    await withFolderLock(this.root, async () => {
      const stored = await this.read(folder);
      await this.readAll();
      if (stored !== undefined && (!canForget(stored.submission, this.all()) || (await this.holds.isHeld(folder)))) {
        throw new Error(`Submission ${id} or its group has a batch, or is being sent, and stays on this machine.`);
      }
      // What a crash leaves after this is a folder without a submission, which goes by itself.
      await rm(path.join(folder, submissionFileName), { force: true });
      await rm(folder, { recursive: true, force: true });
      this.drop(id);
    });
  }

  async discard(id: string): Promise<void> {
    const folder = this.folder(id);
    if ((await this.read(folder)) === undefined) {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async save(submission: Submission): Promise<void> {
    const known = this.entries.get(submission.id)?.view;
    await this.enqueue(submission.id, known === undefined ? { ...submission } : changeBetween(known, submission), submission);
  }

  update(id: string, change: Partial<Submission>, options?: UpdateOptions): Promise<Submission> {
    return this.enqueue(id, change, this.entries.get(id)?.submission, options);
  }

  reload(): Promise<void> {
    const { reloading } = this;
    if (reloading === undefined) {
      this.reloading = this.readAll().finally(() => {
        this.reloading = undefined;
      });
      return this.reloading;
    }
    // The read under way may have passed what was written since.
    this.reloadingNext ??= reloading
      .catch(() => undefined)
      .then(() => {
        this.reloadingNext = undefined;
        return this.reload();
      });
    return this.reloadingNext;
  }

  async claimEndNotification(id: string): Promise<boolean> {
    if (this.claimed.has(id)) {
      return false;
    }
    this.claimed.add(id);
    try {
      await (await open(path.join(this.folder(id), 'end-notified'), 'wx', 0o600)).close();
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
        return false;
      }
      // A disk that takes no marker must not keep the news from the user: once per window then.
      this.log.warn(`Could not note that the end of submission ${id} was notified: ${describeError(error)}`);
      return true;
    }
  }

  dispose(): void {
    clearTimeout(this.watch);
    this.changes.dispose();
  }

  private loadInBackground(): void {
    if (this.loading === undefined) {
      this.load().catch(error => this.log.warn(`Could not read the submissions in ${this.root}: ${describeError(error)}`));
    }
  }

  /** Writes of one submission follow each other. `fallback` is what changes when the disk holds none yet. */
  private enqueue(id: string, change: Partial<Submission>, fallback: Submission | undefined, options?: UpdateOptions): Promise<Submission> {
    const before = this.writes.get(id) ?? Promise.resolve();
    const write = before.then(() => this.write(id, change, fallback, options));
    const settled = write.then(
      () => undefined,
      () => undefined,
    );
    this.writes.set(id, settled);
    void settled.then(() => {
      if (this.writes.get(id) === settled) {
        this.writes.delete(id);
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
    const folder = this.folder(id);
    const unsaved = this.entries.get(id)?.unsaved;
    const at = new Date(this.clock.now()).toISOString();
    const next = (stored: StoredSubmission | undefined): StoredSubmission => {
      const from = stored ?? (fallback === undefined ? undefined : { submission: fallback, raw: { ...fallback } });
      if (from === undefined) {
        throw new Error(`No submission ${id} is written down in ${this.root}`);
      }
      return advance(unsaved === undefined ? from : advance(from, unsaved, at), change, at, steps);
    };
    try {
      await this.prepare(id);
      return await withFolderLock(folder, async () => {
        const read = await this.read(folder);
        if (onlyIf !== undefined && read !== undefined && !onlyIf(read.submission)) {
          throw new SubmissionMovedOnError(`Submission ${id} was changed by another window.`);
        }
        const isDamaged = read?.damage !== undefined;
        const stored = next(isDamaged ? (this.entries.get(id) ?? read) : read);
        if (isDamaged) {
          await keepDamagedFile(folder);
        }
        await writeSubmissionFile(folder, stored.raw);
        await tellOfChange(this.root);
        return await this.put(folder, stored, await stampOf(folder));
      });
    } catch (error) {
      const known = this.entries.get(id);
      if (known !== undefined && !(error instanceof SubmissionMovedOnError)) {
        const refused = { ...unsaved, ...withoutSteppingBack(known.submission, change) };
        await this.put(folder, advance(known, change, at, steps), known.stamp, refused);
      }
      throw error;
    }
  }

  private async readAll(): Promise<void> {
    let names: string[];
    try {
      names = (await readdir(this.root, { withFileTypes: true })).filter(found => found.isDirectory()).map(found => found.name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        throw error;
      }
      names = [];
    }
    const present = new Set(names);
    for (const id of this.entries.keys()) {
      if (!present.has(id) && !this.writes.has(id)) {
        this.drop(id);
      }
    }
    const queue = names.filter(name => folderName.test(name));
    const next = async (): Promise<void> => {
      for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
        await this.refresh(name);
      }
    };
    await Promise.all(Array.from({ length: readers }, next));
  }

  private async refresh(id: string): Promise<void> {
    const folder = path.join(this.root, id);
    // A write that is under way tells what it wrote.
    if (this.writes.has(id)) {
      await this.writes.get(id);
      return;
    }
    const stamp = await stampOf(folder);
    const known = this.entries.get(id);
    if (stamp === undefined) {
      await this.removeOrphan(folder);
      return;
    }
    if (known?.stamp === stamp) {
      if (known.submission.state === 'sending') {
        await this.put(folder, known, stamp, known.unsaved);
        await this.settleDead(folder, known.submission);
      }
      return;
    }
    const stored = await this.read(folder);
    // What this window has read before is more than what is left of it.
    const isLess = stored?.damage !== undefined && known !== undefined;
    if (stored !== undefined && !isLess && !this.writes.has(id)) {
      const unsaved = known?.unsaved;
      const shown = unsaved === undefined ? stored : applyChange(stored, unsaved);
      await this.put(folder, shown, stored.damage === undefined ? stamp : undefined, unsaved);
      await this.settleDead(folder, shown.submission);
    }
  }

  /** Writes down what became of a submission whose window ended while it sent: its sender, should it live on, sees that it moved on. */
  private async settleDead(folder: string, { id, state, handedOut }: Submission): Promise<void> {
    if (state !== 'sending' || (await this.holds.isHeld(folder))) {
      return;
    }
    try {
      const onlyIf = (stored: Submission) => stored.state === 'sending' && stored.handedOut === handedOut;
      await this.update(id, endOfDead(handedOut), { onlyIf });
    } catch (error) {
      if (!(error instanceof SubmissionMovedOnError)) {
        this.log.warn(`Could not write down that the window of submission ${id} has ended: ${describeError(error)}`);
      }
    }
  }

  /** Takes what failed or was given up long ago off this machine. */
  private async prune(): Promise<void> {
    const all = this.all();
    for (const { id } of all.filter(submission => isOutdated(submission, all, this.clock.now()))) {
      await this.forget(id).catch(error => this.log.warn(`Could not remove the old submission ${id}: ${describeError(error)}`));
    }
  }

  private drop(id: string): void {
    const entry = this.entries.get(id);
    if (entry !== undefined) {
      this.entries.delete(id);
      this.sorted = undefined;
      this.changes.fire(entry.view);
    }
  }

  /** Reads a submission; one that cannot be read whole is told once. */
  private async read(folder: string): Promise<StoredSubmission | undefined> {
    const stored = await readSubmissionFile(folder);
    if (stored?.damage !== undefined && !this.told.has(folder)) {
      this.told.add(folder);
      this.log.warn(`Not all of ${path.join(folder, submissionFileName)} can be read: ${stored.damage}`);
    }
    return stored;
  }

  private async put(
    folder: string,
    { submission, raw }: StoredSubmission,
    stamp: string | undefined,
    unsaved?: Partial<Submission>,
  ): Promise<Submission> {
    const view = await this.view(folder, submission);
    const before = this.entries.get(submission.id)?.view;
    this.entries.set(submission.id, { submission, raw, view, startedMs: Date.parse(view.startedAt), stamp, unsaved });
    this.sorted = undefined;
    if (before === undefined || JSON.stringify(before) !== JSON.stringify(view)) {
      this.changes.fire(view);
    }
    return view;
  }

  private async view(folder: string, submission: Submission): Promise<Submission> {
    if (submission.state !== 'sending') {
      return submission;
    }
    if (await this.holds.isHeld(folder)) {
      this.lookAgain();
      return submission;
    }
    // Until it is written down that no batch can come of it, its sender may live on.
    return { ...submission, ...endOfDead(true) };
  }

  /** What another window sends is looked at again, in case that window ends without a word. */
  private lookAgain(): void {
    clearTimeout(this.watch);
    this.watch = setTimeout(() => {
      this.reload().catch(error => this.log.warn(`Could not read the submissions in ${this.root}: ${describeError(error)}`));
    }, holdTimeout + 1_000);
    this.watch.unref();
  }

  private async removeOrphan(folder: string): Promise<void> {
    try {
      const { mtimeMs } = await stat(folder);
      if (this.clock.now() - mtimeMs > orphanAge && !(await this.holds.isHeld(folder))) {
        await rm(folder, { recursive: true, force: true });
      }
    } catch (error) {
      this.log.warn(`Could not remove what an unfinished submit left in ${folder}: ${describeError(error)}`);
    }
  }
}

/** Changes with every replacement of the file; undefined when there is none. */
async function stampOf(folder: string): Promise<string | undefined> {
  try {
    const { ino, mtimeMs, size } = await stat(path.join(folder, submissionFileName));
    return `${ino}:${mtimeMs}:${size}`;
  } catch {
    return undefined;
  }
}
