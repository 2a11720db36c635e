import { createHash } from 'node:crypto';
import { JsonBytes, LF } from '../scanning/jsonBytes';
import { CanonicalJson } from './canonicalJson';

/** Length of a hash, in bytes. */
export const hashBytes = 8;

/** Hashes `params`: the first bytes of the SHA-256 of their canonical form. The same JSON in another notation has the same hash. */
export class ParamsHasher {
  private readonly json = new JsonBytes();
  private readonly canonical = new CanonicalJson(this.json);

  constructor(private readonly length = hashBytes) {}

  /** Hashes the valid JSON value from `start` to `end`. There must be an LF at `end` or after it. */
  hash(bytes: Uint8Array, start: number, end: number): Buffer {
    this.json.bytes = bytes;
    return createHash('sha256').update(this.canonical.write(start, end)).digest().subarray(0, this.length);
  }

  /** Hashes a JSON text. Returns `undefined` if it is invalid. */
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
