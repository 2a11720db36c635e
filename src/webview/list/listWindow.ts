/** Heights of the rows of a list, in pixels. */
interface RowHeights {
  readonly length: number;
  readonly total: number;
  at(index: number): number;
  /** Returns the height of all rows before `index`. */
  before(index: number): number;
  /** Returns the row at this distance from the top: the last row that starts at or above it. Returns 0 for an empty list. */
  find(offset: number): number;
}

/** Maximum height of an element, in pixels. Browsers stop rendering beyond about 16 million pixels. */
const tallest = 8_000_000;

interface RowRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Visible part of a list that may be taller than an element can be. `top` is in pixels of the list and `scrollTop` in pixels of the page.
 * Both are equal unless the list is too tall. `viewport` is the height of the visible part.
 */
export class ListWindow {
  constructor(
    readonly heights: RowHeights,
    readonly viewport: number,
  ) {}

  /** True if one pixel of the page is more than one pixel of the list. */
  get isSqueezed(): boolean {
    return this.heights.total > tallest;
  }

  /** Height of the element that contains all rows. */
  get extent(): number {
    return Math.min(this.heights.total, tallest);
  }

  /** Maximum value of `top`. */
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

  /** Returns the rows in view at `top`, and those within `margin` pixels above and below. */
  rangeAt(top: number, margin: number): RowRange {
    const { length } = this.heights;
    return length === 0
      ? { from: 0, to: 0 }
      : { from: this.heights.find(Math.max(0, top - margin)), to: Math.min(length, this.heights.find(top + this.viewport + margin) + 1) };
  }

  /** Returns the offset of a row in the element that contains all rows, while the list is scrolled to `top`. */
  offsetOf(index: number, top: number): number {
    return this.heights.before(index) - top + this.scrollTopAt(top);
  }

  shows(index: number, top: number): boolean {
    const start = this.heights.before(index);
    return start >= top && start + this.heights.at(index) <= top + this.viewport;
  }

  /** Returns the closest `top` at which a row is completely visible. For a row higher than the viewport, its start is visible. */
  topToShow(index: number, top: number): number {
    const start = this.heights.before(index);
    const height = this.heights.at(index);
    if (this.shows(index, top)) {
      return this.clamp(top);
    }
    return this.clamp(start < top || height > this.viewport ? start : start + height - this.viewport);
  }

  /** Returns the row that a page key moves to. `overlap` pixels of the visible part stay in view. */
  pageFrom(index: number, direction: 1 | -1, overlap: number): number {
    const target = this.heights.find(Math.max(0, this.heights.before(index) + direction * (this.viewport - overlap)));
    return direction === 1 ? Math.max(index + 1, target) : Math.min(index - 1, target);
  }

  /** Returns the `top` after a wheel event, or `undefined` if the browser should scroll natively. `line` is the height of a line. */
  topAfterWheel(event: Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'ctrlKey' | 'shiftKey'>, top: number, line: number): number | undefined {
    const { deltaY, deltaMode } = event;
    if (!this.isSqueezed || deltaY === 0 || event.ctrlKey || event.shiftKey) {
      return undefined;
    }
    return this.clamp(top + deltaY * (deltaMode === 1 ? line : deltaMode === 2 ? this.viewport : 1));
  }

  /** Returns the rows to render: the range, and the focused row, which would lose the focus if it were removed. */
  renderedOf({ from, to }: RowRange, focused: number | undefined): readonly number[] {
    const rows = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
    if (focused === undefined || focused < 0 || focused >= this.heights.length || (focused >= from && focused < to)) {
      return rows;
    }
    return focused < from ? [focused, ...rows] : [...rows, focused];
  }
}

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

/** Keyboard moves between rows. */
export type RowMove = 'previous' | 'next' | 'pageUp' | 'pageDown' | 'first' | 'last';

/** Keys that move from row to row in every list. */
export const moveKeys = {
  ArrowUp: 'previous',
  ArrowDown: 'next',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
  Home: 'first',
  End: 'last',
} as const satisfies Readonly<Record<string, RowMove>>;

const moves: ReadonlySet<string> = new Set(Object.values(moveKeys));

export function isRowMove(act: string): act is RowMove {
  return moves.has(act);
}

/** Returns the row after a move, or `undefined` in an empty list. `overlap` is the same as for `pageFrom`. */
export function rowAfter(move: RowMove, index: number, window: ListWindow, overlap = 0): number | undefined {
  const last = window.heights.length - 1;
  const target = {
    previous: index - 1,
    next: index + 1,
    pageUp: window.pageFrom(index, -1, overlap),
    pageDown: window.pageFrom(index, 1, overlap),
    first: 0,
    last,
  }[move];
  return last < 0 ? undefined : Math.max(0, Math.min(last, target));
}

/** Heights of a list of rows, in pixels. A change costs one addition for each row after it, at the next lookup. */
export class MeasuredHeights implements RowHeights {
  /** Distance of each row from the top, followed by the distance of the end. Entries after `#summed` are out of date. */
  readonly #tops = [0];
  #summed = 0;

  constructor(private readonly heights: number[] = []) {}

  get length(): number {
    return this.heights.length;
  }

  get total(): number {
    return this.before(this.length);
  }

  at(index: number): number {
    return this.heights[index] ?? 0;
  }

  before(index: number): number {
    const end = Math.min(index, this.length);
    for (; this.#summed < end; this.#summed++) {
      this.#tops[this.#summed + 1] = (this.#tops[this.#summed] ?? 0) + this.at(this.#summed);
    }
    return this.#tops[end] ?? 0;
  }

  set(index: number, height: number): void {
    this.heights[index] = height;
    this.#summed = Math.min(this.#summed, index);
  }

  push(height: number): void {
    this.heights.push(height);
  }

  /** Removes all rows from `length` on. */
  truncate(length: number): void {
    this.heights.length = Math.min(this.length, length);
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

/** Scroll position of a list. Distinguishes scrolling by the user from scrolling by the list itself. */
export class ListScroll {
  /** Height of the viewport, in pixels. */
  viewport = 600;
  /** Total height of the rows above the viewport, in pixels of the list. */
  top = 0;
  /** Scroll position last set from here, in pixels of the page. A different position was set by the user. */
  #expected = 0;

  /** Updates the height of the viewport. Returns whether the height changed. */
  resize(list: Element | null): boolean {
    const height = list?.clientHeight ?? this.viewport;
    const isResized = height !== this.viewport;
    this.viewport = height;
    return isResized;
  }

  /** Returns the start and end of a scroll by the user, in pixels of the list, or `undefined` if the user has not scrolled. */
  byUser(list: Element | null, window: ListWindow): { readonly from: number; readonly to: number } | undefined {
    const scrollTop = list?.scrollTop ?? 0;
    // If the list is at its end and the viewport grows, the browser scrolls. The viewport grows when a notice disappears, for example.
    const isMovedByPage = list !== null && list.clientHeight > this.viewport && scrollTop >= list.scrollHeight - list.clientHeight - 1;
    if (Math.abs(scrollTop - this.#expected) <= 1 || isMovedByPage) {
      return undefined;
    }
    const from = this.#expected;
    this.#expected = scrollTop;
    return { from: window.topAt(from), to: window.topAt(scrollTop) };
  }

  apply(list: Element, window: ListWindow): void {
    const scrollTop = window.scrollTopAt(this.top);
    if (Math.abs(list.scrollTop - scrollTop) >= 1) {
      list.scrollTop = scrollTop;
    }
    this.#expected = list.scrollTop;
  }
}
