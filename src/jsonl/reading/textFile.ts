import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ProblemText } from '../../contract/problem';
import { forEachWholeLine, type PassContext, toOnRead } from '../files/lineFile';

export interface TextProblem {
  /** Line number, 0-based. */
  readonly line: number;
  readonly text: ProblemText;
}

/** Thrown if the rest of a text can't be read. */
export class TextError extends Error {
  override readonly name = 'TextError';

  constructor(readonly problem: TextProblem) {
    super(problem.text.template);
  }
}

/** Throws a `TextError` that ends reading at a line (0-based). */
export function stopReading(line: number, template: string, ...args: readonly (string | number)[]): never {
  throw new TextError({ line, text: { template, args } });
}

export const pieceLength = 512 * 1024;

export interface TextSource {
  /** Returns the next piece of about `wanted` characters. Returns an empty text only at the end. */
  read(wanted: number): string;
}

/**
 * Reads a file as text in strict UTF-8 and reports its progress. Drops a byte order mark. Throws a `TextError` with the line of invalid
 * bytes. Blocks, so use it in a worker thread. Call `close` when done.
 */
export class TextFile implements TextSource {
  private readonly file: number;
  private readonly onRead: ((doneBytes: number) => void) | undefined;
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  private doneBytes = 0;
  readonly totalBytes: number;

  constructor(
    private readonly path: string,
    context?: PassContext,
  ) {
    this.file = openSync(path, 'r');
    this.totalBytes = fstatSync(this.file).size;
    this.onRead = context && toOnRead(context, this.totalBytes);
  }

  read(wanted: number): string {
    const buffer = Buffer.allocUnsafe(wanted);
    for (;;) {
      this.onRead?.(this.doneBytes);
      const count = readSync(this.file, buffer, 0, wanted, null);
      this.doneBytes += count;
      const text = this.decode(buffer.subarray(0, count));
      if (text !== '' || count === 0) {
        return text;
      }
    }
  }

  close(): void {
    closeSync(this.file);
  }

  private decode(bytes: Uint8Array): string {
    try {
      return this.decoder.decode(bytes, { stream: bytes.length > 0 });
    } catch {
      return stopReading(firstInvalidLine(this.path), 'Save the file as UTF-8 ("CSV UTF-8" in Excel).');
    }
  }
}

function firstInvalidLine(path: string): number {
  let found: number | undefined;
  const visit = (bytes: Buffer | undefined, line: number) => {
    found ??= bytes !== undefined && isUtf8(bytes) ? undefined : line;
  };
  forEachWholeLine(path, visit, () => {});
  return found ?? 0;
}
