/** What is told of ages may be as old as that, in milliseconds: lists that are looked at are drawn at least as seldom. */
const longest = 20_000;

interface KeptLook<T> {
  readonly of: readonly unknown[];
  readonly at: number;
  readonly made: T;
}

/** What was made of things, as long as what it was made of is the same and not long ago: a list that is drawn again makes nothing anew but what changed. */
export class KeptLooks<Thing extends object, T> {
  private readonly kept = new WeakMap<Thing, KeptLook<T>>();

  /** `now` is milliseconds since 1970. */
  constructor(private readonly now: () => number) {}

  /** What `make` makes of a thing; `of` is all that this depends on but the time. */
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
