import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import { forEachLine, growBuffer, type LineVisitor, type PassContext, toOnRead } from '../files/lineFile';
import { type PromptReader, readPrompt } from './promptReader';
import type { SensitiveFindings } from './sensitiveFindings';

/** Receives the lines of a request file during a pass. */
export interface PromptVisitor {
  /** Called for each request. The line is `length` bytes long and starts at `offset` in the file. */
  request(reader: PromptReader, line: number, offset: number, length: number): void;
  /** Called for a line that is neither blank nor a readable request. */
  skipped?(line: number): void;
  /** Collects the sensitive texts of each request. */
  readonly findings?: SensitiveFindings;
}

/**
 * Reads the prompts of a request file in one pass, or only the prompts on some `lines` (0-based, ascending). Reports progress up to the
 * second-last byte. Blocks the thread, so only for workers.
 */
export function forEachPrompt(path: string, visitor: PromptVisitor, context: PassContext, lines?: Uint32Array): void {
  forEachLine(path, promptLines(visitor, lines), toOnRead(context, statSync(path).size));
}

/** Reads lines as prompts. Ignores blank lines. Skips lines that are too long, and lines that are not UTF-8, JSON or requests. */
export function promptLines(visitor: PromptVisitor, lines?: Uint32Array): LineVisitor {
  let next = 0;
  const reject: LineVisitor['reject'] = (found, line) => {
    if (lines !== undefined) {
      while ((lines[next] ?? Number.POSITIVE_INFINITY) < line) {
        next++;
      }
      if (lines[next] !== line) {
        return;
      }
    }
    const { bytes, start = 0, end = 0, offset = 0 } = found ?? {};
    const content = bytes && Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
    const text = content !== undefined && isUtf8(content) ? content.toString() : '?';
    const reader = readPrompt(text, line, visitor.findings);
    if (reader !== undefined) {
      visitor.request(reader, line, offset, end - start);
    } else if (!/^[ \t\r]*$/.test(text)) {
      visitor.skipped?.(line);
    }
  };
  return { buffer: growBuffer, visit: () => -1, reject };
}
