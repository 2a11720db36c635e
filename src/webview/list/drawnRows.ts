/** The rows of a list that are in the page, by key, and the list itself: tells when one of them has another size. */
export class DrawnRows {
  readonly #elements = new Map<string, HTMLElement>();
  readonly #refs = new Map<string, (element: HTMLElement | null) => void>();
  readonly #sizes: ResizeObserver;

  constructor(onSizes: () => void) {
    this.#sizes = new ResizeObserver(onSizes);
  }

  observe(list: Element): void {
    this.#sizes.observe(list);
  }

  disconnect(): void {
    this.#sizes.disconnect();
  }

  /** What takes the element of a row: always the same for one key. */
  refFor(key: string): (element: HTMLElement | null) => void {
    const known = this.#refs.get(key);
    if (known !== undefined) {
      return known;
    }
    const take = (element: HTMLElement | null): void => {
      const before = this.#elements.get(key);
      if (before !== undefined && before !== element) {
        this.#sizes.unobserve(before);
        this.#elements.delete(key);
      }
      if (element === null) {
        this.#refs.delete(key);
      } else {
        this.#elements.set(key, element);
        this.#sizes.observe(element);
      }
    };
    this.#refs.set(key, take);
    return take;
  }

  /** Tells the height of each row in pixels; true when one of them was news. */
  measure(take: (key: string, height: number) => boolean): boolean {
    let isChanged = false;
    for (const [key, element] of this.#elements) {
      isChanged = take(key, element.getBoundingClientRect().height) || isChanged;
    }
    return isChanged;
  }

  /** The row that is this element. */
  keyOf(article: Element | null): string | undefined {
    for (const [key, element] of this.#elements) {
      if (element === article) {
        return key;
      }
    }
    return undefined;
  }

  /** Gives the keyboard to a row, if there is one. */
  focus(key: string | undefined): void {
    this.#elements.get(key ?? '')?.focus({ preventScroll: true });
  }

  /** Tab comes to one row and what is in it, and then leaves the list. `controls` selects what in a row it can come to. */
  keepTabStops(active: string | undefined, controls: string): void {
    for (const [key, element] of this.#elements) {
      const tabIndex = key === active ? 0 : -1;
      for (const control of element.querySelectorAll<HTMLElement>(controls)) {
        control.tabIndex = tabIndex;
      }
    }
  }
}
