import { isUtf8 } from 'node:buffer';
import { ByteHash } from '../files/fileHash';
import { type FileState, fileStateAt, isSameState, SourceChangedError } from '../files/fileState';
import type { JobContext } from '../files/jobContext';
import { forEachLine, type LineVisitor, maxRequestLineBytes } from '../files/lineFile';
import { LineNotes } from '../rules/lineNotes';
import type { RuleOptions } from '../rules/ruleOptions';
import { CR, LF } from '../scanning/jsonBytes';
import { isSpace } from '../scanning/jsonMembers';
import { byteOrderMarkLength, decodeLine } from '../scanning/lineText';
import { RecordWord, ScanStatus } from '../wasm/requestLayout';
import { checkRequestLine, classifyLine } from './requestRules';
import { kindOfStatus, RequestScanner } from './requestScanner';
import { type ByteRange, toByteRange, VisitedLine } from './visitedLine';

/** Results of a pass over a file, except for its lines. */
export interface PassResult {
  readonly fileBytes: number;
  readonly sha256: string;
  readonly crc32: number;
  /** State of the file before its first byte was read. */
  readonly file: FileState;
  readonly lineCount: number;
  readonly hasByteOrderMark: boolean;
  /** First line that ends with CR LF, or -1. */
  readonly firstCarriageReturn: number;
  readonly endsWithNewline: boolean;
}

/** Minimum size of a file that is hashed in a second thread, in bytes. Hashing a smaller file takes less time than starting the thread. */
const besideBytes = 32 * 1024 * 1024;

/**
 * Reads a request file once, hashes it and passes each line to `visit`. Lines that the scan finds valid need no further check. Other lines
 * are checked by `rules`, or only classified if `rules` is missing. A large file is hashed in a second thread. If the file is written to
 * meanwhile, throws a `SourceChangedError`, because the two threads may have read different bytes.
 */
export async function passOver(
  path: string,
  context: JobContext,
  visit: (line: VisitedLine) => void,
  rules?: RuleOptions,
  mostLineBytes = maxRequestLineBytes,
): Promise<PassResult> {
  const leaving = new AbortController();
  try {
    const before = fileStateAt(path);
    const beside = before.size < besideBytes ? undefined : context.hashBeside?.(path, leaving.signal);
    if (beside === undefined) {
      const hash = new ByteHash();
      const found = new Pass(visit, rules, hash).run(path, context, Number(before.size), mostLineBytes);
      return { ...found, ...hash.digest(), file: before };
    }
    // `beside` is awaited at the end. Until then a rejection must not count as unhandled.
    beside.catch(() => {});
    const found = new Pass(visit, rules, undefined).run(path, context, Number(before.size), mostLineBytes);
    const { sha256, crc32, ...states } = await beside;
    if (![states.before, states.after, fileStateAt(path)].every(state => isSameState(before, state))) {
      throw new SourceChangedError(`${path} changed while it was being read. Try again.`);
    }
    return { ...found, sha256, crc32, file: before };
  } finally {
    leaving.abort();
  }
}

class Pass implements LineVisitor {
  private readonly scanner = new RequestScanner();
  private readonly notes: LineNotes | undefined;
  /** Number of records from the last scan, and index of the next record to use. */
  private scanned = 0;
  private next = 0;
  private regionEnd = 0;
  /** Offset in the file of the first byte of the scanner's memory. */
  private fileOffset = 0;
  private lineCount = 0;
  private firstCarriageReturn = -1;

  constructor(
    private readonly onLine: (line: VisitedLine) => void,
    private readonly rules: RuleOptions | undefined,
    /** `undefined` if another thread hashes the bytes. */
    private readonly hash: ByteHash | undefined,
  ) {
    this.notes = rules && new LineNotes(rules);
  }

  run(path: string, context: JobContext, totalBytes: number, mostLineBytes: number): Omit<PassResult, 'sha256' | 'crc32' | 'file'> {
    let hasByteOrderMark = false;
    let lastByte = LF;
    const onRead = (doneBytes: number, chunk: Uint8Array) => {
      context.throwIfAborted();
      this.hash?.update(chunk);
      hasByteOrderMark ||= doneBytes === chunk.length && byteOrderMarkLength(chunk) > 0;
      lastByte = chunk.at(-1) ?? lastByte;
      context.progress({ doneBytes: Math.min(doneBytes, totalBytes), totalBytes: Math.max(doneBytes, totalBytes) });
    };
    // The buffer also needs room for the LF.
    const fileBytes = forEachLine(path, this, onRead, mostLineBytes + 1);
    const { lineCount, firstCarriageReturn } = this;
    return { fileBytes, lineCount, hasByteOrderMark, firstCarriageReturn, endsWithNewline: lastByte === LF };
  }

