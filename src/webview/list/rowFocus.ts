/** Focused, hovered and highlighted row of a list, by key. */
export class RowFocus {
  /** The row that has the focus, or had it last. */
  active: string | undefined;
  hovered: string | undefined;
  marked: string | undefined;
  isInside = false;
  #isWanted = false;

  forget(): void {
    this.active = undefined;
    this.marked = undefined;
  }

  /** Makes a row active. With `takesFocus`, it gets the focus once it is rendered. */
  go(key: string, { isMarked, takesFocus }: { readonly isMarked: boolean; readonly takesFocus: boolean }): void {
    this.active = key;
    this.marked = isMarked ? key : undefined;
    this.#isWanted = takesFocus;
  }

  /** Makes a row active and keeps it rendered, wherever it is, until the focus leaves the list. */
  goInside(key: string): void {
    this.go(key, { isMarked: false, takesFocus: true });
    this.isInside = true;
  }

  /** Returns the row that has to get the focus. Returns it only once. */
  takeWanted(): string | undefined {
    const wanted = this.#isWanted ? this.active : undefined;
    this.#isWanted &&= wanted === undefined;
    return wanted;
  }

  /** Handles focus on a row or its content. Returns whether another row was active before. */
  came(key: string | undefined): boolean {
    this.isInside = true;
    const isNew = key !== undefined && key !== this.active;
    this.active = isNew ? key : this.active;
    return isNew;
  }

  hover(key: string | undefined): boolean {
    const isNew = key !== this.hovered;
    this.hovered = key;
    return isNew;
  }
}
