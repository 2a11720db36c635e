/** Last value that was read, to distinguish a change of the value from an event that says that it may have changed. */
export class ByValue {
  private last: string;

  constructor(private readonly read: () => unknown) {
    this.last = this.current();
  }

  /** Returns whether the current value differs from the last one. */
  hasChanged(): boolean {
    const before = this.last;
    this.last = this.current();
    return this.last !== before;
  }

  private current(): string {
    return JSON.stringify(this.read()) ?? '';
  }
}
