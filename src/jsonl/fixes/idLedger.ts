import { lineOfMadeId, madeId } from '../checking/madeIds';
import { IdTable } from '../files/idTable';
import { freeId } from './makers/customIds';

/**
 * The ids of a file while it is written anew. First every id that stays is reserved and every line for which one will be made;
 * then, in the order of the lines, ids are used for the first time or new ones are given that nobody has. The same calls give the
 * same ids. Lines count from 0, in the new file.
 */
export class IdLedger {
  private readonly reserved = new IdTable();
  /** 1 for each reserved id that was used. */
  private used = new Uint8Array(1 << 12);
  private readonly bareLines = new Set<number>();
  /** How far the numbers behind ids are used up. */
  private readonly numbers = new Map<string, number>();

  reserve(id: string): void {
    const bytes = Buffer.from(id);
    this.reserved.add(bytes, 0, bytes.length);
  }

  /** The service gets an id for the bare params on this line. */
  reserveBare(line: number): void {
    this.bareLines.add(line);
  }

  /** Uses an id for a request: for the first time, again, or in the place of a bare line for which it is made. */
  use(id: string): 'first' | 'again' | 'made' {
    const index = this.indexOf(id);
    if (index >= this.used.length) {
      const grown = new Uint8Array(Math.max(index + 1, this.used.length * 2));
      grown.set(this.used);
      this.used = grown;
    }
    const isFirst = index < 0 || this.used[index] !== 1;
    this.used[index] = 1;
    return this.isMade(id) ? 'made' : isFirst ? 'first' : 'again';
  }

  /** `base`, or with a number behind it, such that no request of the file has it. It is taken from then on. */
  give(base: string): string {
    const id = freeId(base, candidate => this.indexOf(candidate) >= 0 || this.isMade(candidate), this.numbers);
    this.reserve(id);
    this.use(id);
    return id;
  }

  /** An id for a line that has none: the one that would be made for it. */
  giveForLine(line: number): string {
    return this.give(madeId(line));
  }

  private indexOf(id: string): number {
    const bytes = Buffer.from(id);
    return this.reserved.find(bytes, 0, bytes.length);
  }

  private isMade(id: string): boolean {
    const line = this.bareLines.size > 0 ? lineOfMadeId(id) : undefined;
    return line !== undefined && this.bareLines.has(line);
  }
}
