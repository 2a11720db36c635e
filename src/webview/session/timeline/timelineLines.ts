import type { Row } from '../../../shared/session/rows/rows';
import type { AppliedSplice, TranscriptRows } from '../transcriptRows';

/** `removed` lines from `from` on gave way to `added` others. */
export interface LineChange {
  readonly from: number;
  readonly removed: number;
  readonly added: number;
}

/** The lines of a timeline: the rows that pass a filter. */
export class TimelineLines {
  readonly #rows: TranscriptRows;
  #passes: ((row: Row) => boolean) | undefined;
  /** Index of the row of each line, ascending; `undefined` if each row is a line. */
  #indexes: number[] | undefined;

  constructor(rows: TranscriptRows) {
    this.#rows = rows;
  }

  get length(): number {
    return this.#indexes?.length ?? this.#rows.length;
  }

  rowAt(position: number): Row | undefined {
    const index = this.#indexes === undefined ? position : this.#indexes[position];
    return index === undefined ? undefined : this.#rows.at(index);
  }

  /** Index of a row among all rows; -1 if there is none. */
  indexOf(key: string): number {
    return this.#rows.indexOf(key);
  }

  /** Position of the line with this key; -1 if it is not shown. */
  positionOf(key: string): number {
    const index = this.#rows.indexOf(key);
    const position = index < 0 ? -1 : this.positionFor(index);
    return this.rowAt(position)?.key === key ? position : -1;
  }

  /** Position of the line of the row at `index`, otherwise of the next line. */
  positionFor(index: number): number {
    return this.#indexes === undefined ? index : lowerBound(this.#indexes, index);
  }

  /** Sets the filter; `undefined` shows all rows. */
  filter(passes: ((row: Row) => boolean) | undefined): void {
    this.#passes = passes;
    this.#indexes = passes === undefined ? undefined : this.#indexesOf(this.#rows.all, 0);
  }

  /** Applies a change of the rows. */
  takeSplice({ at, removed, added }: AppliedSplice): LineChange {
    if (this.#indexes === undefined) {
      return { from: at, removed: removed.length, added: added.length };
    }
    const from = lowerBound(this.#indexes, at);
    const end = lowerBound(this.#indexes, at + removed.length);
    const shown = this.#indexesOf(added, at);
    const shift = added.length - removed.length;
    if (shift === 0 && shown.length === end - from) {
      for (const [offset, index] of shown.entries()) {
        this.#indexes[from + offset] = index;
      }
      return { from, removed: shown.length, added: shown.length };
    }
    for (let position = shift === 0 ? this.length : end; position < this.#indexes.length; position++) {
      this.#indexes[position] = (this.#indexes[position] ?? 0) + shift;
    }
    const rest = this.#indexes.splice(from).slice(end - from);
    // Not `push(...shown)`: a long list of arguments overflows the stack.
    for (const index of [...shown, ...rest]) {
      this.#indexes.push(index);
    }
    return { from, removed: end - from, added: shown.length };
  }

  #indexesOf(rows: readonly Row[], start: number): number[] {
    return rows.flatMap((row, offset) => (this.#passes?.(row) === false ? [] : [start + offset]));
  }
}

/** First position in an ascending list whose number is not below `value`. */
function lowerBound(numbers: readonly number[], value: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
