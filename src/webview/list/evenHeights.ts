import type { RowHeights } from './rowHeights';

/** Heights of rows that all have the same height. */
export class EvenHeights implements RowHeights {
  constructor(
    readonly length: number,
    readonly rowHeight: number,
  ) {}

  get total(): number {
    return this.length * this.rowHeight;
  }

  at(index: number): number {
    return index < this.length ? this.rowHeight : 0;
  }

  before(index: number): number {
    return Math.min(index, this.length) * this.rowHeight;
  }

  find(offset: number): number {
    return Math.max(0, Math.min(Math.floor(offset / this.rowHeight), this.length - 1));
  }
}
