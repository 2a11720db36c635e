import type { ChangeLog } from './changeLog';
import type { LedgerReader } from './ledgerReader';

/** Reads the ledger's folder again, one look after the other: all of it, or what other windows told of. */
export class LedgerReloads {
  /** Settles when nothing is read any more. */
  private last: Promise<void> | undefined;
  /** A look at everything that has not begun. */
  private next: Promise<void> | undefined;

  constructor(
    private readonly changes: Pick<ChangeLog, 'skip' | 'news' | 'forget'>,
    private readonly reader: Pick<LedgerReader, 'readAll' | 'readSome'>,
  ) {}

  /** Settles when everything was read by a look that began after this was called: one under way may have passed what was written since. */
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

  /** Settles when what other windows told of was read; everything where that cannot be known. */
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
      // What is told from here on may be of what this look has passed.
      await this.changes.skip();
      await this.reader.readAll();
    } catch (error) {
      this.changes.forget();
      throw error;
    }
  }
}
