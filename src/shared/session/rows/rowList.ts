import type { Timeline } from '../facts/timeline';
import type { RowSource } from './rowSource';
import type { Row, RowSplice } from './rows';

/**
 * Rows of a transcript: those of stored events, then a tail of rows without a stored event. Each change returns the splices from the
 * previous rows.
 */
export class RowList {
  readonly rows: Row[] = [];
  #stored = 0;

  update(timeline: Timeline, tail: readonly Row[]): readonly RowSplice[] {
    const { dirty, sources } = timeline;
    const amended = [...dirty].filter(({ index }) => index < this.#stored).sort((a, b) => a.index - b.index);
    dirty.clear();
    const splices = this.#amend(timeline, amended);
    const added = sources.slice(this.#stored).map(source => timeline.build(source));
    const end = this.#replace(this.#stored, added.concat(tail), Object.is);
    this.#stored = sources.length;
    return [...splices, ...end];
  }

  rebuild(timeline: Timeline, tail: readonly Row[]): readonly RowSplice[] {
    timeline.dirty.clear();
    const rows = timeline.sources.map(source => timeline.build(source));
    const splices = this.#replace(0, rows.concat(tail), isAlike);
    this.#stored = rows.length;
    return splices;
  }

  #amend(timeline: Timeline, sources: readonly RowSource[]): readonly RowSplice[] {
    const splices: { at: number; remove: number; rows: Row[] }[] = [];
    for (const source of sources) {
      const row = timeline.build(source);
      this.rows[source.index] = row;
      const last = splices.at(-1);
      if (last !== undefined && last.at + last.remove === source.index) {
        last.remove++;
        last.rows.push(row);
      } else {
        splices.push({ at: source.index, remove: 1, rows: [row] });
      }
    }
    return splices;
  }

  /** Replaces all rows from `at` on. The returned splices leave out unchanged rows. */
  #replace(at: number, rows: readonly Row[], isSame: (a?: Row, b?: Row) => boolean): readonly RowSplice[] {
    const before = this.rows.length - at;
    let head = 0;
    while (head < before && head < rows.length && isSame(this.rows[at + head], rows[head])) {
      head++;
    }
    let end = 0;
    while (end < before - head && end < rows.length - head && this.rows.at(-1 - end) === rows.at(-1 - end)) {
      end++;
    }
    const remove = before - head - end;
    const added = rows.slice(head, rows.length - end);
    if (remove === 0 && added.length === 0) {
      return [];
    }
    this.rows.length = at + head;
    for (const row of rows.slice(head)) {
      this.rows.push(row);
    }
    return [{ at: at + head, remove, rows: added }];
  }
}

function isAlike(row?: Row, other?: Row): boolean {
  return row === other || JSON.stringify(row) === JSON.stringify(other);
}
