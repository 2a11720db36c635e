import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { ByteHash } from '../files/fileHash';
import { type FileState, fileStateOf, isSameState, SourceChangedError } from '../files/fileState';
import type { JobContext } from '../files/jobContext';
import { LineNotes, type Noted } from '../rules/lineNotes';
import type { RuleOptions } from '../rules/ruleOptions';
import { CR, LF } from '../scanning/jsonBytes';
import { isSpace } from '../scanning/jsonMembers';
import { byteOrderMarkLength, decodeLine } from '../scanning/lineText';
import { RecordWord, ScanStatus } from '../wasm/requestLayout';
import { checkRequestLine, classifyLine } from './requestRules';
import { kindOfStatus, RequestScanner } from './requestScanner';
import { type ByteRange, toByteRange, type VisitedLine } from './visitedLine';

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

/** Maximum length of a line that is checked, in bytes: far more than a message request may have. */
export const maxLineBytes = 64 * 1024 * 1024;
const chunkBytes = 512 * 1024;
const nothing: readonly Noted[] = [];

/** Minimum size of a file that is hashed in a second thread, in bytes. Hashing a smaller file takes less time than starting the thread. */
const besideBytes = 32 * 1024 * 1024;

/**
 * Reads a request file once, in chunks of 512 KiB, hashes it and passes each line to `visit`. Lines that are certainly valid cost next to
 * nothing. Other lines are checked by `rules`, or only classified if `rules` is missing. A large file is hashed in a second thread. Throws
 * a `SourceChangedError` if the file was written to meanwhile, because the two threads may have read different bytes.
 */
export async function passOver(
  path: string,
  context: JobContext,
  visit: (line: VisitedLine) => void,
  rules?: RuleOptions,
  mostLineBytes = maxLineBytes,
): Promise<PassResult> {
  const file = openSync(path, 'r');
  const leaving = new AbortController();
  try {
    const before = fileStateOf(file);
    const beside = before.size < besideBytes ? undefined : context.hashBeside?.(path, leaving.signal);
    if (beside === undefined) {
      const hash = new ByteHash();
      const found = new Pass(file, context, visit, rules, hash, mostLineBytes).run();
      return { ...found, ...hash.digest(), file: before };
    }
    // `beside` is awaited at the end. Until then a rejection must not count as unhandled.
    beside.catch(() => {});
    const found = new Pass(file, context, visit, rules, undefined, mostLineBytes).run();
    const { sha256, crc32, ...states } = await beside;
    if (![states.before, states.after, fileStateOf(file)].every(state => isSameState(before, state))) {
      throw new SourceChangedError(`${path} was written to while it was read. Read it again when it is at rest.`);
    }
    return { ...found, sha256, crc32, file: before };
  } finally {
    leaving.abort();
    closeSync(file);
  }
}

class Pass {
  private readonly scanner = new RequestScanner(chunkBytes * 2);
  /** Offset in the file of the first byte of the scanner's memory. */
  private fileOffset = 0;
  private nextLine = 0;
  private firstCarriageReturn = -1;
  private skipping = false;
  private readonly notes: LineNotes | undefined;

  constructor(
    private readonly file: number,
    private readonly context: JobContext,
    private readonly visit: (line: VisitedLine) => void,
    private readonly rules: RuleOptions | undefined,
    /** `undefined` if another thread hashes the bytes. */
    private readonly hash: ByteHash | undefined,
    private readonly mostLineBytes: number,
  ) {
    this.notes = rules && new LineNotes(rules);
  }

  run(): Omit<PassResult, 'sha256' | 'crc32' | 'file'> {
    const totalBytes = Number(fileStateOf(this.file).size);
    const base = this.scanner.inputAt;
    let fileBytes = 0;
    let hasByteOrderMark = false;
    let lastByte = LF;
    /** Number of bytes from `base` on that belong to an incomplete line. */
    let leftover = 0;
    while (true) {
      this.context.throwIfAborted();
      // At least doubles the bytes of an incomplete line, so that a long line is not scanned from its start for each chunk.
      const wanted = Math.max(chunkBytes, leftover);
      this.scanner.reserve(leftover + wanted);
      const read = readSync(this.file, this.scanner.memory, base + leftover, wanted, null);
      const fresh = this.scanner.memory.subarray(base + leftover, base + leftover + read);
      this.hash?.update(fresh);
      this.fileOffset = fileBytes - leftover - base;
      let from = base;
      if (fileBytes === 0) {
        const skipped = byteOrderMarkLength(fresh);
        hasByteOrderMark = skipped > 0;
        from += skipped;
      }
      fileBytes += read;
      lastByte = fresh.at(-1) ?? lastByte;
      const to = base + leftover + read;
      from = this.takeLines(from, to, read === 0);
      this.context.progress({ doneBytes: Math.min(fileBytes, totalBytes), totalBytes: Math.max(fileBytes, totalBytes) });
      if (read === 0) {
        break;
      }
      leftover = to - from;
      this.scanner.memory.copyWithin(base, from, to);
      if (leftover > this.mostLineBytes) {
        // Such a line is only reported as too long. Its bytes are dropped up to the next LF.
        this.skipping = true;
        leftover = 0;
      }
    }
    return {
      fileBytes,
      lineCount: this.nextLine,
      hasByteOrderMark,
      firstCarriageReturn: this.firstCarriageReturn,
      endsWithNewline: lastByte === LF,
    };
  }

