import type { Row, RowSplice } from '../../../shared/session/rows/rows';

interface Pending {
  at: number;
  remove: number;
  readonly rows: Row[];
}

/** Number of previous splices checked for one that a new splice can be joined with. */
const reach = 16;

/**
 * Pending splices, as few as possible. A splice that touches the rows of an earlier one is joined with it, so that a storm of appended and
 * amended rows stays one splice. Applied in order, they have the same result as the added ones.
 */
export class PendingSplices {
  private readonly splices: Pending[] = [];

  get isEmpty(): boolean {
    return this.splices.length === 0;
  }

  clear(): void {
    this.splices.length = 0;
  }

  add(splice: RowSplice): void {
    let { at } = splice;
    const behind: Pending[] = [];
    for (let index = this.splices.length - 1; index >= Math.max(0, this.splices.length - reach); index--) {
      const earlier = this.splices[index] as Pending;
      if (touches(earlier, at, splice.remove)) {
        join(earlier, at, splice);
        for (const later of behind) {
          later.at += splice.rows.length - splice.remove;
        }
        return;
      }
      if (at > earlier.at) {
        at -= earlier.rows.length - earlier.remove;
      } else {
        behind.push(earlier);
      }
    }
    if (splice.remove > 0 || splice.rows.length > 0) {
      this.splices.push({ ...splice, rows: [...splice.rows] });
    }
  }

  /** Removes and returns the first splices: at most `maxRows` rows and about `maxCharacters` characters, but at least one row. */
  take(maxRows: number, maxCharacters: number): readonly RowSplice[] {
    const taken: RowSplice[] = [];
    let rows = maxRows;
    let characters = maxCharacters;
    for (let next = this.splices[0]; next !== undefined && rows > 0 && characters > 0; next = this.splices[0]) {
      let count = 0;
      for (; count < next.rows.length && count < rows && characters > 0; count++) {
        characters -= charactersOf(next.rows[count] as Row);
      }
      rows -= Math.max(1, count);
      if (count === next.rows.length) {
        taken.push(next);
        this.splices.shift();
      } else {
        // Rows that replace the same number of rows are replaced one by one.
        const remove = next.remove === next.rows.length ? count : next.remove;
        taken.push({ at: next.at, remove, rows: next.rows.splice(0, count) });
        next.at += count;
        next.remove -= remove;
      }
    }
    return taken;
  }
}

function touches(earlier: Pending, at: number, remove: number): boolean {
  return at <= earlier.at + earlier.rows.length && at + remove >= earlier.at;
}

/** Extends `earlier` by a splice that touches its rows. */
function join(earlier: Pending, at: number, { remove, rows }: RowSplice): void {
  const before = Math.max(0, earlier.at - at);
  const after = Math.max(0, at + remove - (earlier.at + earlier.rows.length));
  insert(earlier.rows, Math.max(0, at - earlier.at), remove - before - after, rows);
  earlier.at -= before;
  earlier.remove += before + after;
}

function insert(into: Row[], at: number, remove: number, rows: readonly Row[]): void {
  if (at === into.length && remove === 0) {
    // Not `push(...rows)`: a long argument list overflows the stack.
    for (const row of rows) {
      into.push(row);
    }
  } else if (rows.length < 10_000) {
    into.splice(at, remove, ...rows);
  } else {
    const rest = into.splice(at).slice(remove);
    for (const row of [...rows, ...rest]) {
      into.push(row);
    }
  }
}

/** Returns the approximate size of a row in a message, in characters. */
function charactersOf(row: Row): number {
  let sum = 300 + row.summary.length;
  for (const value of Object.values(row) as unknown[]) {
    sum += charactersIn(value, 3);
  }
  return sum;
}

function charactersIn(value: unknown, depth: number): number {
  if (typeof value === 'string') {
    return value.length;
  }
  if (typeof value !== 'object' || value === null || depth === 0) {
    return 0;
  }
  let sum = 0;
  for (const inner of Object.values(value)) {
    sum += charactersIn(inner, depth - 1);
  }
  return sum;
}
