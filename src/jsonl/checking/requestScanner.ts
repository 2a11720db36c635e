import { LF } from '../scanning/jsonBytes';
import moduleBytes from '../wasm/requestScan.wasm';
import { createRequestScanTable } from './requestScanTable';

const tableAt = 1024;

/** Module of the scan, compiled once per thread. */
const compiled = new WebAssembly.Module(moduleBytes);
const table = createRequestScanTable(tableAt);

/** Result of the scan for a line. An `unknown` line is left to the rules and may be valid. An `other` one is an object but no request. */
export const scanStatus = { unknown: 0, request: 1, params: 2, blank: 3, other: 4 } as const;

/** Kind of a line, indexed by its status. The first entry is unused: the rules judge an `unknown` line. */
export const kindOfStatus = ['invalid', 'request', 'params', 'blank', 'invalid'] as const;

/** Words of a line's record in `RequestScanner.records`. Positions are offsets in `RequestScanner.memory`. */
export const record = {
  start: 0,
  end: 1,
  status: 2,
  idStart: 3,
  idEnd: 4,
  modelStart: 5,
  modelEnd: 6,
  valueStart: 7,
  valueEnd: 8,
  /** Bits of `note`, valid only if the scan recognizes the line. */
  notes: 9,
  /** Two words for the line's oddities; see `odditiesAt`. */
  oddities: 10,
  /** `max_tokens`, rounded up and at most 2^32 - 1; 0 if it is missing. See `maxTokensAt`. */
  maxTokens: 12,
  words: 14,
} as const;

/**
 * Returns a fingerprint of the oddities of the line whose record starts at `at`: 0 if the line matches the schemas, otherwise an integer.
 */
export function odditiesAt(records: Int32Array, at: number): number {
  const low = records[at + record.oddities] ?? 0;
  const high = records[at + record.oddities + 1] ?? 0;
  return (high & 0x1fffff) * 0x100000000 + (low >>> 0);
}

/** Returns the `max_tokens` of the line whose record starts at `at`, or 0 if it has none. */
export function maxTokensAt(records: Int32Array, at: number): number {
  return (records[at + record.maxTokens] ?? 0) >>> 0;
}

interface Exports {
  configure(request: number, params: number, keys: number): void;
  scan(from: number, to: number, isLast: boolean, out: number, most: number): number;
  consumedTo(): number;
}

const page = 65_536;
const keysBytes = 65_536;
const maxRecords = 8192;
/** Number of LF bytes after the input: the scan reads up to 16 bytes at a time and stops at LF. */
const padding = 32;

/**
 * Scans request lines about as fast as memory can be read. Reports which lines are certainly valid, and which have the same oddities. Bytes
 * go into `memory` from `inputAt` on. The caller must check that they are UTF-8.
 */
export class RequestScanner {
  private readonly wasm: WebAssembly.Memory;
  private readonly exports: Exports;
  private readonly recordsAt: number;
  readonly inputAt: number;
  private capacity = 0;
  memory: Uint8Array<ArrayBuffer>;
  records: Int32Array;

  constructor(inputBytes: number) {
    const keysAt = align(tableAt + table.bytes.length);
    this.recordsAt = keysAt + keysBytes;
    this.inputAt = align(this.recordsAt + maxRecords * record.words * 4);
    this.wasm = new WebAssembly.Memory({ initial: Math.ceil((this.inputAt + inputBytes + padding) / page) });
    const instance = new WebAssembly.Instance(compiled, { env: { memory: this.wasm } });
    this.exports = instance.exports as unknown as Exports;
    this.memory = new Uint8Array(this.wasm.buffer);
    this.records = new Int32Array(this.wasm.buffer, this.recordsAt, maxRecords * record.words);
    this.capacity = this.memory.length - this.inputAt - padding;
    this.memory.set(table.bytes, tableAt);
    this.exports.configure(table.request, table.params, keysAt);
  }

  /** Capacity of `memory` from `inputAt` on, in bytes. */
  get inputBytes(): number {
    return this.capacity;
  }

  /** Makes room for at least `bytes` bytes. Replaces `memory` and `records`. */
  reserve(bytes: number): void {
    if (bytes > this.capacity) {
      this.wasm.grow(Math.ceil((bytes - this.capacity) / page));
      this.memory = new Uint8Array(this.wasm.buffer);
      this.records = new Int32Array(this.wasm.buffer, this.recordsAt, maxRecords * record.words);
      this.capacity = this.memory.length - this.inputAt - padding;
    }
  }

  /**
   * Scans the lines of [from, to) in `memory` and returns the number of records written, at most 8,192. A last line without LF counts only
   * if `isLast` is set. `consumed` is the offset at which the next scan starts.
   */
  scan(from: number, to: number, isLast: boolean): { readonly count: number; readonly consumed: number } {
    this.memory.fill(LF, to, to + padding);
    const count = this.exports.scan(from, to, isLast, this.recordsAt, maxRecords);
    return { count, consumed: this.exports.consumedTo() };
  }
}

function align(at: number): number {
  return (at + 15) & ~15;
}
