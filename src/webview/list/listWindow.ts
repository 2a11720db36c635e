import type { RowHeights } from './rowHeights';

/** Browsers stop drawing somewhere beyond 16 million pixels. */
const tallest = 8_000_000;

export interface RowRange {
  /** First row, and the one after the last. */
  readonly from: number;
  readonly to: number;
}

/**
 * What is seen of a list of rows, which may be taller than a page can be, and where it lies. `top` counts pixels of the whole list,
 * `scrollTop` those of the page; both are the same unless the list is too tall. `viewport` is the height in which rows are seen.
 */
export class ListWindow {
  constructor(
    readonly heights: RowHeights,
    readonly viewport: number,
  ) {}

  /** Whether a pixel of the page is more than one of the list. */
  get isSqueezed(): boolean {
    return this.heights.total > tallest;
  }

  /** Height of the element that all rows stand in. */
  get extent(): number {
    return Math.min(this.heights.total, tallest);
  }

  /** The greatest `top`. */
  get last(): number {
    return Math.max(0, this.heights.total - this.viewport);
  }

  clamp(top: number): number {
    return Math.max(0, Math.min(top, this.last));
  }

  topAt(scrollTop: number): number {
    const scrollable = this.extent - this.viewport;
    return this.clamp(this.isSqueezed && scrollable > 0 ? (scrollTop / scrollable) * this.last : scrollTop);
  }

  scrollTopAt(top: number): number {
    return this.isSqueezed && this.last > 0 ? (this.clamp(top) / this.last) * (this.extent - this.viewport) : this.clamp(top);
  }

  /** The rows in view at this place, and those that are `margin` pixels above and below it. */
  rangeAt(top: number, margin: number): RowRange {
    const { length } = this.heights;
    return length === 0
      ? { from: 0, to: 0 }
      : { from: this.heights.find(Math.max(0, top - margin)), to: Math.min(length, this.heights.find(top + this.viewport + margin) + 1) };
  }

  /** Where a row stands in the element of all rows, while the list is scrolled to `top`. */
  offsetOf(index: number, top: number): number {
    return this.heights.before(index) - top + this.scrollTopAt(top);
  }

  /** Whether the whole of a row is seen. */
  shows(index: number, top: number): boolean {
    const start = this.heights.before(index);
    return start >= top && start + this.heights.at(index) <= top + this.viewport;
  }

  /** The least that must be scrolled for a row to be seen whole, or its beginning where it is higher than the view. */
  topToShow(index: number, top: number): number {
    const start = this.heights.before(index);
    const height = this.heights.at(index);
    if (this.shows(index, top)) {
      return this.clamp(top);
    }
    return this.clamp(start < top || height > this.viewport ? start : start + height - this.viewport);
  }

  /** The row that a page key leads to; `overlap` pixels of what is seen stay in view. */
  pageFrom(index: number, direction: 1 | -1, overlap: number): number {
    const target = this.heights.find(Math.max(0, this.heights.before(index) + direction * (this.viewport - overlap)));
    return direction === 1 ? Math.max(index + 1, target) : Math.min(index - 1, target);
  }

  /** Where a turn of the wheel leads; undefined where the page scrolls as far by itself. `line` is the height of a line. */
  topAfterWheel(event: Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'ctrlKey' | 'shiftKey'>, top: number, line: number): number | undefined {
    const { deltaY, deltaMode } = event;
    if (!this.isSqueezed || deltaY === 0 || event.ctrlKey || event.shiftKey) {
      return undefined;
    }
    return this.clamp(top + deltaY * (deltaMode === 1 ? line : deltaMode === 2 ? this.viewport : 1));
  }

  /** The rows to draw: those of a range, and the one with the keyboard, which would lose it if it were not in the page. */
  drawnOf({ from, to }: RowRange, kept: number | undefined): readonly number[] {
    const rows = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
    if (kept === undefined || kept < 0 || kept >= this.heights.length || (kept >= from && kept < to)) {
      return rows;
    }
    return kept < from ? [kept, ...rows] : [...rows, kept];
  }
}
