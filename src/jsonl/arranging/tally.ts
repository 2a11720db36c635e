const mostKept = 20;

/** Counts lines or other positions, and stores the first of them. */
export class Tally<T> {
  private count = 0;
  private readonly first: T[] = [];

  add(place: T): void {
    this.count++;
    if (this.first.length < mostKept) {
      this.first.push(place);
    }
  }

  found(): { readonly count: number; readonly first: readonly T[] } {
    return { count: this.count, first: this.first };
  }
}
