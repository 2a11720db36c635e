/** Focused, hovered and highlighted row of a list, by key. */
export class RowFocus {
  #active: string | undefined;
  #hovered: string | undefined;
  #marked: string | undefined;
  #isWanted = false;
  #isInside = false;

  /** The row that has the focus, or had it last. */
  get active(): string | undefined {
    return this.#active;
  }

  get hovered(): string | undefined {
    return this.#hovered;
  }

  get marked(): string | undefined {
    return this.#marked;
  }

  /** True while the focus is in the list. */
  get isInside(): boolean {
    return this.#isInside;
  }

  /** Clears the active and highlighted row, because other rows are shown. */
  forget(): void {
    this.#active = undefined;
    this.#marked = undefined;
  }

  /** Makes a row active. With `takesFocus`, it gets the focus once it is rendered. */
  go(key: string, { isMarked, takesFocus }: { readonly isMarked: boolean; readonly takesFocus: boolean }): void {
    this.#active = key;
    this.#marked = isMarked ? key : undefined;
    this.#isWanted = takesFocus;
  }

  /** Makes a row active and keeps it rendered, wherever it is, until the focus leaves the list. */
  goInside(key: string): void {
    this.go(key, { isMarked: false, takesFocus: true });
    this.#isInside = true;
  }

  /** Returns the row that has to get the focus. Returns it only once. */
  takeWanted(): string | undefined {
    const wanted = this.#isWanted ? this.#active : undefined;
    this.#isWanted &&= wanted === undefined;
    return wanted;
  }

  /** Handles focus on a row or its content. Returns whether another row was active before. */
  came(key: string | undefined): boolean {
    this.#isInside = true;
    const isNew = key !== undefined && key !== this.#active;
    this.#active = isNew ? key : this.#active;
    return isNew;
  }

  /** Handles a blur. `isInside` is true if the focus moved to another part of the list. */
  left(isInside: boolean): void {
    this.#isInside = isInside;
  }

  /** Sets the hovered row, if any. Returns whether it changed. */
  hover(key: string | undefined): boolean {
    const isNew = key !== this.#hovered;
    this.#hovered = key;
    return isNew;
  }
}
