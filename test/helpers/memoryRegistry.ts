import { Emitter } from '../../src/common/emitter';
import type { Submission } from '../../src/features/ledger/submission';
import type { SubmissionRegistry } from '../../src/features/ledger/submissionRegistry';

/** The part of a `SubmissionRegistry` that views use, in memory. */
export class MemoryRegistry implements Partial<SubmissionRegistry> {
  readonly saved = new Map<string, Submission>();
  private readonly changed = new Emitter<Submission>();
  readonly onDidChange = this.changed.event;

  constructor(submissions: readonly Submission[] = []) {
    for (const submission of submissions) {
      this.saved.set(submission.id, submission);
    }
  }

  all(): readonly Submission[] {
    return [...this.saved.values()];
  }

  findByBatch(connection: string, batchId: string): Submission | undefined {
    return this.all().find(one => one.connection === connection && one.batchId === batchId);
  }

  async update(id: string, change: Partial<Submission>): Promise<Submission> {
    const old = this.saved.get(id);
    if (old === undefined) {
      throw new Error(`No submission ${id}`);
    }
    const changed = { ...old, ...change };
    this.saved.set(id, changed);
    this.changed.fire(changed);
    return changed;
  }

  updateIf(id: string, change: Partial<Submission>): Promise<Submission> {
    return this.update(id, change);
  }

  async reload(): Promise<void> {}
}
