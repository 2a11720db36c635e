import { createHash } from 'node:crypto';
import type { Selection } from '../../ledger';

/** Returns the ledger's record of chosen lines, which are 0-based and ascending. */
export function toSelection({ purpose, lines }: { readonly purpose: Selection['purpose']; readonly lines: Uint32Array }): Selection {
  const hash = createHash('sha256');
  const block = 10_000;
  for (let from = 0; from < lines.length; from += block) {
    hash.update(`${lines.subarray(from, from + block).join('\n')}\n`);
  }
  return { purpose, firstLine: lines[0] ?? 0, lastLine: lines.at(-1) ?? 0, digest: hash.digest('hex') };
}
