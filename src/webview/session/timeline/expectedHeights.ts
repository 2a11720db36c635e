import type { Row, RowKind } from '../../../shared/session/rows/rows';

/** Height of a row when none of its kind has been drawn yet. */
const firstGuess = 26;
const lineHeight = 18;
const lettersInLine = 100;
const mostLines = 40;

/** How high rows are, in pixels: as they were drawn, or as can be thought of those that never were. They outlive a filter. */
export class ExpectedHeights {
  readonly #measured = new Map<string, number>();
  /** Lowest measured height of each kind: how high a row will be that was never drawn. */
  readonly #lowest = new Map<RowKind, number>();

  of(row: Row): number {
    return this.#measured.get(row.key) ?? (this.#lowest.get(row.kind) ?? firstGuess) + moreLines(row) * lineHeight;
  }

  measured(key: string, kind: RowKind | undefined, height: number): void {
    this.#measured.set(key, height);
    if (kind !== undefined && height < (this.#lowest.get(kind) ?? Number.POSITIVE_INFINITY)) {
      this.#lowest.set(kind, height);
    }
  }

  forget(key: string): void {
    this.#measured.delete(key);
  }
}

/** Lines that a row has more than the lowest of its kind, roughly. */
function moreLines(row: Row): number {
  if (row.kind !== 'user' && row.kind !== 'agent') {
    return 0;
  }
  const lines = row.parts.reduce((sum, part) => sum + (part.type === 'text' ? Math.ceil(part.text.length / lettersInLine) : 1), 0);
  return Math.max(0, Math.min(mostLines, lines) - 1);
}
