import { createHash } from 'node:crypto';
import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, decodeString, JsonBytes, LF, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../scanning/jsonBytes';
import { maxDepth } from '../scanning/jsonText';

export const hashBytes = 8;

/** Hashes `params` to the first bytes of the SHA-256 of their canonical form. The same JSON in another notation has the same hash. */
export class ParamsHasher {
  private readonly json = new JsonBytes();
  private readonly canonical = new CanonicalJson(this.json);

  constructor(private readonly length = hashBytes) {}

  /** Hashes the valid JSON value from `start` to `end`. There must be a LF at or after `end`. */
  hash(bytes: Uint8Array, start: number, end: number): Buffer {
    this.json.bytes = bytes;
    return createHash('sha256').update(this.canonical.write(start, end)).digest().subarray(0, this.length);
  }

  /** Hashes a JSON text. Returns `undefined` if the text is invalid. */
  hashText(params: string | Uint8Array): Buffer | undefined {
    const text = typeof params === 'string' ? Buffer.from(params) : params;
    const bytes = Buffer.alloc(text.length + 1, LF);
    bytes.set(text);
    this.json.bytes = bytes;
    const start = this.json.skipSpace(0);
    const end = this.json.skipValue(start);
    return end < 0 || this.json.skipSpace(end) !== text.length ? undefined : this.hash(bytes, start, end);
  }
}

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

  /** Writes the value at `at`. Returns the offset after the value, or -1 if the value is nested too deep. */
  private value(at: number, depth: number): number {
    const { json } = this;
    switch (depth > maxDepth ? -1 : json.bytes[at]) {
      case -1:
        return -1;
      case OPEN_BRACE:
        return this.object(at, depth);
      case OPEN_BRACKET:
        return this.array(at, depth);
      case QUOTE: {
        const end = json.skipString(at);
        this.text(at, end);
        return end;
      }
      default: {
        const end = json.skipValue(at);
        this.copy(at, end);
        return end;
      }
    }
  }

  private array(at: number, depth: number): number {
    this.put(OPEN_BRACKET);
    const end = this.json.walkItems(at, item => {
      const itemEnd = this.value(item, depth + 1);
      this.put(COMMA);
      return itemEnd;
    });
    this.put(CLOSE_BRACKET);
    return end;
  }

  private object(at: number, depth: number): number {
    this.put(OPEN_BRACE);
    const first = this.used;
    /** Offsets in `out` for each member: start of the key, end of the key, end of the value. */
    const members: (readonly [start: number, keyEnd: number, end: number])[] = [];
    let isSorted = true;
    const end = this.json.walkMembers(at, (keyStart, keyEnd, value) => {
      const start = this.used;
      this.text(keyStart, keyEnd);
      const keyUsed = this.used;
      const valueEnd = this.value(value, depth + 1);
      this.put(COMMA);
      const before = members.at(-1);
      isSorted &&= before === undefined || this.out.compare(this.out, start, keyUsed, before[0], before[1]) <= 0;
      members.push([start, keyUsed, this.used]);
      return valueEnd;
    });
    if (!isSorted) {
      this.sort(first, members);
    }
    this.put(CLOSE_BRACE);
    return end;
  }

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

  /** Writes the string [start, end). This must be the last string that `json` skipped. */
  private text(start: number, end: number): void {
    if (!this.json.escaped) {
      this.copy(start, end);
      return;
    }
    const bytes = Buffer.from(JSON.stringify(decodeString(this.json.bytes, start, end)));
    this.reserve(bytes.length);
    this.used += bytes.copy(this.out, this.used);
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
