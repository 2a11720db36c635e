/** Memoized list. Stays the same array while its inputs or its elements are the same. */
export class MemoizedList<T> {
  private of: readonly unknown[] | undefined;
  private result: readonly T[] = [];

  /** Returns the result of `make`. Calls `make` again only if an element of `of` changed. */
  take(of: readonly unknown[], make: () => readonly T[]): readonly T[] {
    if (this.of === undefined || !isSame(this.of, of)) {
      this.result = reuseIfSame(this.result, make());
      this.of = of;
    }
    return this.result;
  }
}

/** Returns the previous list if the new one has the same elements. */
export function reuseIfSame<T>(before: readonly T[] | undefined, now: readonly T[]): readonly T[] {
  return before !== undefined && isSame(before, now) ? before : now;
}

export function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one === other || (one.length === other.length && one.every((value, index) => value === other[index]));
}
