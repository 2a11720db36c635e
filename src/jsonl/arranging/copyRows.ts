import type { BlockWriter } from '../files/blockWriter';
import { LineAssembler, SpanSource } from '../files/lineAssembler';

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

  /** `onCopied` receives the number of bytes copied so far. */
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
