/** What was read last, to tell a change of the value from a mere word that something may have changed. */
export class ByValue {
  private last: string;

  constructor(private readonly read: () => unknown) {
    this.last = this.current();
  }

  /** Whether another value is read now than the last time. */
  hasChanged(): boolean {
    const before = this.last;
    this.last = this.current();
    return this.last !== before;
  }

  private current(): string {
    return JSON.stringify(this.read()) ?? '';
  }
}
