import type { ScannedLine } from '../rules/lineNotes';
import { RecordWord } from '../wasm/requestLayout';
import moduleBytes from '../wasm/requestScan.wasm';
import { createRequestScanTable } from './requestScanTable';

const page = 65_536;
/** Address of the tables: the second page. The first page holds the data of the module. */
const tableAt = page;

/** Compiled module of the scan, shared by all scanners of the thread. */
const compiled = new WebAssembly.Module(moduleBytes);
const table = createRequestScanTable(tableAt);

/** Kind of a line, indexed by its status. The first entry is unused: the rules judge an `unknown` line. */
export const kindOfStatus = ['invalid', 'request', 'params', 'blank', 'invalid'] as const;

interface Exports {
  configure(request: number, params: number): void;
  scan(from: number, to: number, out: number, most: number): number;
}

const maxRecords = 8192;
/** Number of spare bytes after the input, because the scan reads up to 16 bytes at a time and stops at LF. */
const padding = 32;

/**
 * Scans request lines about as fast as memory can be read. Reports which lines are certainly valid, and the oddities of all other lines.
 * The caller must write the bytes to `memory` from `inputAt` on, and check that they are UTF-8.
 */
export class RequestScanner {
  private readonly wasm: WebAssembly.Memory;
  private readonly exports: Exports;
  private readonly recordsAt: number;
  readonly inputAt: number;
  private capacity = 0;
  memory: Uint8Array<ArrayBuffer>;
  records: Int32Array;
  private readonly line = { notes: 0, oddities: 0, maxTokens: 0, bytes: new Uint8Array(), modelStart: 0, modelEnd: 0 };

  constructor() {
    this.recordsAt = align(tableAt + table.bytes.length);
    this.inputAt = align(this.recordsAt + maxRecords * RecordWord.Count * 4);
    this.wasm = new WebAssembly.Memory({ initial: Math.ceil(this.inputAt / page) + 1 });
    const instance = new WebAssembly.Instance(compiled, { env: { memory: this.wasm } });
    this.exports = instance.exports as unknown as Exports;
    this.memory = new Uint8Array(this.wasm.buffer);
    this.records = new Int32Array(this.wasm.buffer, this.recordsAt, maxRecords * RecordWord.Count);
    this.capacity = this.memory.length - this.inputAt - padding;
    this.memory.set(table.bytes, tableAt);
    this.exports.configure(table.request, table.params);
  }

  /** Makes room for at least `bytes` bytes. Replaces `memory` and `records`. */
  reserve(bytes: number): void {
    if (bytes > this.capacity) {
      this.wasm.grow(Math.ceil((bytes - this.capacity) / page));
      this.memory = new Uint8Array(this.wasm.buffer);
      this.records = new Int32Array(this.wasm.buffer, this.recordsAt, maxRecords * RecordWord.Count);
      this.capacity = this.memory.length - this.inputAt - padding;
    }
  }

  /** Returns the line whose record starts at `at` in `records`. Valid until the next call, because lines without garbage are faster. */
  lineAt(at: number): ScannedLine {
    const { records, line } = this;
    const low = records[at + RecordWord.Oddities] ?? 0;
    const high = records[at + RecordWord.Oddities + 1] ?? 0;
    line.notes = records[at + RecordWord.Notes] ?? 0;
    line.oddities = (high & 0x1fffff) * 0x100000000 + (low >>> 0);
    line.maxTokens = (records[at + RecordWord.MaxTokens] ?? 0) >>> 0;
    line.bytes = this.memory;
    line.modelStart = records[at + RecordWord.ModelStart] ?? 0;
    line.modelEnd = records[at + RecordWord.ModelEnd] ?? 0;
    return line;
  }

  /** Scans the lines of [from, to) in `memory` and returns the number of records written, at most 8,192. The last byte must be a LF. */
  scan(from: number, to: number): number {
    return this.exports.scan(from, to, this.recordsAt, maxRecords);
  }
}

function align(at: number): number {
  return (at + 15) & ~15;
}
