import { closeSync, openSync, readSync } from 'node:fs';
import { fileStateOf, isSameState, SourceChangedError } from '../files/fileState';
import type { WholeFile } from '../files/wholeFile';

const blockBytes = 1 << 20;

/** Copies a file with some bytes replaced. Uses blocks of 1 MiB, however large the file or its lines are. Blocks the thread. */
export class EditedCopy {
  private readonly file: number;
  private readonly state;
  private readonly block = Buffer.allocUnsafeSlow(blockBytes);
  private filled = 0;
  /** Number of source bytes already copied or replaced. */
  private done = 0;

  constructor(
    private readonly path: string,
    private readonly out: WholeFile,
  ) {
    this.file = openSync(path, 'r');
    this.state = fileStateOf(this.file);
  }

  /** Writes `text` in place of the source bytes [start, end). Edits must be in order and must not overlap. */
  replace(start: number, end: number, text: string): void {
    this.copyTo(start);
    const bytes = Buffer.from(text);
    if (this.filled + bytes.length > blockBytes) {
      this.flush();
    }
    this.filled += bytes.copy(this.block, this.filled);
    this.done = end;
  }

  /** Copies the rest. Throws a `SourceChangedError` if the source was modified meanwhile. */
  finish(): void {
    this.copyTo(Number.POSITIVE_INFINITY);
    this.flush();
    if (!isSameState(this.state, fileStateOf(this.file))) {
      throw new SourceChangedError(`${this.path} was changed while it was copied. Nothing was written; try again.`);
    }
  }

  close(): void {
    closeSync(this.file);
  }

  private copyTo(end: number): void {
    while (this.done < end) {
      const wanted = Math.min(end - this.done, blockBytes - this.filled);
      const read = readSync(this.file, this.block, this.filled, wanted, this.done);
      if (read === 0) {
        return;
      }
      this.filled += read;
      this.done += read;
      if (this.filled === blockBytes) {
        this.flush();
      }
    }
  }

  private flush(): void {
    this.out.append(this.block.subarray(0, this.filled));
    this.filled = 0;
  }
}
