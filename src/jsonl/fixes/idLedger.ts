import { freeId, lineOfDerivedId } from '../files/derivedIds';
import { IdTable } from '../files/idTable';

/**
 * Ids of a file that is being rewritten. Reserve all ids that stay and all lines with a derived id first. Then use ids and request new ones
 * in the order of the lines. The same calls return the same ids. Lines are 0-based lines of the new file.
 */
export class IdLedger {
  private readonly reserved = new IdTable();
  /** Indexes of the reserved ids that were used. */
  private readonly used = new Set<number>();
  private readonly bareLines = new Set<number>();
  /** Next number to try for each stem; see `freeId`. */
  private readonly numbers = new Map<string, number>();

  reserve(id: string): void {
    this.reserved.addText(id);
  }

  reserveBare(line: number): void {
    this.bareLines.add(line);
  }

  /** Marks an id as used. Returns `first` for its first use, `again` for a repeated use, and `made` for the derived id of a bare line. */
  use(id: string): 'first' | 'again' | 'made' {
    const index = this.reserved.findText(id);
    const isFirst = index < 0 || !this.used.has(index);
    this.used.add(index);
    return this.isDerived(id) ? 'made' : isFirst ? 'first' : 'again';
  }

  /** Reserves and returns `base`, with a number appended if another request of the file has that id. */
  give(base: string): string {
    const id = freeId(base, candidate => this.reserved.findText(candidate) >= 0 || this.isDerived(candidate), this.numbers);
    this.reserve(id);
    this.use(id);
    return id;
  }

  private isDerived(id: string): boolean {
    const line = this.bareLines.size > 0 ? lineOfDerivedId(id) : undefined;
    return line !== undefined && this.bareLines.has(line);
  }
}
