import type { ListWindow } from './listWindow';

/** Scroll position of a list. Distinguishes scrolling by the user from scrolling by the list itself. */
export class ListScroll {
  /** Height of the viewport, in pixels. */
  viewport = 600;
  /** Total height of the rows above the viewport, in pixels of the list. */
  top = 0;
  /** Scroll position last set from here, in pixels of the page. A different position was set by the user. */
  #expected = 0;

  /** Updates the height of the viewport. Returns whether it changed. */
  resize(list: Element | null): boolean {
    const height = list?.clientHeight ?? this.viewport;
    const isResized = height !== this.viewport;
    this.viewport = height;
    return isResized;
  }

  /** Returns the start and end of a scroll by the user, in pixels of the list, or `undefined` if the user has not scrolled. */
  byUser(list: Element | null, window: ListWindow): { readonly from: number; readonly to: number } | undefined {
    const scrollTop = list?.scrollTop ?? 0;
    // The browser moves a list that has grown past its end back to the end, for example when a notice above it disappears.
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
