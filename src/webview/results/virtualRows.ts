/** Pixels of every row. */
export const rowHeight = 24;

/** Browsers stop drawing somewhere beyond 16 million pixels. */
const tallest = 8_000_000;

/** Rows drawn beyond what is seen, at both ends. */
const margin = 2;

/**
 * Where the rows of a list lie that may be taller than a page can be. `top` counts pixels of the whole list, `scrollTop` those of the
 * page; both are the same unless the list is too tall. `viewport` is the height in which rows are seen.
 */
export class VirtualRows {
  constructor(
    readonly count: number,
    readonly viewport: number,
  ) {}

  private get whole(): number {
    return this.count * rowHeight;
  }

  /** Whether a pixel of the page is more than one of the list. */
  get isSqueezed(): boolean {
    return this.whole > tallest;
  }

  /** Height of the element that all rows stand in. */
  get extent(): number {
    return Math.min(this.whole, tallest);
  }

  /** The greatest `top`. */
  get last(): number {
    return Math.max(0, this.whole - this.viewport);
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

  /** The rows to draw. */
  rangeAt(top: number): { readonly from: number; readonly to: number } {
    const from = Math.max(0, Math.floor(top / rowHeight) - margin);
    return { from, to: Math.min(this.count, Math.ceil((top + this.viewport) / rowHeight) + margin) };
  }

  /** Where a row stands in the element of all rows, while it is scrolled to `top`. */
  offsetOf(place: number, top: number): number {
    return place * rowHeight - top + this.scrollTopAt(top);
  }

  /** The least that must be scrolled for a row to be seen whole. */
  topToShow(place: number, top: number): number {
    const start = place * rowHeight;
    return this.clamp(start < top ? start : Math.max(top, start + rowHeight - this.viewport));
  }

  /** Rows that a page key goes over. */
  get page(): number {
    return Math.max(1, Math.floor(this.viewport / rowHeight) - 1);
  }
}
