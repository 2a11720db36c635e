import { closeSync, openSync } from 'node:fs';
import type { BlockWriter } from '../files/blockWriter';
import { type FileState, fileStateOf, isSameState, SourceChangedError } from '../files/fileState';
import { LF } from '../scanning/jsonBytes';
import { SpanReader, SpanWindow } from '../scanning/spanReader';

/** Maximum number of bytes of lines assembled in memory at a time. A longer line gets a larger window. */
const windowBytes = 16 << 20;

/** Bytes to add around a line in the copy. The line itself is copied unchanged. */
export interface Wrapping {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** Positions of the lines of a file, in the form of a `RowTable`. */
export interface RowPositions {
  readonly count: number;
  readonly starts: Float64Array;
  readonly lengths: Uint32Array;
}

/**
 * Copies lines of a file to others, in any order. Works window by window; within a window, reads in file order to save system calls. Each
 * copied line ends with LF. Blocks the thread, so only for workers.
 */
export class RowCopier {
  private readonly reader: SpanReader;
  private readonly targets: Uint32Array;
  private window = new SpanWindow(0);

  constructor(
    path: string,
    private readonly rows: RowPositions,
    private readonly onCopied: (bytes: number) => void,
  ) {
    this.reader = new SpanReader(path);
    this.targets = new Uint32Array(rows.count);
  }

  copy(order: Uint32Array, out: BlockWriter, wrap?: (row: number) => Wrapping | undefined): void {
    for (let first = 0; first < order.length; ) {
      const { next, bytes } = this.layOut(order, first, wrap);
      const chosen = order.slice(first, next).sort();
      this.reader.copy(chosen, this.rows.starts, this.rows.lengths, this.targets, this.window, this.onCopied);
      out.add(this.window.bytes, 0, bytes);
      first = next;
    }
  }

  close(): void {
    this.reader.close();
  }

  /** Lays out as many lines from `first` on as fit into the window: writes the bytes around them and records where the lines go. */
  private layOut(order: Uint32Array, first: number, wrap: ((row: number) => Wrapping | undefined) | undefined) {
    let filled = 0;
    let next = first;
    for (; next < order.length; next++) {
      const row = order[next] as number;
      const wrapping = wrap?.(row);
      const length = this.rows.lengths[row] as number;
      const bytes = length + 1 + (wrapping === undefined ? 0 : wrapping.before.length + wrapping.after.length);
      if (filled + bytes > this.window.length) {
        if (next > first) {
          break;
        }
        this.window = new SpanWindow(Math.max(bytes, Math.min(windowBytes, this.estimate())));
      }
      const window = this.window.bytes;
      if (wrapping !== undefined) {
        window.set(wrapping.before, filled);
        filled += wrapping.before.length;
      }
      this.targets[row] = filled;
      filled += length;
      if (wrapping !== undefined) {
        window.set(wrapping.after, filled);
        filled += wrapping.after.length;
      }
      window[filled++] = LF;
    }
    return { next, bytes: filled };
  }

  /** Returns an upper bound of bytes that is enough for all lines of a small file. */
  private estimate(): number {
    const { starts, lengths, count } = this.rows;
    const last = count - 1;
    return count === 0 ? 0 : (starts[last] as number) + (lengths[last] as number) + count * 64;
  }
}

/** Returns the current state of a file. */
export function readState(path: string): FileState {
  const file = openSync(path, 'r');
  try {
    return fileStateOf(file);
  } finally {
    closeSync(file);
  }
}

/** Throws a `SourceChangedError` if the state of a file has changed. */
export function demandState(path: string, state: FileState): void {
  if (!isSameState(state, readState(path))) {
    throw new SourceChangedError(`${path} was changed while it was read. Nothing was written; try again.`);
  }
}
