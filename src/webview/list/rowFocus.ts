/** Which row of a list the keyboard is on, which one the pointer, and which one is marked as found; by key. */
export class RowFocus {
  #active: string | undefined;
  #hovered: string | undefined;
  #marked: string | undefined;
  #isWanted = false;
  #isInside = false;

  /** The row that the keyboard is on, or was on last. */
  get active(): string | undefined {
    return this.#active;
  }

  get hovered(): string | undefined {
    return this.#hovered;
  }

  get marked(): string | undefined {
    return this.#marked;
  }

  /** Whether the keyboard is in the list. */
  get isInside(): boolean {
    return this.#isInside;
  }

  /** Other rows are shown: none of them was looked at. */
  forget(): void {
    this.#active = undefined;
    this.#marked = undefined;
  }

  /** Goes to a row; `takesFocus`: the keyboard goes with it as soon as the row is drawn. */
  go(key: string, { isMarked, takesFocus }: { readonly isMarked: boolean; readonly takesFocus: boolean }): void {
    this.#active = key;
    this.#marked = isMarked ? key : undefined;
    this.#isWanted = takesFocus;
  }

  /** Goes to a row and keeps it in the page, wherever it is, until the keyboard leaves the list. */
  goInside(key: string): void {
    this.go(key, { isMarked: false, takesFocus: true });
    this.#isInside = true;
  }

  /** The row that is to get the keyboard; once for each that was gone to. */
  takeWanted(): string | undefined {
    const wanted = this.#isWanted ? this.#active : undefined;
    this.#isWanted &&= wanted === undefined;
    return wanted;
  }

  /** The keyboard came to a row or to what is in it; true when it was on another. */
  came(key: string | undefined): boolean {
    this.#isInside = true;
    const isNew = key !== undefined && key !== this.#active;
    this.#active = isNew ? key : this.#active;
    return isNew;
  }

  /** The keyboard left a row; `isInside` when it only went to another part of the list. */
  left(isInside: boolean): void {
    this.#isInside = isInside;
  }

  /** The pointer is on a row, or on none; true when it was elsewhere. */
  hover(key: string | undefined): boolean {
    const isNew = key !== this.#hovered;
    this.#hovered = key;
    return isNew;
  }
}
