import { closeSync, openSync } from 'node:fs';
import type { BlockWriter } from '../files/blockWriter';
import { type FileState, fileStateOf, isSameState, SourceChangedError } from '../files/fileState';
import { LF } from '../scanning/jsonBytes';
import { SpanReader, SpanWindow } from '../scanning/spanReader';

/** Bytes of lines that are put together in memory at a time; a longer line has a window of its own. */
const windowBytes = 16 << 20;

/** What stands around a line in the copy; the line itself is copied as it stands. */
export interface Wrapping {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** Where the lines of a file stand, as a `RowTable` has it. */
export interface RowPlaces {
  readonly count: number;
  readonly starts: Float64Array;
  readonly lengths: Uint32Array;
}

/**
 * Copies lines of a file to others, in any order: window by window, and within one in the order of the file, so that a disk is read with
 * few calls. Each copy ends with LF. Blocks, so it is for threads.
 */
export class RowCopier {
  private readonly reader: SpanReader;
  private readonly targets: Uint32Array;
  private window = new SpanWindow(0);

  constructor(
    path: string,
    private readonly rows: RowPlaces,
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

  /** Writes into the window what stands around the lines from `first` on, as many as fit, and says where they go themselves. */
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

  /** Enough for all lines of a small file. */
  private estimate(): number {
    const { starts, lengths, count } = this.rows;
    const last = count - 1;
    return count === 0 ? 0 : (starts[last] as number) + (lengths[last] as number) + count * 64;
  }
}

/** The state of a file now. */
export function readState(path: string): FileState {
  const file = openSync(path, 'r');
  try {
    return fileStateOf(file);
  } finally {
    closeSync(file);
  }
}

/** Throws `SourceChangedError` when a file is no longer what it was. */
export function demandState(path: string, state: FileState): void {
  if (!isSameState(state, readState(path))) {
    throw new SourceChangedError(`${path} was changed while it was read. Nothing was written; try again.`);
  }
}
