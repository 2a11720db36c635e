import type { Row, RowSplice } from '../../../../shared/session/rows/rows';

interface Pending {
  at: number;
  remove: number;
  readonly rows: Row[];
}

/** How many splices back a new one looks for one it can be joined with. */
const reach = 16;

/**
 * Splices that wait to be sent, as few as can be: one that touches what an earlier one put in becomes part of it, so that a
 * storm of appended and amended rows stays one splice. Applied in order they do what was added, in order, would have done.
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

  /** Takes out what comes first: at most so many rows and about so many characters of text, but at least one row. */
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
        // Rows that take the place of as many others do so one by one.
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

/** Makes `earlier` do what it did and then what a splice does that touches what it put in. */
function join(earlier: Pending, at: number, { remove, rows }: RowSplice): void {
  const before = Math.max(0, earlier.at - at);
  const after = Math.max(0, at + remove - (earlier.at + earlier.rows.length));
  insert(earlier.rows, Math.max(0, at - earlier.at), remove - before - after, rows);
  earlier.at -= before;
  earlier.remove += before + after;
}

function insert(into: Row[], at: number, remove: number, rows: readonly Row[]): void {
  if (at === into.length && remove === 0) {
    // One by one: a call takes only so many arguments.
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

/** About how much of a message a row is. */
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
