import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LedgerCopy } from './plan';

/**
 * Copies a ledger to which windows are writing, as a backup does. The copy lacks files that are deleted meanwhile. Flips a bit in each
 * record if the plan says so. Returns whether a record shows that a create of `file` was or may have been sent.
 */
export function copyLedger(from: string, to: string, file: string, { isOfAnotherMachine, flipsAt }: LedgerCopy): boolean {
  let isSent = false;
  for (const folder of readdirSync(from, { withFileTypes: true }).filter(found => found.isDirectory())) {
    mkdirSync(path.join(to, folder.name), { recursive: true });
    for (const name of readdirSync(path.join(from, folder.name))) {
      const bytes = readIfThere(path.join(from, folder.name, name));
      if (bytes === undefined) {
        continue;
      }
      if (name === 'submission.json') {
        const text = bytes.toString();
        isSent ||= text.includes(file) && /"state": "(sending|unknown|created)"/.test(text);
        const bit = Math.floor((flipsAt ?? 0) * bytes.length * 8);
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (flipsAt === undefined ? 0 : 1 << (bit & 7));
      }
      const isHold = name === 'sending.lock' && isOfAnotherMachine;
      writeFileSync(path.join(to, folder.name, name), isHold ? bytes.toString().replace(/"place":"/, '$&elsewhere ') : bytes);
    }
  }
  return isSent;
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}
