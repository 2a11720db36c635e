import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../../../common/clock';
import type { Log } from '../../../common/log';
import { runOf, type SendingHold, SendingHolds, type Submission, toRuns, withFolderLock } from '../../ledger';
import { FailedMerges } from './failedMerges';
import { type MergeDependencies, mergeNeedOf, mergeRuns } from './mergeRuns';

/**
 * Merges generations whenever one of them gets results, one family after the other; another window that is at it already is left alone. What
 * fails is logged, and not tried again with the same: the user can merge by hand, and every generation has its own results still.
 */
export class MergeByItself {
  private last: Promise<void> = Promise.resolve();
  private readonly holds = new SendingHolds({ clock: systemClock, outlastsSilence: false });
  private readonly failed: FailedMerges;

  constructor(
    private readonly deps: MergeDependencies,
    private readonly log: Pick<Log, 'warn'>,
    private readonly lifetime: AbortSignal,
  ) {
    this.failed = new FailedMerges(deps.registry);
  }

  /** Settles when what this submission's results bring about is done. */
  take(submission: Submission): Promise<void> {
    this.last = this.last.then(async () => {
      try {
        await this.merge(submission);
      } catch (error) {
        if (!this.lifetime.aborted) {
          this.log.warn(
            `Could not merge the results around submission ${submission.id}: ${error instanceof Error ? error.message : error}`,
          );
        }
      }
    });
    return this.last;
  }

  private async merge(submission: Submission): Promise<void> {
    const { registry } = this.deps;
    const all = registry.all();
    const run = runOf(all, submission);
    const need = run && mergeNeedOf(toRuns(all), run);
    if (run === undefined || need === undefined || need.isDone || this.lifetime.aborted) {
      return;
    }
    const inputs = await this.failed.inputsOf(need);
    if (inputs === undefined || (await this.failed.has(need, inputs))) {
      return;
    }
    const hold = await this.hold(path.join(registry.folder(need.root.lead.id), 'merging'));
    try {
      if (hold !== undefined) {
        await mergeRuns(this.deps, run, { signal: this.lifetime });
      }
    } catch (error) {
      if (!this.lifetime.aborted) {
        await this.failed.note(need, inputs, error);
      }
      throw error;
    } finally {
      await hold?.release();
    }
  }

  /** Says over all windows that this one merges; undefined while another one does. */
  private async hold(folder: string): Promise<SendingHold | undefined> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await withFolderLock(folder, async () => ((await this.holds.isHeld(folder)) ? undefined : await this.holds.take(folder)));
  }
}
