import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
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

/** Reads a `lines.tsv`, blocking. Throws a `LineMapError` if it is missing, damaged or shorter than `atLeast`. */
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
    throw new LineMapError('The list of lines and IDs of this batch is missing.', { cause: error });
  }
}

export function parseLineMap(bytes: Uint8Array): LineMap {
  const rows = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8').split('\n');
  // The last line ends with LF too.
  const last = rows.pop();
  const ids = IdTable.sized(rows.length, bytes.length);
  const lines = new Uint32Array(rows.length);
  for (const [number, row] of rows.entries()) {
    const tab = row.indexOf('\t');
    const line = /^\d{1,10}$/.test(row.slice(0, tab)) ? Number(row.slice(0, tab)) : Number.POSITIVE_INFINITY;
    const before = number === 0 ? -1 : (lines[number - 1] as number);
    if (line > 0xffff_ffff || line <= before || ids.addText(row.slice(tab + 1)) !== number) {
      throw damaged(number);
    }
    lines[number] = line;
  }
  if (last !== '') {
    throw damaged(rows.length);
  }
  return { ids, lines };
}

function damaged(row: number): LineMapError {
  return new LineMapError(
    `The list of lines and IDs of this batch is damaged (entry ${row + 1}), so its results cannot be sorted by line.`,
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