  buffer(bytes: number): Buffer {
    this.scanner.reserve(bytes);
    return Buffer.from(this.scanner.memory.buffer, this.scanner.inputAt, bytes);
  }

  region(end: number): void {
    this.regionEnd = end;
    this.scanned = 0;
    this.next = 0;
  }

  visit(start: number, line: number, offset: number, hasInvalidUtf8: boolean): number {
    const { scanner } = this;
    if (this.next === this.scanned) {
      this.scanned = scanner.scan(scanner.inputAt + start, scanner.inputAt + this.regionEnd);
      this.next = 0;
    }
    const at = this.next++ * RecordWord.Count;
    this.fileOffset = offset - start - scanner.inputAt;
    this.lineCount++;
    this.onLine(this.lineOf(at, line, hasInvalidUtf8));
    return (scanner.records[at + RecordWord.End] ?? 0) - scanner.inputAt;
  }

  /** Passes on a line that is too long, without its bytes. */
  reject(_found: unknown, line: number, offset: number): void {
    this.lineCount++;
    const tooLong = new VisitedLine(line, this.scanner.memory, offset);
    tooLong.isTooLong = true;
    this.onLine(tooLong);
  }

  private lineOf(at: number, line: number, hasInvalidUtf8: boolean): VisitedLine {
    const { records, memory: bytes } = this.scanner;
    const start = records[at + RecordWord.Start] ?? 0;
    const end = records[at + RecordWord.End] ?? 0;
    if (this.firstCarriageReturn === -1 && end > start && bytes[end - 1] === CR) {
      this.firstCarriageReturn = line;
    }
    const visited = new VisitedLine(line, bytes, this.fileOffset, start, end);
    const status = records[at + RecordWord.Status] ?? ScanStatus.Unknown;
    if (status === ScanStatus.Unknown || (hasInvalidUtf8 && !isUtf8(bytes.subarray(start, end)))) {
      this.check(visited);
      return visited;
    }
    const scanned = status === ScanStatus.Blank ? undefined : this.notes && this.scanner.lineAt(at);
    const noted = scanned && this.notes?.found(scanned);
    if (scanned !== undefined && noted === undefined) {
      this.check(visited);
      this.notes?.learn(scanned, visited.noted);
      return visited;
    }
    visited.kind = kindOfStatus[status] ?? 'invalid';
    visited.valueStart = records[at + RecordWord.ValueStart] ?? 0;
    visited.valueEnd = records[at + RecordWord.ValueEnd] ?? 0;
    visited.id = this.rangeAt(at + RecordWord.IdStart);
    visited.model = this.rangeAt(at + RecordWord.ModelStart);
    visited.noted = noted ?? visited.noted;
    return visited;
  }

  private rangeAt(word: number): ByteRange | undefined {
    const { records, memory: bytes } = this.scanner;
    const start = records[word] ?? 0;
    return start === 0 ? undefined : { bytes, start, end: records[word + 1] ?? 0 };
  }

  private check(visited: VisitedLine): void {
    const { bytes, line, start, end } = visited;
    const { text, invalidAt } = decodeLine(bytes.subarray(start, end));
    const checked = this.rules === undefined ? classifyLine(text) : checkRequestLine(text, line, this.rules);
    while (visited.valueStart < visited.valueEnd && isSpace(bytes[visited.valueStart])) {
      visited.valueStart++;
    }
    while (visited.valueEnd > visited.valueStart && isSpace(bytes[visited.valueEnd - 1])) {
      visited.valueEnd--;
    }
    // JSON must be UTF-8, so other lines can't be sent.
    visited.kind = invalidAt === undefined ? checked.kind : 'invalid';
    visited.id = checked.customId === undefined ? undefined : toByteRange(checked.customId);
    visited.model = checked.model === undefined ? undefined : toByteRange(checked.model);
    visited.checked = checked;
    visited.noted = checked.problems;
    visited.invalidAt = invalidAt;
  }
}
