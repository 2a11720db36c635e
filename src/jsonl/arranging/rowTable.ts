import { statSync } from 'node:fs';
import type { PassContext } from '../files/lineFile';
import type { OtherLines } from './arrangingJobs';
import { toOnRead, type WalkedLine, walkRequests } from './requestWalk';
import { Tally } from './tally';

/** Where the lines of a file stand that are not blank: some 20 bytes each, however long they are. */
export class RowTable {
  count = 0;
  /** Offset in the file of each line's first byte. */
  starts = new Float64Array(1 << 10);
  /** Bytes of each line without its LF. */
  lengths = new Uint32Array(1 << 10);
  lines = new Int32Array(1 << 10);

  add(offset: number, length: number, line: number): void {
    const row = this.count++;
    if (row === this.starts.length) {
      this.starts = grown(this.starts, new Float64Array(row * 2));
      this.lengths = grown(this.lengths, new Uint32Array(row * 2));
      this.lines = grown(this.lines, new Int32Array(row * 2));
    }
    this.starts[row] = offset;
    this.lengths[row] = length;
    this.lines[row] = line;
  }
}

/** A larger array that begins with what is in `from`. */
export function grown<T extends Float64Array | Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** What becomes a row of a table. */
export interface RowKinds {
  readonly bare?: 'lines' | 'values';
  readonly requestsOnly?: boolean;
}

/**
 * Reads where the requests of a file stand, the first half of a job that then copies them; blank lines are left out. `visit` sees each
 * line that becomes a row, before it does. A row is a whole line; of bare params, with `bare: 'values'`, it is the value alone. Lines that are
 * no requests become rows as well, unless `requestsOnly`. `onBytes` sees all bytes of the file.
 */
export function readRows(
  path: string,
  context: PassContext,
  visit?: (line: WalkedLine, row: number) => void,
  { bare = 'lines', requestsOnly = false }: RowKinds = {},
  onBytes: (bytes: Uint8Array) => void = () => undefined,
): OtherLines & { readonly rows: RowTable; readonly bytes: number } {
  const bytes = statSync(path).size;
  const rows = new RowTable();
  const broken = new Tally<number>();
  let blank = 0;
  const onRead = toOnRead(context, bytes * 2 + 1);
  walkRequests(
    path,
    line => {
      if (line.kind === 'blank') {
        blank++;
        return;
      }
      if (line.kind === 'broken') {
        broken.add(line.line);
        if (requestsOnly) {
          return;
        }
      }
      visit?.(line, rows.count);
      const isValue = bare === 'values' && line.kind === 'params';
      const start = isValue ? line.valueStart : line.start;
      rows.add(line.offset + start - line.start, (isValue ? line.valueEnd : line.end) - start, line.line);
    },
    (doneBytes, chunk) => {
      onBytes(chunk);
      onRead(doneBytes);
    },
  );
  return { rows, bytes, blank, broken: broken.found() };
}
