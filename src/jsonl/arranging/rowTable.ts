import type { BlockWriter } from '../files/blockWriter';
import { LineAssembler, SpanSource } from '../files/lineAssembler';
import { type PassContext, passOf } from '../files/lineFile';
import { type OtherLines, type WalkedLine, walkRequests } from '../files/requestWalk';

/** Positions of rows of a file, by row number. Uses about 24 bytes per row, whatever its length. */
export interface RowTable {
  /** Offset in the file of each row's first byte. */
  readonly offsets: ArrayLike<number>;
  /** Length of each row in bytes, without its LF. */
  readonly lengths: ArrayLike<number>;
  readonly lines: ArrayLike<number>;
}

/**
 * Reads the positions of the non-blank lines of a file. Reports its progress as the first of two passes. `spanOf` returns the span of a row
 * in the bytes of its line, or `undefined` to leave the line out. `onBytes` is called for all bytes of the file.
 */
export function readRows(
  path: string,
  context: PassContext,
  spanOf: (line: WalkedLine, row: number) => readonly [start: number, end: number] | undefined,
  onBytes?: (bytes: Uint8Array) => void,
): { readonly rows: RowTable; readonly others: OtherLines } {
  const offsets: number[] = [];
  const lengths: number[] = [];
  const lines: number[] = [];
  const add = (line: WalkedLine) => {
    const span = spanOf(line, lines.length);
    if (span !== undefined) {
      offsets.push(line.offset + span[0] - line.start);
      lengths.push(span[1] - span[0]);
      lines.push(line.line);
    }
  };
  const others = walkRequests(path, add, passOf(context, 0), onBytes);
  return { rows: { offsets, lengths, lines }, others };
}

/** Copies rows of a file in any order, each with a LF. `wrap` returns texts to add before and after a row. */
export function copyRows(
  path: string,
  { offsets, lengths }: Pick<RowTable, 'offsets' | 'lengths'>,
  order: Uint32Array,
  out: BlockWriter,
  onCopied: (doneBytes: number) => void,
  wrap: (row: number) => readonly [before: string, after: string] = () => ['', ''],
): void {
  const source = new SpanSource(path, offsets, lengths);
  try {
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
  } finally {
    source.close();
  }
}
