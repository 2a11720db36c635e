/** A list that is made of other things, and stays the very one of before for as long as these are the same, or all that is made of them is. */
export class KeptList<T> {
  private of: readonly unknown[] | undefined;
  private made: readonly T[] = [];

  /** What `make` makes; `of` is all that this depends on. */
  take(of: readonly unknown[], make: () => readonly T[]): readonly T[] {
    if (this.of === undefined || !isSame(this.of, of)) {
      const now = make();
      this.made = isSame(this.made, now) ? this.made : now;
      this.of = of;
    }
    return this.made;
  }
}

/** Whether two lists hold the same things in the same order. */
export function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one === other || (one.length === other.length && one.every((value, index) => value === other[index]));
}
