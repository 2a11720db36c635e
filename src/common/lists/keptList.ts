/** A list that is made of other things, and stays the very one of before for as long as these are the same, or all that is made of them is. */
export class KeptList<T> {
  private of: readonly unknown[] | undefined;
  private made: readonly T[] = [];

  /** What `make` makes; `of` is all that this depends on. */
  take(of: readonly unknown[], make: () => readonly T[]): readonly T[] {
    if (this.of === undefined || !isSame(this.of, of)) {
      this.made = keptIfSame(this.made, make());
      this.of = of;
    }
    return this.made;
  }
}

/** The very list of before where `now` holds the same. */
export function keptIfSame<T>(before: readonly T[] | undefined, now: readonly T[]): readonly T[] {
  return before !== undefined && isSame(before, now) ? before : now;
}

/** Whether two lists hold the same things in the same order. */
export function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one === other || (one.length === other.length && one.every((value, index) => value === other[index]));
}