  /** Visits the complete lines of [from, to) and returns the offset of the rest. */
  private takeLines(from: number, to: number, isLast: boolean): number {
    if (this.skipping) {
      const end = this.scanner.memory.subarray(from, to).indexOf(LF);
      if (end === -1 && !isLast) {
        return to;
      }
      this.skipping = false;
      this.visit(this.longLine(from, from));
      from = end === -1 ? to : from + end + 1;
    }
    while (from < to) {
      const { count, consumed } = this.scanner.scan(from, to, isLast);
      if (count === 0) {
        return consumed;
      }
      const isSound = isUtf8(this.scanner.memory.subarray(from, consumed));
      for (let index = 0; index < count; index++) {
        this.visit(this.lineOf(index * RecordWord.Count, isSound));
      }
      from = consumed;
    }
    return from;
  }

  private lineOf(at: number, isSound: boolean): VisitedLine {
    const { records, memory: bytes } = this.scanner;
    const start = records[at + RecordWord.Start] ?? 0;
    const end = records[at + RecordWord.End] ?? 0;
    if (this.firstCarriageReturn === -1 && end > start && bytes[end - 1] === CR) {
      this.firstCarriageReturn = this.nextLine;
    }
    if (end - start > this.mostLineBytes) {
      // The line fits into the buffer only because of its position.
      return this.longLine(start, end);
    }
    const status = records[at + RecordWord.Status] ?? ScanStatus.Unknown;
    if (status === ScanStatus.Unknown || (!isSound && !isUtf8(bytes.subarray(start, end)))) {
      return this.checkedLine(start, end);
    }
    const scanned = status === ScanStatus.Blank ? undefined : this.notes && this.scanner.lineAt(at);
    const noted = scanned === undefined ? nothing : this.notes?.found(scanned);
    if (scanned !== undefined && noted === undefined) {
      const checked = this.checkedLine(start, end);
      this.notes?.learn(scanned, checked.noted);
      return checked;
    }
    return {
      line: this.nextLine++,
      kind: kindOfStatus[status] ?? 'invalid',
      bytes,
      fileOffset: this.fileOffset,
      start,
      end,
      valueStart: records[at + RecordWord.ValueStart] ?? 0,
      valueEnd: records[at + RecordWord.ValueEnd] ?? 0,
      id: this.rangeAt(at + RecordWord.IdStart),
      model: this.rangeAt(at + RecordWord.ModelStart),
      checked: undefined,
      noted: noted ?? nothing,
      invalidAt: undefined,
      isTooLong: false,
    };
  }

  private rangeAt(word: number): ByteRange | undefined {
    const { records, memory: bytes } = this.scanner;
    const start = records[word] ?? 0;
    return start === 0 ? undefined : { bytes, start, end: records[word + 1] ?? 0 };
  }

  /** Returns a line with the result of the rules. */
  private checkedLine(start: number, end: number): VisitedLine {
    const { memory: bytes } = this.scanner;
    const line = this.nextLine++;
    const { text, invalidAt } = decodeLine(bytes.subarray(start, end));
    const checked = this.rules === undefined ? classifyLine(text) : checkRequestLine(text, line, this.rules);
    let valueStart = start;
    let valueEnd = end;
    while (valueStart < valueEnd && isSpace(bytes[valueStart])) {
      valueStart++;
    }
    while (valueEnd > valueStart && isSpace(bytes[valueEnd - 1])) {
      valueEnd--;
    }
    return {
      ...this.plainLine(line, start, end),
      // JSON must be UTF-8, so other lines can't be sent.
      kind: invalidAt === undefined ? checked.kind : 'invalid',
      valueStart,
      valueEnd,
      id: checked.customId === undefined ? undefined : toByteRange(checked.customId),
      model: checked.model === undefined ? undefined : toByteRange(checked.model),
      checked,
      noted: checked.problems,
      invalidAt,
    };
  }

  private longLine(start: number, end: number): VisitedLine {
    return { ...this.plainLine(this.nextLine++, start, end), isTooLong: true };
  }

  /** Returns a line of which only the range is known. */
  private plainLine(line: number, start: number, end: number): VisitedLine {
    return {
      line,
      kind: 'invalid',
      bytes: this.scanner.memory,
      fileOffset: this.fileOffset,
      start,
      end,
      valueStart: start,
      valueEnd: end,
      id: undefined,
      model: undefined,
      checked: undefined,
      noted: nothing,
      invalidAt: undefined,
      isTooLong: false,
    };
  }
}
