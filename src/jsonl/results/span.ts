/** A JSON value's place in the bytes: from its first byte to behind its last. `start` is -1 when there is none. */
export class Span {
  start = -1;
  end = -1;
  /** Whether it is a string with an escape in it. */
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
