import type { Row } from '../../../shared/session/rows/rows';
import { rowMatches, toPattern } from '../../../shared/session/rows/rowText';
import type { AppliedSplice, TranscriptRows } from '../transcriptRows';

export interface RowSearchOptions {
  readonly passes: ((row: Row) => boolean) | undefined;
  readonly query: string;
  /** Keys of rows whose cut parts contain the text, as found by the host. */
  readonly hits: ReadonlySet<string>;
}

/** Maximum duration of one search step, in milliseconds. */
const stepTime = 8;

/** Finds the rows of a thread that contain a text, in steps so that the panel stays responsive. Keeps up with new rows. */
export class RowSearch {
  readonly #rows: TranscriptRows;
  readonly #now: () => number;
  readonly #matches = new Set<string>();
  #options: RowSearchOptions = { passes: undefined, query: '', hits: new Set() };
  #pattern: RegExp | undefined;
  #next = 0;

  constructor(rows: TranscriptRows, now: () => number) {
    this.#rows = rows;
    this.#now = now;
  }

  /** Keys of the matching rows found so far, in no order. */
  get matches(): ReadonlySet<string> {
    return this.#matches;
  }

  get isDone(): boolean {
    return this.#pattern === undefined || this.#next >= this.#rows.length;
  }

  begin(options: RowSearchOptions): void {
    this.#options = options;
    this.#pattern = toPattern(options.query, 'iu');
    this.#matches.clear();
    this.#next = 0;
  }

  step(): void {
    const end = this.#now() + stepTime;
    while (!this.isDone) {
      for (const stop = Math.min(this.#next + 64, this.#rows.length); this.#next < stop; this.#next++) {
        this.#look(this.#rows.at(this.#next));
      }
      if (this.#now() >= end) {
        return;
      }
    }
  }

  /** Applies a splice of the rows. Must be called for every splice. */
  takeSplice({ at, removed, added }: AppliedSplice): void {
    for (const { key } of removed) {
      this.#matches.delete(key);
    }
    if (at < this.#next) {
      // Rows before the current position are searched now, the others in a later step.
      for (const row of added) {
        this.#look(row);
      }
      this.#next += added.length - removed.length;
    }
  }

  #look(row: Row | undefined): void {
    if (row === undefined || this.#pattern === undefined || this.#options.passes?.(row) === false) {
      return;
    }
    if (this.#options.hits.has(row.key) || rowMatches(row, this.#pattern)) {
      this.#matches.add(row.key);
    }
  }
}
