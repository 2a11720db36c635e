/** Rendered rows of a list, by key. Reports when a row or the list changes its size. */
export class RenderedRows {
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

  /** Returns the ref callback of a row, the same function for each call with that key. */
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

  /** Calls `take` with the height of each row in pixels. Returns whether one of the calls returned true. */
  measure(take: (key: string, height: number) => boolean): boolean {
    let isChanged = false;
    for (const [key, element] of this.#elements) {
      isChanged = take(key, element.getBoundingClientRect().height) || isChanged;
    }
    return isChanged;
  }

  /** Returns the key of the row with this element. */
  keyOf(article: Element | null): string | undefined {
    for (const [key, element] of this.#elements) {
      if (element === article) {
        return key;
      }
    }
    return undefined;
  }

  /** Focuses a row, if it is rendered. */
  focus(key: string | undefined): void {
    this.#elements.get(key ?? '')?.focus({ preventScroll: true });
  }

  /** Makes Tab visit only the controls of the active row. `controls` is the CSS selector of controls. */
  keepTabStops(active: string | undefined, controls: string): void {
    for (const [key, element] of this.#elements) {
      const tabIndex = key === active ? 0 : -1;
      for (const control of element.querySelectorAll<HTMLElement>(controls)) {
        control.tabIndex = tabIndex;
      }
    }
  }
}
