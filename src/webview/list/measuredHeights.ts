import type { RowHeights } from './listWindow';

/** Heights of a list of rows, in pixels. A change costs one addition for each row behind it, at the next look-up. */
export class MeasuredHeights implements RowHeights {
  readonly #heights: number[];
  /** Distance of each row and of the end from the top. Those after `#summed` are out of date. */
  readonly #tops = [0];
  #summed = 0;

  constructor(heights: number[] = []) {
    this.#heights = heights;
  }

  get length(): number {
    return this.#heights.length;
  }

  get total(): number {
    return this.before(this.length);
  }

  at(index: number): number {
    return this.#heights[index] ?? 0;
  }

  before(index: number): number {
    const end = Math.min(index, this.length);
    for (; this.#summed < end; this.#summed++) {
      this.#tops[this.#summed + 1] = (this.#tops[this.#summed] ?? 0) + this.at(this.#summed);
    }
    return this.#tops[end] ?? 0;
  }

  set(index: number, height: number): void {
    this.#heights[index] = height;
    this.#summed = Math.min(this.#summed, index);
  }

  push(height: number): void {
    this.#heights.push(height);
  }

  /** Removes all rows from `length` on. */
  truncate(length: number): void {
    this.#heights.length = Math.min(this.length, length);
    this.#summed = Math.min(this.#summed, length);
  }

  find(offset: number): number {
    let low = 0;
    let high = this.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.before(middle) <= offset) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
