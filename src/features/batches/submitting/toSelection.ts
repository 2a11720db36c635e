import { digestOfLines } from '../../../jsonl/files/lineMap';
import type { Selection } from '../../ledger';

/** Returns the ledger's record of selected lines, which are 0-based and ascending. */
export function toSelection({ purpose, lines }: { readonly purpose: Selection['purpose']; readonly lines: Uint32Array }): Selection {
  return { purpose, firstLine: lines[0] ?? 0, lastLine: lines.at(-1) ?? 0, digest: digestOfLines(lines) };
}
