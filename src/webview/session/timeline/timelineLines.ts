import type { Row } from '../../../shared/session/rows/rows';
import type { AppliedSplice, TranscriptRows } from '../transcriptRows';

/** A line that stands for rows that follow each other; while it is open they stand below it. */
export interface Fold {
  readonly key: string;
  readonly count: number;
  readonly isOpen: boolean;
}

/** `removed` lines from `from` on gave way to `added` others; `changed` are lines that stayed, of a row that is another. */
export interface LineChange {
  readonly from: number;
  readonly removed: number;
  readonly added: number;
  readonly changed: readonly number[];
}

type Judge = (row: Row) => boolean;

const foldPrefix = 'fold ';

/**
 * The lines of a timeline: the rows that pass a filter, and one line for each two or more neighbours among them that are folded.
 * A fold has the key of its first row behind a prefix.
 */
export class TimelineLines {
  readonly #rows: TranscriptRows;
  #passes: Judge | undefined;
  #folds: Judge | undefined;
  /** Index of the row, or first row, of each line, ascending; undefined when each row is a line. */
  #indexes: number[] | undefined;
  /** Of each line how many rows it stands for: 0 for a row itself, below 0 for an open fold. */
  #counts: number[] = [];
  /** Keys of rows whose fold is open. */
  readonly #open = new Set<string>();

  constructor(rows: TranscriptRows) {
    this.#rows = rows;
  }

  get length(): number {
    return this.#indexes === undefined ? this.#rows.length : this.#indexes.length;
  }

  /** The row of a line; undefined for a fold. */
  rowAt(position: number): Row | undefined {
    return this.#countAt(position) === 0 ? this.#firstOf(position) : undefined;
  }

  /** The fold of a line; undefined for a row. */
  foldAt(position: number): Fold | undefined {
    const count = this.#countAt(position);
    return count === 0 ? undefined : { key: `${foldPrefix}${this.#firstOf(position)?.key}`, count: Math.abs(count), isOpen: count < 0 };
  }

  keyAt(position: number): string | undefined {
    return this.foldAt(position)?.key ?? this.rowAt(position)?.key;
  }

  /** Index of a row, or of the first one of a fold; -1 when there is none. */
  indexOf(key: string): number {
    const index = this.#rows.indexOf(key);
    return index < 0 && key.startsWith(foldPrefix) ? this.#rows.indexOf(key.slice(foldPrefix.length)) : index;
  }

