import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, decodeString, type JsonBytes, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../scanning/jsonBytes';
import { maxDepth } from '../scanning/jsonProblem';

/**
 * Writes JSON values in canonical form, so that equal values have equal bytes: no white space, sorted keys, no needless escapes. Numbers
 * keep their notation: 1 and 1.0 differ. Values nested deeper than any valid request are copied unchanged.
 */
export class CanonicalJson {
  private out = Buffer.allocUnsafe(1 << 16);
  private used = 0;
  private spare = Buffer.allocUnsafe(1 << 10);

  constructor(private readonly json: JsonBytes) {}

  /** Returns the canonical bytes of the valid JSON value [start, end). They are valid until the next call. */
  write(start: number, end: number): Uint8Array {
    this.used = 0;
    if (this.value(start, 0) !== end) {
      this.used = 0;
      this.copy(start, end);
    }
    return this.out.subarray(0, this.used);
  }

  /** Writes the value at `at`. Returns the offset after it, or -1 if it is nested too deep. */
  private value(at: number, depth: number): number {
    const { json } = this;
    switch (depth > maxDepth ? -1 : json.bytes[at]) {
      case -1:
        return -1;
      case OPEN_BRACE:
        return this.object(at, depth);
      case OPEN_BRACKET:
        return this.array(at, depth);
      case QUOTE:
        return this.text(at);
      default: {
        const end = json.skipValue(at);
        this.copy(at, end);
        return end;
      }
    }
  }

  private array(at: number, depth: number): number {
    const { json } = this;
    this.put(OPEN_BRACKET);
    at = json.skipSpace(at + 1);
    while (at >= 0 && json.bytes[at] !== CLOSE_BRACKET) {
      at = this.value(at, depth + 1);
      if (at < 0) {
        return -1;
      }
      this.put(COMMA);
      at = json.skipSpace(at);
      at = json.bytes[at] === COMMA ? json.skipSpace(at + 1) : at;
    }
    this.put(CLOSE_BRACKET);
    return at + 1;
  }

  private object(at: number, depth: number): number {
    const { json } = this;
    this.put(OPEN_BRACE);
    const first = this.used;
    /** Offsets in `out` for each member: start of the key, end of the key, end of the value. */
    const members: (readonly [start: number, keyEnd: number, end: number])[] = [];
    let isSorted = true;
    at = json.skipSpace(at + 1);
    while (json.bytes[at] !== CLOSE_BRACE) {
      const start = this.used;
      at = this.text(at);
      const keyEnd = this.used;
      at = this.value(json.skipSpace(json.skipSpace(at) + 1), depth + 1);
      if (at < 0) {
        return -1;
      }
      this.put(COMMA);
      const before = members.at(-1);
      isSorted &&= before === undefined || this.out.compare(this.out, start, keyEnd, before[0], before[1]) <= 0;
      members.push([start, keyEnd, this.used]);
      at = json.skipSpace(at);
      at = json.bytes[at] === COMMA ? json.skipSpace(at + 1) : at;
    }
    if (!isSorted) {
      this.sort(first, members);
    }
    this.put(CLOSE_BRACE);
    return at + 1;
  }

  /** Sorts the members of an object, which start at `first` in `out`, by key. */
  private sort(first: number, members: (readonly [start: number, keyEnd: number, end: number])[]): void {
    members.sort((a, b) => this.out.compare(this.out, b[0], b[1], a[0], a[1]) || a[0] - b[0]);
    const length = this.used - first;
    if (this.spare.length < length) {
      this.spare = Buffer.allocUnsafe(length * 2);
    }
    let at = 0;
    for (const [start, , end] of members) {
      at += this.out.copy(this.spare, at, start, end);
    }
    this.spare.copy(this.out, first, 0, length);
  }

  private text(at: number): number {
    const { json } = this;
    const end = json.skipString(at);
    if (json.escaped) {
      const bytes = Buffer.from(JSON.stringify(decodeString(json.bytes, at, end)));
      this.reserve(bytes.length);
      this.used += bytes.copy(this.out, this.used);
    } else {
      this.copy(at, end);
    }
    return end;
  }

  private copy(start: number, end: number): void {
    this.reserve(end - start);
    this.out.set(this.json.bytes.subarray(start, end), this.used);
    this.used += end - start;
  }

  private put(byte: number): void {
    this.reserve(1);
    this.out[this.used++] = byte;
  }

  private reserve(bytes: number): void {
    if (this.used + bytes > this.out.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.out.length * 2, this.used + bytes));
      this.out.copy(larger, 0, 0, this.used);
      this.out = larger;
    }
  }
}
