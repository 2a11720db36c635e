import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { LF, TAB } from '../scanning/jsonBytes';
import { IdTable } from './idTable';

/** Thrown if the `lines.tsv` of a submission is missing or damaged. */
export class LineMapError extends Error {
  override readonly name = 'LineMapError';
}

/** Requests of a submission with the lines they were on, in file order. Lines are 0-based. */
export interface LineMap {
  /** Ids in the same order, followed by any ids that were added later. */
  readonly ids: IdTable;
  /** Line of each request, indexed by its number in `ids`, ascending. */
  readonly lines: Uint32Array;
}

/**
 * Reads a `lines.tsv`: `line TAB custom_id LF` per request. Blocks, so use it in a worker thread. Throws a `LineMapError` if it is missing,
 * damaged or has fewer than `atLeast` entries.
 */
export function readLineMap(path: string, atLeast = 0): LineMap {
  const map = parseLineMap(bytesOf(path));
  if (map.lines.length < atLeast) {
    throw damaged(map.lines.length);
  }
  return map;
}

function bytesOf(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw error;
    }
    throw new LineMapError('The list of lines and ids that was kept for this batch is gone.', { cause: error });
  }
}

export function parseLineMap(bytes: Uint8Array): LineMap {
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    count++;
  }
  const ids = IdTable.sized(count, bytes.length);
  const lines = new Uint32Array(count);
  let before = -1;
  for (let at = 0; at < bytes.length; ) {
    const number = ids.size;
    const start = at;
    let line = 0;
    let digit = digitAt(bytes, at);
    while (digit >= 0) {
      line = line * 10 + digit;
      digit = digitAt(bytes, ++at);
    }
    const idStart = at + 1;
    if (at === start || at - start > maxDigits || bytes[at] !== TAB || line > 0xffff_ffff || line <= before) {
      throw damaged(number);
    }
    while (at < bytes.length && bytes[at] !== LF) {
      at++;
    }
    if (at === bytes.length || ids.add(bytes, idStart, at) !== number) {
      throw damaged(number);
    }
    lines[number] = line;
    before = line;
    at++;
  }
  return { ids, lines };
}

const maxDigits = 10;

function digitAt(bytes: Uint8Array, at: number): number {
  const digit = (bytes[at] ?? 0) - 0x30;
  return digit >= 0 && digit <= 9 ? digit : -1;
}

function damaged(row: number): LineMapError {
  return new LineMapError(
    `The list of lines and ids that was kept for this batch is damaged (entry ${row + 1}), so results cannot be put in the order of the file.`,
  );
}

/** Returns the SHA-256 of line numbers, which identifies a selection of lines. */
export function digestOfLines(lines: Uint32Array): string {
  const hash = createHash('sha256');
  const block = 10_000;
  for (let from = 0; from < lines.length; from += block) {
    hash.update(`${lines.subarray(from, from + block).join('\n')}\n`);
  }
  return hash.digest('hex');
}
