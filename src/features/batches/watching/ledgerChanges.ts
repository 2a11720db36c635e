import { type FSWatcher, watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { Clock } from '../../../common/clock';
import { changedName } from '../../ledger';

/** Minimum interval between reads for file events, in milliseconds. */
const debounceMs = 250;
/** Interval to read the folder without file events, in milliseconds: some disks report none. */
const slowReload = 30_000;

interface LedgerChangesOptions {
  readonly root: string;
  readonly reload: () => Promise<void>;
  /** Called when a file in the folder was created or deleted. `name` is `undefined` if the system doesn't report it. */
  readonly onFile: (name: string | undefined) => void;
  readonly warn: (message: string) => void;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Keeps this window's view of the ledger up to date: immediately after file events, otherwise by polling. */
export class LedgerChanges {
  private watcher: FSWatcher | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readAt = Number.NEGATIVE_INFINITY;
  private isDisposed = false;

  constructor(private readonly options: LedgerChangesOptions) {}

  /** Starts watching the folder. Also settles if the system can't watch it. Then only `catchUp` reads the folder. */
  async start(): Promise<void> {
    const { root, onFile } = this.options;
    try {
      await mkdir(root, { recursive: true, mode: 0o700 });
      if (this.isDisposed) {
        return;
      }
      this.watcher = watch(root, { persistent: false }, (event, name) => {
        if (name === null || name === changedName) {
          this.schedule();
        }
        if (event === 'rename') {
          onFile(name ?? undefined);
        }
      });
      this.watcher.on('error', () => this.stopWatching());
    } catch {
      this.options.warn('The system reports no changes in the folder of submissions, so it is read every 30 seconds.');
    }
  }

  /** Reads the folder if a change was reported, if a read is due, or if nothing is watched. */
  async catchUp(): Promise<void> {
    const { clock, reload } = this.options;
    const isReported = this.timer !== undefined;
    clearTimeout(this.timer);
    this.timer = undefined;
    if (isReported || this.watcher === undefined || clock.monotonic() - this.readAt >= slowReload) {
      this.readAt = clock.monotonic();
      await reload();
    }
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    this.stopWatching();
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => {
      this.catchUp().catch(() => this.options.warn('The folder of submissions could not be read.'));
    }, debounceMs).unref();
  }

  private stopWatching(): void {
    this.watcher?.close();
    this.watcher = undefined;
  }
}
