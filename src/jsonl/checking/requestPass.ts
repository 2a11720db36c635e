import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { ByteHash } from '../files/fileHash';
import { type FileState, fileStateOf, isSameState, SourceChangedError } from '../files/fileState';
import type { JobContext } from '../files/jobContext';
import { LineNotes, type Noted } from '../rules/lineNotes';
import type { RuleOptions } from '../rules/ruleOptions';
import { CR, LF } from '../scanning/jsonBytes';
import { isSpace } from '../scanning/jsonMembers';
import { byteOrderMarkLength, type DecodedLine, decodeLine } from '../scanning/lineText';
import { RecordWord, ScanStatus } from '../wasm/requestLayout';
import { checkRequestLine, classifyLine } from './requestRules';
import { kindOfStatus, RequestScanner } from './requestScanner';
import type { VisitedLine } from './visitedLine';

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
 * nothing. Other lines are checked by `rules`, or only classified if `rules` is missing. If `visit` returns a promise, the pass waits for
 * it. A large file is hashed in a second thread. Throws a `SourceChangedError` if the file was written to meanwhile, because the two
 * threads may have read different bytes.
 */
export async function passOver(
  path: string,
  context: JobContext,
  visit: (line: VisitedLine) => Promise<void> | undefined,
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
      const found = await new Pass(file, context, visit, rules, hash, mostLineBytes).run();
      return { ...found, ...hash.digest(), file: before };
    }
    // `beside` is awaited at the end. Until then a rejection must not count as unhandled.
    beside.catch(() => {});
    const found = await new Pass(file, context, visit, rules, undefined, mostLineBytes).run();
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
  private readonly visited: VisitedLine = {
    line: 0,
    kind: 'blank',
    bytes: this.scanner.memory,
    fileOffset: 0,
    start: 0,
    end: 0,
    valueStart: 0,
    valueEnd: 0,
    idStart: 0,
    idEnd: 0,
    customId: undefined,
    modelStart: 0,
    modelEnd: 0,
    model: undefined,
    checked: undefined,
    noted: nothing,
    invalidAt: undefined,
    isTooLong: false,
  };
  private nextLine = 0;
  private firstCarriageReturn = -1;
  private skipping = false;
  private readonly notes: LineNotes | undefined;

  constructor(
    private readonly file: number,
    private readonly context: JobContext,
    private readonly visit: (line: VisitedLine) => Promise<void> | undefined,
    private readonly rules: RuleOptions | undefined,
    /** `undefined` if another thread hashes the bytes. */
    private readonly hash: ByteHash | undefined,
    private readonly mostLineBytes: number,
  ) {
    this.notes = rules && new LineNotes(rules);
  }

  async run(): Promise<Omit<PassResult, 'sha256' | 'crc32' | 'file'>> {
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
      this.visited.fileOffset = fileBytes - leftover - base;
      let from = base;
      if (fileBytes === 0) {
        const skipped = byteOrderMarkLength(fresh);
        hasByteOrderMark = skipped > 0;
        from += skipped;
      }
      fileBytes += read;
      lastByte = fresh.at(-1) ?? lastByte;
      const to = base + leftover + read;
      from = await this.takeLines(from, to, read === 0);
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
  private async takeLines(from: number, to: number, isLast: boolean): Promise<number> {
    if (this.skipping) {
      const end = this.scanner.memory.subarray(from, to).indexOf(LF);
      if (end === -1 && !isLast) {
        return to;
      }
      this.skipping = false;
      await this.visitTooLong();
      from = end === -1 ? to : from + end + 1;
    }
    while (from < to) {
      const { count, consumed } = this.scanner.scan(from, to, isLast);
      if (count === 0) {
        return consumed;
      }
      const isSound = isUtf8(this.scanner.memory.subarray(from, consumed));
      for (let index = 0; index < count; index++) {
        const waiting = this.takeRecord(index * RecordWord.Count, isSound);
        if (waiting !== undefined) {
          await waiting;
        }
      }
      from = consumed;
    }
    return from;
  }

  private takeRecord(at: number, isSound: boolean): Promise<void> | undefined {
    const { records, memory } = this.scanner;
    const { visited } = this;
    visited.line = this.nextLine++;
    visited.bytes = memory;
    visited.start = records[at + RecordWord.Start] ?? 0;
    visited.end = records[at + RecordWord.End] ?? 0;
    visited.checked = undefined;
    visited.noted = nothing;
    visited.invalidAt = undefined;
    visited.isTooLong = false;
    visited.customId = undefined;
    visited.model = undefined;
    if (this.firstCarriageReturn === -1 && visited.end > visited.start && memory[visited.end - 1] === CR) {
      this.firstCarriageReturn = visited.line;
    }
    if (visited.end - visited.start > this.mostLineBytes) {
      // The line is too long, and fits into the buffer only because of its position.
      visited.kind = 'invalid';
      visited.isTooLong = true;
      return this.visit(visited);
    }
    const status = records[at + RecordWord.Status] ?? ScanStatus.Unknown;
    if (status === ScanStatus.Unknown || (!isSound && !isUtf8(memory.subarray(visited.start, visited.end)))) {
      this.applyRules();
    } else {
      visited.kind = kindOfStatus[status] ?? 'invalid';
      visited.valueStart = records[at + RecordWord.ValueStart] ?? 0;
      visited.valueEnd = records[at + RecordWord.ValueEnd] ?? 0;
      visited.idStart = records[at + RecordWord.IdStart] ?? 0;
      visited.idEnd = records[at + RecordWord.IdEnd] ?? 0;
      visited.modelStart = records[at + RecordWord.ModelStart] ?? 0;
      visited.modelEnd = records[at + RecordWord.ModelEnd] ?? 0;
      if (this.notes !== undefined && status !== ScanStatus.Blank) {
        this.takeNotes(this.notes, at);
      }
    }
    return this.visit(visited);
  }

  private takeNotes(notes: LineNotes, at: number): void {
    const scanned = this.scanner.lineAt(at);
    const found = notes.found(scanned);
    if (found === undefined) {
      notes.learn(scanned, this.applyRules());
    } else {
      this.visited.noted = found;
    }
  }

  private applyRules(): readonly Noted[] {
    const { visited } = this;
    const { text, invalidAt }: DecodedLine = decodeLine(visited.bytes.subarray(visited.start, visited.end));
    const checked = this.rules === undefined ? classifyLine(text) : checkRequestLine(text, visited.line, this.rules);
    visited.checked = checked;
    visited.invalidAt = invalidAt;
    // JSON must be UTF-8, so other lines can't be sent.
    visited.kind = invalidAt === undefined ? checked.kind : 'invalid';
    visited.customId = checked.customId;
    visited.model = checked.model;
    visited.valueStart = visited.start;
    visited.valueEnd = visited.end;
    while (visited.valueStart < visited.valueEnd && isSpace(visited.bytes[visited.valueStart])) {
      visited.valueStart++;
    }
    while (visited.valueEnd > visited.valueStart && isSpace(visited.bytes[visited.valueEnd - 1])) {
      visited.valueEnd--;
    }
    visited.idStart = visited.idEnd = visited.modelStart = visited.modelEnd = 0;
    return checked.problems;
  }

  private async visitTooLong(): Promise<void> {
    const { visited } = this;
    visited.line = this.nextLine++;
    visited.kind = 'invalid';
    visited.isTooLong = true;
    visited.checked = undefined;
    visited.noted = nothing;
    visited.invalidAt = undefined;
    visited.customId = undefined;
    visited.model = undefined;
    await this.visit(visited);
  }
}