  /** Position of the line with this key; -1 when it is not shown. */
  positionOf(key: string): number {
    const index = this.indexOf(key);
    if (index < 0 || this.#indexes === undefined) {
      return this.#rows.indexOf(key);
    }
    const first = lowerBound(this.#indexes, index);
    return [first, first + 1].find(position => this.#indexes?.[position] === index && this.keyAt(position) === key) ?? -1;
  }

  /** Position of the line that shows the row at `index` or holds it, else of the next one. */
  positionFor(index: number): number {
    if (this.#indexes === undefined) {
      return index;
    }
    const last = lowerBound(this.#indexes, index + 1) - 1;
    return this.#indexes[last] === index || this.#countAt(last) > 0 ? last : last + 1;
  }

  /** Shows other rows, and folds others; undefined shows all, and folds none. */
  arrange(passes: Judge | undefined, folds: Judge | undefined): void {
    this.#passes = passes;
    this.#folds = folds;
    this.#indexes = passes === undefined && folds === undefined ? undefined : [];
    this.#counts = [];
    this.#add(0);
  }

  /** Takes over what was done to the rows. */
  takeSplice({ at, removed, added }: AppliedSplice): LineChange {
    if (this.#indexes === undefined) {
      return removed.length === added.length
        ? { from: at, removed: 0, added: 0, changed: added.map((_, offset) => at + offset) }
        : { from: at, removed: removed.length, added: added.length, changed: [] };
    }
    if (removed.length === added.length && added.every((row, offset) => this.#standsLike(row, removed[offset]))) {
      const positions = added.map(({ key }) => this.positionOf(key)).filter(position => position >= 0);
      return { from: 0, removed: 0, added: 0, changed: positions };
    }
    return this.#layAgain(this.#runBefore(at));
  }

  /** Opens or closes the fold that has this key, or holds the row with it; undefined when that changes nothing. */
  setOpen(key: string, isOpen: boolean): LineChange | undefined {
    const index = this.indexOf(key);
    const row = this.#rows.at(index);
    const position = row === undefined || this.#passes?.(row) === false ? -1 : this.#runBefore(index + 1);
    const fold = this.foldAt(position);
    if (fold === undefined || fold.isOpen === isOpen) {
      return undefined;
    }
    for (const row of this.#rowsOf(position, fold.count)) {
      if (isOpen) {
        this.#open.add(row.key);
      } else {
        this.#open.delete(row.key);
      }
    }
    return this.#layAgain(position);
  }

  /** The line that the run of folded rows which ends before `index` begins with, or the last line before `index`; 0 when there is none. */
  #runBefore(index: number): number {
    let position = lowerBound(this.#indexes ?? [], index) - 1;
    while (position > 0 && this.#countAt(position) === 0 && this.#isFolded(this.rowAt(position))) {
      position--;
    }
    return Math.max(0, position);
  }

  #layAgain(from: number): LineChange {
    const before = this.length;
    const index = this.#indexes?.[from] ?? 0;
    const start = from === 0 ? 0 : index;
    this.#indexes?.splice(from);
    this.#counts.splice(from);
    this.#add(start);
    return { from, removed: before - from, added: this.length - from, changed: [] };
  }

  /** Makes lines of the rows from an index on. */
  #add(start: number): void {
    if (this.#indexes === undefined) {
      return;
    }
    let run: number[] = [];
    for (let index = start; index < this.#rows.length; index++) {
      const row = this.#rows.at(index);
      if (row === undefined || this.#passes?.(row) === false) {
        continue;
      }
      if (this.#isFolded(row)) {
        run.push(index);
      } else {
        this.#addRun(run);
        run = [];
        this.#push(index, 0);
      }
    }
    this.#addRun(run);
  }

  #addRun(run: readonly number[]): void {
    const [first] = run;
    if (first === undefined) {
      return;
    }
    const isOpen = run.some(index => this.#open.has(this.#rows.at(index)?.key ?? ''));
    if (run.length > 1) {
      this.#push(first, isOpen ? -run.length : run.length);
    }
    if (run.length === 1 || isOpen) {
      for (const index of run) {
        this.#push(index, 0);
      }
    }
  }

  #push(index: number, count: number): void {
    this.#indexes?.push(index);
    this.#counts.push(count);
  }

  #countAt(position: number): number {
    return this.#counts[position] ?? 0;
  }

  #firstOf(position: number): Row | undefined {
    const index = this.#indexes === undefined ? position : this.#indexes[position];
    return index === undefined ? undefined : this.#rows.at(index);
  }

  #rowsOf(position: number, count: number): readonly Row[] {
    const rows: Row[] = [];
    for (let index = this.#indexes?.[position] ?? 0; rows.length < count && index < this.#rows.length; index++) {
      const row = this.#rows.at(index);
      if (row !== undefined && this.#passes?.(row) !== false) {
        rows.push(row);
      }
    }
    return rows;
  }

  #isFolded(row: Row | undefined): boolean {
    return row !== undefined && this.#folds?.(row) === true;
  }

  #standsLike(row: Row, other: Row | undefined): boolean {
    return (
      other !== undefined &&
      (this.#passes?.(row) ?? true) === (this.#passes?.(other) ?? true) &&
      this.#isFolded(row) === this.#isFolded(other) &&
      (row.key === other.key || !this.#isFolded(row))
    );
  }
}

/** First place in an ascending list whose number is not below `value`. */
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
