import { closeSync, openSync, readSync } from 'node:fs';
import type { BlockWriter } from './blockWriter';
import { SourceChangedError } from './fileState';

const copyBytes = 1 << 20;

/** Copies a file with some ranges replaced, which must be passed in order. Blocks the thread, so only for workers. */
export class RangeCopy {
  private readonly file: number;
  private readonly buffer = Buffer.allocUnsafe(copyBytes);
  private copied = 0;

  /** Creates a copy. `afterRead` gets the number of bytes copied or replaced so far and may throw to stop. */
  constructor(
    path: string,
    private readonly out: BlockWriter,
    private readonly afterRead: (doneBytes: number) => void = () => {},
  ) {
    this.file = openSync(path, 'r');
  }

  /** Copies everything before the byte at `start`, then writes `text` instead of the bytes [start, end). */
  replace(start: number, end: number, text: string): void {
    while (this.copied < start) {
      const read = readSync(this.file, this.buffer, 0, Math.min(copyBytes, start - this.copied), this.copied);
      if (read === 0) {
        throw new SourceChangedError('The file became shorter while it was being read. Nothing was written. Try again.');
      }
      this.out.add(this.buffer, 0, read);
      this.copied += read;
      this.afterRead(this.copied);
    }
    this.out.addText(text);
    this.copied = end;
  }

  close(): void {
    closeSync(this.file);
  }
}
