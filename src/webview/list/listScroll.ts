import type { ListWindow } from './listWindow';

/** Where a list stands in its page that holds its own place: what scrolls it is told from where the user scrolls it to. */
export class ListScroll {
  /** Height of what is in view, in pixels. */
  viewport = 600;
  /** Pixels of the whole list above what is in view. */
  top = 0;
  /** Pixels of the page that the list was scrolled to from here; any other place is the user's doing. */
  #expected = 0;

  /** Takes over the list's height; true when it is another than before. */
  resize(list: Element | null): boolean {
    const height = list?.clientHeight ?? this.viewport;
    const isResized = height !== this.viewport;
    this.viewport = height;
    return isResized;
  }

  /** Where the user has scrolled the list, in pixels of the whole list; undefined when that was not the user. */
  byUser(list: Element | null, window: ListWindow): { readonly from: number; readonly to: number } | undefined {
    const place = list?.scrollTop ?? 0;
    // A list that has grown is moved by the page to where it ends now: when a notice above it goes away, for instance.
    const isMovedByPage = list !== null && list.clientHeight > this.viewport && place >= list.scrollHeight - list.clientHeight - 1;
    if (Math.abs(place - this.#expected) <= 1 || isMovedByPage) {
      return undefined;
    }
    const from = this.#expected;
    this.#expected = place;
    return { from: window.topAt(from), to: window.topAt(place) };
  }

  /** Scrolls the list to where it has to be. */
  apply(list: Element, window: ListWindow): void {
    const place = window.scrollTopAt(this.top);
    if (Math.abs(list.scrollTop - place) >= 1) {
      list.scrollTop = place;
    }
    this.#expected = list.scrollTop;
  }
}
