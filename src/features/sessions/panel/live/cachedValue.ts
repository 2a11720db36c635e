/** Caches a value that is computed again after `outdate`. Returns the same object as long as its JSON is the same. */
export class CachedValue<T> {
  private made: { readonly value: T; readonly text: string } | undefined;
  private isOutdated = true;

  constructor(private readonly make: () => T) {}

  get current(): T {
    let { made } = this;
    if (made === undefined || this.isOutdated) {
      this.isOutdated = false;
      const value = this.make();
      const text = JSON.stringify(value);
      made = text === made?.text ? made : { value, text };
      this.made = made;
    }
    return made.value;
  }

  outdate(): void {
    this.isOutdated = true;
  }
}
