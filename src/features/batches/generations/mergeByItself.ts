import { open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../../common/log';
import { isAlive } from '../ledger/heartbeats';
import { runOf, toRuns } from '../ledger/runs';
import type { Submission } from '../ledger/submission';
import { type MergeDependencies, mergeNeedOf, mergeRuns } from './mergeRuns';

const lockName = 'merging.lock';

/**
 * Merges generations whenever one of them gets results, one family after the other; another window that is at it already is left alone. What
 * fails is logged: the user can merge by hand, and every generation has its own results still.
 */
export class MergeByItself {
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly deps: MergeDependencies,
    private readonly log: Pick<Log, 'warn'>,
    private readonly lifetime: AbortSignal,
  ) {}

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
    const lock = path.join(registry.folder(need.root.lead.id), lockName);
    if (!(await take(lock))) {
      return;
    }
    try {
      await mergeRuns(this.deps, run, { signal: this.lifetime });
    } finally {
      await rm(lock, { force: true });
    }
  }
}

/** False while another living process has it. */
async function take(file: string): Promise<boolean> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const handle = await open(file, 'wx', 0o600);
      await handle.writeFile(String(process.pid)).finally(() => handle.close());
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
      const holder = Number(await readFile(file, 'utf8').catch(() => ''));
      if (holder !== process.pid && holder !== 0 && isAlive(holder)) {
        return false;
      }
      await rm(file, { force: true });
    }
  }
  return false;
}
