import { readFileSync } from 'node:fs';
import { IdTable } from './idTable';
import { LF } from './jsonBytes';

/** `lines.tsv` of a submission is not what was written then. */
export class LineMapError extends Error {
  override readonly name = 'LineMapError';
}

/** Which request stood on which line at the time of submission, in file order. Lines count from 0. */
export interface LineMap {
  /** Ids in the same order; others may have been added behind them. */
  readonly ids: IdTable;
  /** Line of the request with this number in `ids`; ascending. */
  readonly lines: Uint32Array;
}

const TAB = 0x09;

/** Reads a `lines.tsv`: per request `line TAB custom_id LF`. Blocks, so it is for threads. Throws `LineMapError`. */
export function readLineMap(path: string): LineMap {
  return parseLineMap(readFileSync(path));
}

export function parseLineMap(bytes: Uint8Array): LineMap {
  const ids = new IdTable();
  let lines = new Uint32Array(1024);
  let at = 0;
  while (at < bytes.length) {
    const tab = positionOf(TAB, bytes, at);
    const end = tab < 0 ? -1 : positionOf(LF, bytes, tab);
    const line = lineNumber(bytes, at, tab);
    const number = ids.size;
    if (end < 0 || line < 0 || (number > 0 && line <= (lines[number - 1] as number))) {
      throw damaged(number);
    }
    if (ids.add(bytes, tab + 1, end) !== number) {
      throw damaged(number);
    }
    if (number === lines.length) {
      const larger = new Uint32Array(number * 2);
      larger.set(lines);
      lines = larger;
    }
    lines[number] = line;
    at = end + 1;
  }
  return { ids, lines: lines.subarray(0, ids.size) };
}

/** Faster than `indexOf` where it is near. */
function positionOf(byte: number, bytes: Uint8Array, at: number): number {
  while (at < bytes.length) {
    if (bytes[at] === byte) {
      return at;
    }
    at++;
  }
  return -1;
}

function lineNumber(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] as number) - 0x30;
    if (digit < 0 || digit > 9 || at - start > 9) {
      return -1;
    }
    value = value * 10 + digit;
  }
  return end > start && value <= 0xffff_ffff ? value : -1;
}

function damaged(row: number): LineMapError {
  return new LineMapError(
    `The list of lines and ids that was kept for this batch is damaged (entry ${row + 1}), so results cannot be put in the order of the file.`,
  );
}
