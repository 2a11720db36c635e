import type { BlockWriter } from '../files/blockWriter';
import { LineAssembler, SpanSource } from '../files/lineAssembler';
import { type PassContext, passOf } from '../files/lineFile';
import { type OtherLines, type WalkedLine, walkRequests } from '../files/requestWalk';
import { grown } from '../files/typedArrays';

/** Positions of the lines of a file that are not blank. Uses about 20 bytes per line, whatever its length. */
export class RowTable {
  count = 0;
  /** Offset in the file of each line's first byte. */
  offsets: Float64Array = new Float64Array(1 << 10);
  /** Length of each line in bytes, without its LF. */
  lengths: Uint32Array = new Uint32Array(1 << 10);
  lines = new Int32Array(1 << 10);

  add(offset: number, length: number, line: number): void {
    const row = this.count++;
    if (row === this.offsets.length) {
      this.offsets = grown(this.offsets, new Float64Array(row * 2));
      this.lengths = grown(this.lengths, new Uint32Array(row * 2));
      this.lines = grown(this.lines, new Int32Array(row * 2));
    }
    this.offsets[row] = offset;
    this.lengths[row] = length;
    this.lines[row] = line;
  }
}

/** Options that decide which lines become rows of a table. */
export interface RowKinds {
  readonly bare?: 'lines' | 'values';
  readonly requestsOnly?: boolean;
}

/**
 * Reads the positions of the requests of a file. Reports its progress as the first of two passes. Skips blank lines. A row is a whole line.
 * With `bare: 'values'`, the row of bare params is only their value. Invalid lines become rows unless `requestsOnly` is set. `visit` is
 * called for each line before it becomes a row, and `onBytes` for all bytes of the file.
 */
export function readRows(
  path: string,
  context: PassContext,
  visit?: (line: WalkedLine, row: number) => void,
  { bare = 'lines', requestsOnly = false }: RowKinds = {},
  onBytes?: (bytes: Uint8Array) => void,
): { readonly rows: RowTable; readonly others: OtherLines } {
  const rows = new RowTable();
  const others = walkRequests(
    path,
    line => {
      if (line.kind === 'broken' && requestsOnly) {
        return;
      }
      visit?.(line, rows.count);
      const isValue = bare === 'values' && line.kind === 'params';
      const start = isValue ? line.valueStart : line.start;
      rows.add(line.offset + start - line.start, (isValue ? line.valueEnd : line.end) - start, line.line);
    },
    passOf(context, 0),
    onBytes,
  );
  return { rows, others };
}

/** Positions of the lines of a file, in the form of a `RowTable`. */
export type RowPositions = Pick<RowTable, 'offsets' | 'lengths'>;

/**
 * Copies lines of a file to another one, in any order. Each copied line ends with LF. `wrap` returns texts to add before and after a line.
 * Blocks the thread, so only for workers.
 */
export function copyRows(
  source: SpanSource,
  order: Uint32Array,
  out: BlockWriter,
  onCopied: (doneBytes: number) => void,
  wrap: (row: number) => readonly [before: string, after: string] = () => ['', ''],
): void {
  const { lengths } = source;
  const most = order.reduce((sum, row) => sum + (lengths[row] as number) + 64, 0);
  const assembler = new LineAssembler(out, [source], most, onCopied);
  for (const row of order) {
    const [before, after] = wrap(row);
    assembler.reserve((lengths[row] as number) + Buffer.byteLength(`${before}${after}\n`));
    assembler.put(before);
    assembler.putRow(source, row);
    assembler.put(`${after}\n`);
  }
  assembler.flush();
}

/** Copies lines like `copyRows`, but opens and closes the source file. */
export function copyLines(
  path: string,
  { offsets, lengths }: RowPositions,
  order: Uint32Array,
  out: BlockWriter,
  onCopied: (doneBytes: number) => void,
): void {
  const source = new SpanSource(path, offsets, lengths);
  try {
    copyRows(source, order, out, onCopied);
  } finally {
    source.close();
  }
}
