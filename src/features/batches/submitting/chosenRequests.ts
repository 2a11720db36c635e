import { createHash } from 'node:crypto';
import type { Follows, Selection } from '../../ledger';

/** Some requests of a file that are to be sent as one run. */
export interface ChosenRequests {
  readonly purpose: Selection['purpose'];
  /** Lines of the file with this hash, from 0, ascending. In shared memory. */
  readonly lines: Uint32Array;
  readonly sha256: string;
  /** Which these are, in the user's language, to stand behind their number: "those that changed". */
  readonly description: string;
  /** What the user is told beside that, and where more of it is shown; a reload of the window forgets the latter. */
  readonly note?: { readonly text: string; readonly showWhy?: () => Promise<void> };
  readonly follows?: Follows;
  /** When they were chosen by what was answered before: over which connection, and the submissions that were known then. */
  readonly compared?: { readonly connection: string; readonly submissions: readonly string[] };
}

/** What the ledger keeps of chosen requests. */
export function toSelection({ purpose, lines }: Pick<ChosenRequests, 'purpose' | 'lines'>): Selection {
  const hash = createHash('sha256');
  const block = 10_000;
  for (let from = 0; from < lines.length; from += block) {
    hash.update(`${lines.subarray(from, from + block).join('\n')}\n`);
  }
  return { purpose, firstLine: lines[0] ?? 0, lastLine: lines.at(-1) ?? 0, digest: hash.digest('hex') };
}
