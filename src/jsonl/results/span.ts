/** Position of a JSON value in the bytes: from its first byte to the one after its last. `start` is -1 if there is none. */
export class Span {
  start = -1;
  end = -1;
  /** True for a string with an escape. */
  escaped = false;

  set(start: number, end: number, escaped: boolean): void {
    this.start = start;
    this.end = end;
    this.escaped = escaped;
  }

  clear(): void {
    this.start = -1;
  }

  get present(): boolean {
    return this.start >= 0;
  }
}
