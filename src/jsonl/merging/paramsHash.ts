import { createHash } from 'node:crypto';
import { CanonicalJson } from '../arranging/canonicalJson';
import { JsonBytes, LF } from '../scanning/jsonBytes';

/** Bytes of a hash. */
export const hashBytes = 8;

/** Hashes `params`: the first 8 bytes of the SHA-256 of their canonical form, so that two that say the same have the same hash. */
export class ParamsHasher {
  private readonly json = new JsonBytes();
  private readonly canonical = new CanonicalJson(this.json);

  /** Of the valid JSON value from `start` to `end`; there is a LF at `end` or behind it. */
  hash(bytes: Uint8Array, start: number, end: number): Buffer {
    this.json.bytes = bytes;
    return createHash('sha256').update(this.canonical.write(start, end)).digest().subarray(0, hashBytes);
  }

  /** Of a JSON text; undefined when it is none. */
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
