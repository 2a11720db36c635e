import path from 'node:path';
import { Emitter } from '../../common/emitter';
import type { Submission } from './submission';
import type { StoredSubmission } from './submissionFile';
import { endOfDead } from './submissionSteps';

/** A submission as this window last read or wrote it. */
interface SubmissionEntry extends StoredSubmission {
  /** Stamp of the file when it was read, to detect changes. */
  readonly stamp: string | undefined;
  /** The submission for display: `sending` becomes `unknown` if no live window sends it. */
  readonly view: Submission;
  readonly startedMs: number;
  /** Changes that could not be written to the disk. */
  readonly unsaved: Partial<Submission> | undefined;
}

interface SubmissionEntriesOptions {
  readonly isHeld: (folder: string) => Promise<boolean>;
  /** Called when another window is sending, because it may end without a notice. */
  readonly onSending: () => void;
}

/** The ledger in memory. */
export class SubmissionEntries {
  private readonly entries = new Map<string, SubmissionEntry>();
  private readonly changes = new Emitter<Submission>();
  /** All submissions, newest first. `undefined` after a change. */
  private listed: readonly Submission[] | undefined;
  /** IDs of the submissions that have or had a batch, keyed by batch ID. */
  private readonly byBatch = new Map<string, Set<string>>();

  /** Fires with each submission that was added, changed or removed. */
  readonly onDidChange = this.changes.event;

  constructor(private readonly options: SubmissionEntriesOptions) {}

  ids(): readonly string[] {
    return [...this.entries.keys()];
  }

  get(id: string): SubmissionEntry | undefined {
    return this.entries.get(id);
  }

  /** Returns all submissions, newest first. The list is the same object while nothing changes. */
  all(): readonly Submission[] {
    this.listed ??= [...this.entries.values()].sort((a, b) => b.startedMs - a.startedMs).map(({ view }) => view);
    return this.listed;
  }

  /** Returns the newest submission of a connection with that batch. */
  findByBatch(connection: string, batchId: string): Submission | undefined {
    const found = [...(this.byBatch.get(batchId) ?? [])].flatMap(id => this.entries.get(id) ?? []);
    return found
      .filter(({ view }) => view.connection === connection && view.batchId === batchId)
      .sort((a, b) => b.startedMs - a.startedMs)[0]?.view;
  }

  /** Adds or replaces the submission of a folder. Returns its view. */
  async put(
    folder: string,
    { submission, raw }: StoredSubmission,
    stamp: string | undefined,
    unsaved?: Partial<Submission>,
  ): Promise<Submission> {
    const view = await this.view(folder, submission);
    const id = path.basename(folder);
    const known = this.entries.get(id);
    const entry = { submission, raw, view, startedMs: Date.parse(view.startedAt), stamp, unsaved };
    this.entries.set(id, entry);
    this.listed = undefined;
    if (view.batchId !== undefined) {
      this.byBatch.set(view.batchId, (this.byBatch.get(view.batchId) ?? new Set()).add(id));
    }
    if (known === undefined || JSON.stringify(known.view) !== JSON.stringify(view)) {
      this.changes.fire(view);
    }
    return view;
  }

  drop(id: string): void {
    const entry = this.entries.get(id);
    if (entry !== undefined) {
      this.entries.delete(id);
      this.listed = undefined;
      this.changes.fire(entry.view);
    }
  }

  dispose(): void {
    this.changes.dispose();
  }

  private async view(folder: string, submission: Submission): Promise<Submission> {
    if (submission.state !== 'sending') {
      return submission;
    }
    if (await this.options.isHeld(folder)) {
      this.options.onSending();
      return submission;
    }
    // The sender may be alive until the record says that there is no batch.
    return { ...submission, ...endOfDead(true) };
  }
}
