/** Caches a value that is computed again after `outdate`. Returns the same object as long as its JSON is the same. */
export class CachedValue<T> {
  private cached: { readonly value: T; readonly text: string } | undefined;
  private isOutdated = true;

  constructor(private readonly make: () => T) {}

  get current(): T {
    let { cached } = this;
    if (cached === undefined || this.isOutdated) {
      this.isOutdated = false;
      const value = this.make();
      const text = JSON.stringify(value);
      cached = text === cached?.text ? cached : { value, text };
      this.cached = cached;
    }
    return cached.value;
  }

  outdate(): void {
    this.isOutdated = true;
  }
}
