import type { BlockWriter } from '../files/blockWriter';
import { LineAssembler, SpanSource } from '../files/lineAssembler';
import { type PassContext, passOf } from '../files/lineFile';
import { type OtherLines, type WalkedLine, walkRequests } from '../files/requestWalk';
import { grown } from '../files/typedArrays';

/** Positions of the lines of a file that are not blank. Takes about 20 bytes per line, whatever its length. */
export class RowTable {
  count = 0;
  /** Offset in the file of each line's first byte. */
  starts = new Float64Array(1 << 10);
  /** Length of each line in bytes, without its LF. */
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

/** Options that decide which lines become rows of a table. */
export interface RowKinds {
  readonly bare?: 'lines' | 'values';
  readonly requestsOnly?: boolean;
}

/**
 * Reads the positions of the requests of a file. Reports progress as the first of two passes. Blank lines are left out. A row is a whole
 * line, or only the value of bare params with `bare: 'values'`. Invalid lines become rows unless `requestsOnly` is set. `visit` is called
 * for each line before it becomes a row, and `onBytes` for all bytes of the file.
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

/** Texts to add around a line in the copy. The line itself is copied unchanged. */
export interface Wrapping {
  readonly before: string;
  readonly after: string;
}

/** Positions of the lines of a file, in the form of a `RowTable`. */
export interface RowPositions {
  readonly count: number;
  readonly starts: Float64Array;
  readonly lengths: Uint32Array;
}

/** Copies lines of a file to others, in any order. Each copied line ends with LF. Blocks the thread, so only for workers. */
export class RowCopier {
  private readonly source: SpanSource;
  private copiedBytes = 0;

  constructor(
    path: string,
    private readonly rows: RowPositions,
    private readonly onCopied: (doneBytes: number) => void,
  ) {
    this.source = new SpanSource(path, rows.starts, rows.lengths);
  }

  copy(order: Uint32Array, out: BlockWriter, wrap?: (row: number) => Wrapping | undefined): void {
    const { starts, lengths, count } = this.rows;
    const most = count === 0 ? 0 : (starts[count - 1] as number) + (lengths[count - 1] as number) + count * 64;
    const before = this.copiedBytes;
    const assembler = new LineAssembler(out, [this.source], most, bytes => {
      this.copiedBytes = before + bytes;
      this.onCopied(this.copiedBytes);
    });
    for (const row of order) {
      const wrapping = wrap?.(row);
      assembler.reserve((lengths[row] as number) + Buffer.byteLength(`${wrapping?.before ?? ''}${wrapping?.after ?? ''}\n`));
      assembler.put(wrapping?.before ?? '');
      assembler.putRow(this.source, row);
      assembler.put(`${wrapping?.after ?? ''}\n`);
    }
    assembler.flush();
  }

  close(): void {
    this.source.close();
  }
}

/** Copies lines of a file to another one. */
export function copyRows(
  path: string,
  rows: RowPositions,
  order: Uint32Array,
  out: BlockWriter,
  onCopied: (doneBytes: number) => void,
): void {
  const copier = new RowCopier(path, rows, onCopied);
  try {
    copier.copy(order, out);
  } finally {
    copier.close();
  }
}
