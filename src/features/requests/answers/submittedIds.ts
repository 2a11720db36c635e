import { readFile } from 'node:fs/promises';
import { IdTable } from '../../../jsonl/files/idTable';
import { Slices } from '../documents/slices';

const LF = 0x0a;
const TAB = 0x09;

/** Requests of one submission by id, from its `lines.tsv`. Takes a few megabytes for 100,000 requests. */
export class SubmittedIds {
  private constructor(private readonly ids: IdTable) {}

  /** Reads a `lines.tsv` in slices of about 4 ms. Throws if it doesn't exist. */
  static async open(linesPath: string): Promise<SubmittedIds> {
    return await SubmittedIds.parse(await readFile(linesPath));
  }

  /** Ignores an incomplete last line. */
  static async parse(bytes: Uint8Array): Promise<SubmittedIds> {
    const ids = new IdTable();
    const slices = new Slices();
    for (let at = 0; at < bytes.length; ) {
      const tab = bytes.indexOf(TAB, at);
      const end = bytes.indexOf(LF, at);
      if (tab < 0 || end < 0) {
        break;
      }
      if (tab < end) {
        ids.add(bytes, tab + 1, end);
      }
      at = end + 1;
      if (slices.isDue) {
        await slices.pause();
      }
    }
    return new SubmittedIds(ids);
  }

  get size(): number {
    return this.ids.size;
  }

  has(id: string): boolean {
    return this.numberOf(id) >= 0;
  }

  /** Returns the position of a request among those that were sent, or -1. */
  numberOf(id: string): number {
    return this.ids.findText(id);
  }
}
