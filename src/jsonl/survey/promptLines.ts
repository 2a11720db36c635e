import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import { forEachLine, growBuffer, type LineInBuffer, type LineVisitor, type PassContext, toOnRead } from '../files/lineFile';
import { isSpace } from '../scanning/jsonMembers';
import { PromptReader } from './promptReader';
import type { SensitiveFindings } from './sensitiveFindings';

/** Receives the lines of a request file during a pass. */
export interface PromptVisitor {
  /** Called after the reader read a request. The line starts at `start` in its bytes and at `offset` in the file. */
  request(reader: PromptReader, line: number, start: number, end: number, offset: number): void;
  /** Called for a line that is neither blank nor a readable request. */
  skipped?(line: number): void;
  /** Collects the sensitive texts of each line, also of those that turn out to be no requests. */
  readonly findings?: SensitiveFindings;
}

/**
 * Reads the prompts of a request file in one pass, or only those on some `lines` (0-based, ascending). Reports progress up to the
 * second-last byte. Blocks the thread, so only for workers.
 */
export function forEachPrompt(path: string, visitor: PromptVisitor, context: PassContext, lines?: Uint32Array): void {
  forEachLine(path, new PromptLines(visitor, lines), toOnRead(context, statSync(path).size));
}

/** Reads lines as prompts. Ignores blank lines, and skips lines that are not valid UTF-8, JSON or requests. */
export class PromptLines implements LineVisitor {
  private readonly reader = new PromptReader();
  private next = 0;

  constructor(
    private readonly visitor: PromptVisitor,
    private readonly lines?: Uint32Array,
  ) {
    this.reader.findings = visitor.findings;
  }

  buffer(bytes: number, before: Buffer | undefined): Buffer {
    const buffer = growBuffer(bytes, before);
    this.reader.bytes = buffer;
    return buffer;
  }

  visit(start: number, line: number, offset: number, hasInvalidUtf8: boolean): number {
    return hasInvalidUtf8 || !this.isChosen(line) ? -1 : this.read(start, line, offset);
  }

  reject(found: LineInBuffer | undefined, line: number): void {
    if (!this.isChosen(line)) {
      return;
    }
    if (found !== undefined) {
      const { bytes, start, end, offset } = found;
      const content = bytes.subarray(start, end);
      if (content.every(isSpace) || (isUtf8(content) && this.read(start, line, offset) >= 0)) {
        return;
      }
    }
    this.visitor.skipped?.(line);
  }

  /** Returns whether to read a line. Must be called in line order. */
  private isChosen(line: number): boolean {
    const { lines } = this;
    if (lines === undefined) {
      return true;
    }
    while ((lines[this.next] ?? Number.POSITIVE_INFINITY) < line) {
      this.next++;
    }
    return lines[this.next] === line;
  }

  private read(start: number, line: number, offset: number): number {
    const { reader, visitor } = this;
    const end = reader.read(start, line);
    if (end >= 0) {
      visitor.request(reader, line, start, end, offset);
    }
    return end;
  }
}
