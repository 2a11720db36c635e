import moduleBytes from '../wasm/resultScan.wasm';
import { ResultLineScanner, type Span } from './resultLineScanner';

const compiled = new WebAssembly.Module(moduleBytes);

type Scan = (from: number, to: number, out: number, most: number) => number;

/** Offsets in a line's record, in 32-bit words. */
enum Word {
  Start,
  End,
  Known,
  Id,
  Result = 5,
  Type = 7,
  Stop = 9,
  Text = 11,
  ErrorType = 13,
  ErrorMessage = 15,
  Model = 17,
  Input = 19,
  Output = 20,
  CacheRead = 21,
  CacheWrite = 22,
  CacheWrite5m = 23,
  CacheWrite1h = 24,
  /** Two words: 1 if the line has a count of input tokens, and 1 if it has a count of output tokens. */
  Counted = 25,
  Count = 27,
}

const page = 65_536;
/** Start of the second page. The first one holds the data of the module. */
const recordsAt = page;
const maxRecords = 4096;
const inputAt = recordsAt + maxRecords * Word.Count * 4;
/** Extra bytes after the input, because the scan reads 16 bytes at a time. */
const padding = 32;

/**
 * Fast `ResultLineScanner`: WebAssembly scans many lines at a time, and only unusual lines use the base class. Put the bytes into the
 * buffer that `buffer` returns, and scan the lines in order.
 */
export class ResultsScanner extends ResultLineScanner {
  private readonly wasm = new WebAssembly.Memory({ initial: Math.ceil(inputAt / page) + 1 });
  private readonly scanLines: Scan;
  private records = new Uint32Array();
  private regionEnd = 0;
  private scanned = 0;
  private taken = 0;

  constructor() {
    super();
    const instance = new WebAssembly.Instance(compiled, { env: { memory: this.wasm } });
    this.scanLines = instance.exports.scan as Scan;
  }

  /** Returns a buffer that replaces the previous buffer. The new buffer has at least the same size and starts with the same bytes. */
  buffer(bytes: number): Buffer {
    const missing = inputAt + bytes + padding - this.wasm.buffer.byteLength;
    if (missing > 0) {
      this.wasm.grow(Math.ceil(missing / page));
    }
    this.records = new Uint32Array(this.wasm.buffer, recordsAt, maxRecords * Word.Count);
    const buffer = Buffer.from(this.wasm.buffer, inputAt, bytes);
    this.use(buffer);
    return buffer;
  }

  /** Sets the end of the complete lines in the buffer. `end` is the position after a LF. */
  region(end: number): void {
    this.regionEnd = end;
    this.scanned = 0;
    this.taken = 0;
  }

  override scan(start: number): number {
    if (this.taken === this.scanned) {
      this.scanned = this.scanLines(inputAt + start, inputAt + this.regionEnd, recordsAt, maxRecords);
      this.taken = 0;
    }
    const at = this.taken * Word.Count;
    this.taken++;
    const { records } = this;
    if (records[at + Word.Start] !== inputAt + start) {
      throw new Error('Scan the lines in order.');
    }
    if (records[at + Word.Known] === 0) {
      return super.scan(start);
    }
    this.put(this.customId, at + Word.Id);
    this.put(this.result, at + Word.Result);
    this.put(this.type, at + Word.Type);
    this.put(this.stopReason, at + Word.Stop);
    this.put(this.text, at + Word.Text);
    this.put(this.errorType, at + Word.ErrorType);
    this.put(this.errorMessage, at + Word.ErrorMessage);
    this.put(this.model, at + Word.Model);
    this.inputTokens = records[at + Word.Input] as number;
    this.outputTokens = records[at + Word.Output] as number;
    this.cacheReadTokens = records[at + Word.CacheRead] as number;
    this.cacheWriteTokens = records[at + Word.CacheWrite] as number;
    this.cacheWrite5mTokens = records[at + Word.CacheWrite5m] as number;
    this.cacheWrite1hTokens = records[at + Word.CacheWrite1h] as number;
    this.isCounted = records[at + Word.Counted] === 1 && records[at + Word.Counted + 1] === 1;
    return (records[at + Word.End] as number) - inputAt;
  }

  private put(span: Span, word: number): void {
    const start = this.records[word] as number;
    if (start === 0) {
      span.clear();
    } else {
      // Lines scanned by WebAssembly have no escapes in the relevant values.
      span.set(start - inputAt, (this.records[word + 1] as number) - inputAt, false);
    }
  }
}
