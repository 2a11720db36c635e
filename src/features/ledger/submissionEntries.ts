import path from 'node:path';
import { Emitter } from '../../common/emitter';
import type { Submission } from './submission';
import type { StoredSubmission } from './submissionFile';
import { endOfDead } from './submissionSteps';

/** A submission as this window last read or wrote it. */
export interface SubmissionEntry extends StoredSubmission {
  /** What the file looked like when it was read, to see whether it must be read again. */
  readonly stamp: string | undefined;
  /** As the others see it: a `sending` that nobody sends any more is `unknown`. */
  readonly view: Submission;
  /** Its start, parsed once. */
  readonly startedMs: number;
  /** Changes that the disk refused. */
  readonly unsaved: Partial<Submission> | undefined;
}

export interface SubmissionEntriesOptions {
  /** Whether a live window sends the submission of a folder. */
  readonly isHeld: (folder: string) => Promise<boolean>;
  /** Called when another window sends: it may end without a word. */
  readonly onSending: () => void;
}

/** What this window knows of the ledger, in memory. */
export class SubmissionEntries {
  private readonly entries = new Map<string, SubmissionEntry>();
  private readonly changes = new Emitter<Submission>();
  private sorted: readonly Submission[] | undefined;

  /** Fires with each submission that came, changed or went. */
  readonly onDidChange = this.changes.event;

  constructor(private readonly options: SubmissionEntriesOptions) {}

  ids(): readonly string[] {
    return [...this.entries.keys()];
  }

  get(id: string): SubmissionEntry | undefined {
    return this.entries.get(id);
  }

  /** Newest first. */
  all(): readonly Submission[] {
    this.sorted ??= [...this.entries.values()].sort((a, b) => b.startedMs - a.startedMs).map(({ view }) => view);
    return this.sorted;
  }

  /** Takes up what stands in a folder, and gives the view of it. */
  async put(
    folder: string,
    { submission, raw }: StoredSubmission,
    stamp: string | undefined,
    unsaved?: Partial<Submission>,
  ): Promise<Submission> {
    const view = await this.view(folder, submission);
    const id = path.basename(folder);
    const before = this.entries.get(id)?.view;
    this.entries.set(id, { submission, raw, view, startedMs: Date.parse(view.startedAt), stamp, unsaved });
    this.sorted = undefined;
    if (before === undefined || JSON.stringify(before) !== JSON.stringify(view)) {
      this.changes.fire(view);
    }
    return view;
  }

  drop(id: string): void {
    const entry = this.entries.get(id);
    if (entry !== undefined) {
      this.entries.delete(id);
      this.sorted = undefined;
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
    // Until it is written down that no batch can come of it, its sender may live on.
    return { ...submission, ...endOfDead(true) };
  }
}
