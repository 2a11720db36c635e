import { type FSWatcher, watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { Clock } from '../../../common/clock';
import { changedName } from '../../ledger';

/** How long one change waits for others that come with it, in milliseconds. */
const gatherMs = 100;
/** Without a word from the folder it is read again after this long, in milliseconds: some disks tell nothing. */
const slowReload = 30_000;

export interface LedgerNewsOptions {
  readonly root: string;
  /** Reads the ledger's folder again. */
  readonly reload: () => Promise<void>;
  /** Reads what was told of. */
  readonly readTold: () => Promise<void>;
  /** Called when a file in the folder appeared or went; the name is undefined when the system does not say which. */
  readonly onFile: (name: string | undefined) => void;
  readonly warn: (message: string) => void;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Keeps one window's view of the ledger like the disk: at once when the system tells of a change, otherwise now and then. */
export class LedgerNews {
  private watcher: FSWatcher | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readAt = Number.NEGATIVE_INFINITY;
  private isDisposed = false;

  constructor(private readonly options: LedgerNewsOptions) {}

  /** Begins to listen. Settles also when the system refuses that; then only `catchUp` looks. */
  async start(): Promise<void> {
    const { root, onFile } = this.options;
    try {
      await mkdir(root, { recursive: true, mode: 0o700 });
      if (this.isDisposed) {
        return;
      }
      this.watcher = watch(root, { persistent: false }, (event, name) => {
        if (name === null || name === changedName) {
          this.gather();
        }
        if (event === 'rename') {
          onFile(name ?? undefined);
        }
      });
      this.watcher.on('error', () => this.stopWatching());
    } catch {
      this.options.warn('The system does not tell of changes in the folder of submissions; it is looked at every 30 seconds.');
    }
  }

  /** Reads what was told of, and the whole folder when that is due: never told of a change, or long ago. */
  async catchUp(): Promise<void> {
    const { clock, reload, readTold } = this.options;
    const isTold = this.timer !== undefined;
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.watcher === undefined || clock.monotonic() - this.readAt >= slowReload) {
      this.readAt = clock.monotonic();
      await reload();
    } else if (isTold) {
      await readTold();
    }
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    this.stopWatching();
  }

  private gather(): void {
    this.timer ??= setTimeout(() => {
      this.catchUp().catch(() => this.options.warn('The folder of submissions could not be read.'));
    }, gatherMs).unref();
  }

  private stopWatching(): void {
    this.watcher?.close();
    this.watcher = undefined;
  }
}
