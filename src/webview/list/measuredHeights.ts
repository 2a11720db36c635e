import type { RowHeights } from './rowHeights';

/** Heights of a long list of rows, in pixels. Sums, look-ups, single changes and appending take logarithmic time. */
export class MeasuredHeights implements RowHeights {
  #heights = new Float64Array(1024);
  /** A Fenwick tree with 1-based indexes. */
  #sums = new Float64Array(1025);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get total(): number {
    return this.before(this.#length);
  }

  at(index: number): number {
    return index < this.#length ? (this.#heights[index] ?? 0) : 0;
  }

  /** Returns the height of all rows before `index`. */
  before(index: number): number {
    let sum = 0;
    for (let node = Math.min(index, this.#length); node > 0; node -= node & -node) {
      sum += this.#sums[node] ?? 0;
    }
    return sum;
  }

  set(index: number, height: number): void {
    const difference = height - this.at(index);
    this.#heights[index] = height;
    for (let node = index + 1; node <= this.#length; node += node & -node) {
      this.#sums[node] = (this.#sums[node] ?? 0) + difference;
    }
  }

  push(height: number): void {
    if (this.#length === this.#heights.length) {
      const heights = new Float64Array(this.#length * 2);
      heights.set(this.#heights);
      const sums = new Float64Array(this.#length * 2 + 1);
      sums.set(this.#sums);
      this.#heights = heights;
      this.#sums = sums;
    }
    this.#heights[this.#length] = height;
    const node = ++this.#length;
    let sum = height;
    for (let child = node - 1; child > node - (node & -node); child -= child & -child) {
      sum += this.#sums[child] ?? 0;
    }
    this.#sums[node] = sum;
  }

  /** Replaces `remove` rows at `at` by rows of these heights. Takes time in proportion to the number of rows after `at`. */
  splice(at: number, remove: number, heights: readonly number[]): void {
    const rest = this.#heights.slice(at + remove, Math.max(this.#length, at + remove));
    const kept = this.#length - (at + remove);
    this.#length = at;
    for (const height of heights) {
      this.push(height);
    }
    for (let index = 0; index < kept; index++) {
      this.push(rest[index] ?? 0);
    }
  }

  /** Returns the row at this distance from the top: the last one that starts at or above it; 0 for an empty list. */
  find(offset: number): number {
    let node = 0;
    let left = offset;
    for (let step = 1 << Math.floor(Math.log2(this.#length || 1)); step > 0; step >>= 1) {
      const next = node + step;
      const sum = this.#sums[next] ?? 0;
      if (next <= this.#length && sum <= left) {
        node = next;
        left -= sum;
      }
    }
    return Math.max(0, Math.min(node, this.#length - 1));
  }
}
