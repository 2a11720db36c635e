import type { ChangeLog } from './changeLog';
import type { LedgerReader } from './ledgerReader';

/** Serializes reads of the ledger's folder: of everything, or of what other windows changed. */
export class LedgerReloads {
  /** Settles when no read is running. */
  private last: Promise<void> | undefined;
  /** A full read that has not started. */
  private next: Promise<void> | undefined;

  constructor(
    private readonly changes: Pick<ChangeLog, 'skip' | 'news' | 'forget'>,
    private readonly reader: Pick<LedgerReader, 'readAll' | 'readSome'>,
  ) {}

  /** Settles after a full read that started after this call: a read in progress may have missed a write. */
  reload(): Promise<void> {
    if (this.last === undefined) {
      return this.afterLast(() => this.readAll());
    }
    this.next ??= this.afterLast(() => {
      this.next = undefined;
      return this.readAll();
    });
    return this.next;
  }

  /** Settles when the changes of other windows were read; everything if these are unknown. */
  catchUp(): Promise<void> {
    return this.afterLast(() => this.readNews());
  }

  private afterLast(look: () => Promise<void>): Promise<void> {
    const looked = this.last === undefined ? look() : this.last.then(look);
    const settled = looked
      .catch(() => undefined)
      .then(() => {
        this.last = this.last === settled ? undefined : this.last;
      });
    this.last = settled;
    return looked;
  }

  private async readNews(): Promise<void> {
    const ids = await this.changes.news();
    await (ids === undefined ? this.readAll() : this.reader.readSome([...ids]));
  }

  private async readAll(): Promise<void> {
    try {
      // Lines added from here on may belong to records that this read has passed.
      await this.changes.skip();
      await this.reader.readAll();
    } catch (error) {
      this.changes.forget();
      throw error;
    }
  }
}
