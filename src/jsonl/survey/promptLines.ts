import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import { forEachLine, growBuffer, type LineInBuffer, type LineVisitor, type PassContext } from '../files/lineFile';
import { PromptReader } from './promptReader';
import type { TextListener } from './valueReader';

/** Hears of the lines of a request file as a pass comes by them. */
export interface PromptVisitor {
  /** The reader has read the request of a line, which begins at `start` in its bytes and at `offset` in the file. */
  request(reader: PromptReader, line: number, start: number, end: number, offset: number): void;
  /** A line with text that holds no request. */
  skipped?(line: number): void;
  /** A line is about to be read; what its texts are told to. */
  begin?(reader: PromptReader, line: number, start: number): TextListener;
}

const nobody: TextListener = { text: () => {}, secret: () => {} };

/** Reads the prompts of a request file, or of some `lines` of it (from 0, ascending), in one pass, and tells progress up to the last byte but one. Blocks, so it is for threads. */
export function forEachPrompt(path: string, visitor: PromptVisitor, context: PassContext, lines?: Uint32Array): number {
  const totalBytes = statSync(path).size;
  return forEachLine(path, new PromptLines(visitor, lines), doneBytes => {
    context.throwIfAborted();
    context.progress({ doneBytes: Math.max(0, Math.min(doneBytes, totalBytes - 1)), totalBytes });
  });
}

/** Reads lines as prompts: blank ones are nothing, and what is no UTF-8, no JSON or no request is skipped. */
export class PromptLines implements LineVisitor {
  private readonly reader = new PromptReader();
  /** Where in `lines` the next of them is. */
  private next = 0;

  constructor(
    private readonly visitor: PromptVisitor,
    private readonly lines?: Uint32Array,
  ) {}

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

  /** Lines come in their order. */
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
    const end = reader.read(start, visitor.begin?.(reader, line, start) ?? nobody);
    if (end >= 0) {
      visitor.request(reader, line, start, end, offset);
    }
    return end;
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
