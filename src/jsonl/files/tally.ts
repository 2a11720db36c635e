/** Counts items and stores the first of them. */
export class Tally<T> {
  count = 0;
  readonly first: T[] = [];

  constructor(private readonly maxListed = 20) {}

  add(toItem: () => T): void {
    if (this.count++ < this.maxListed) {
      this.first.push(toItem());
    }
  }

  /** Returns a plain object that can be posted to another thread. */
  found(): { readonly count: number; readonly first: readonly T[] } {
    return { count: this.count, first: this.first };
  }
}
