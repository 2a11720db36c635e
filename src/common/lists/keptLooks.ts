/** Maximum age of a memoized value in milliseconds, so that relative times stay current. */
const longest = 20_000;

interface KeptLook<T> {
  readonly of: readonly unknown[];
  readonly at: number;
  readonly made: T;
}

/** Memoizes a value per object while its inputs are the same and the value is recent. */
export class KeptLooks<Thing extends object, T> {
  private readonly kept = new WeakMap<Thing, KeptLook<T>>();

  /** `now` is milliseconds since 1970. */
  constructor(private readonly now: () => number) {}

  /** Returns the result of `make`, which depends only on `of` and the time. */
  of(thing: Thing, of: readonly unknown[], make: () => T): T {
    const now = this.now();
    const before = this.kept.get(thing);
    const age = now - (before?.at ?? Number.NEGATIVE_INFINITY);
    if (before !== undefined && age >= 0 && age < longest && before.of.every((one, index) => one === of[index])) {
      return before.made;
    }
    const made = make();
    this.kept.set(thing, { of, at: now, made });
    return made;
  }
}
