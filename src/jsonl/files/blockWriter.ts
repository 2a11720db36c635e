import { basename } from 'node:path';
import { byteOrderMark, byteOrderMarkLength } from '../scanning/lineText';
import { demandState, fileStateAt } from './fileState';
import type { PassContext } from './lineFile';
import { FileWriteError, WholeFile } from './wholeFile';

const blockBytes = 1 << 20;
/** Number of written bytes after which flushing to disk starts. */
const flushBytes = 32 << 20;

/** Buffers small writes to a file. Blocks, so use it in a worker thread. */
export class BlockWriter {
  private readonly block = Buffer.allocUnsafe(blockBytes);
  private used = 0;
  private flushedBytes = 0;
  private isFinished = false;

  /**
   * Creates a writer. With `isOfLines`, the content is lines of other files. If the first line then starts with a byte order mark, writes
   * another mark before the line, because readers skip the first mark.
   */
  constructor(
    readonly file: WholeFile,
    private readonly isOfLines = false,
  ) {}

  /** Path of the temporary file. Buffered bytes are not in it yet. */
  get partPath(): string {
    return this.file.partPath;
  }

  /** Number of bytes written so far, including buffered ones. */
  get byteLength(): number {
    return this.file.byteLength + this.used;
  }

  /** Writes a copy of the bytes of [start, end). */
  add(bytes: Uint8Array, start = 0, end = bytes.length): void {
    if (this.isOfLines && this.byteLength === 0 && byteOrderMarkLength(bytes.subarray(start, end)) > 0) {
      this.block.set(byteOrderMark);
      this.used = byteOrderMark.length;
    }
    if (this.used + end - start > blockBytes) {
      this.flush();
    }
    if (end - start > blockBytes) {
      this.file.append(bytes.subarray(start, end));
      return;
    }
    this.block.set(bytes.subarray(start, end), this.used);
    this.used += end - start;
  }

  addText(text: string): void {
    if (this.used + text.length * 3 > blockBytes) {
      this.add(Buffer.from(text));
    } else {
      this.used += this.block.write(text, this.used);
    }
  }

  flush(): void {
    this.file.append(this.block.subarray(0, this.used));
    this.used = 0;
    if (this.file.byteLength - this.flushedBytes >= flushBytes) {
      this.file.flush();
      this.flushedBytes = this.file.byteLength;
    }
  }

  /** Flushes all bytes to disk and closes the file. */
  async finish(signal: AbortSignal | undefined): Promise<void> {
    if (!this.isFinished) {
      this.flush();
      await this.file.finish(signal);
      this.isFinished = true;
    }
  }
}

/**
 * Writes files that appear together once `write` has settled. If `write` fails or is cancelled, no file appears. Throws a `FileWriteError`.
 * If a later file could not be renamed, the error lists the files that were already published.
 */
export async function writeWholeFiles<T>(
  context: Pick<PassContext, 'signal' | 'throwIfAborted'>,
  write: (files: WholeFiles) => Promise<T>,
): Promise<T> {
  const files = new WholeFiles();
  try {
    const result = await write(files);
    await files.finish(context.signal);
    context.throwIfAborted();
    await files.publish();
    return result;
  } finally {
    await files.discard();
  }
}

/** Writes a file that consists of lines of other files. Throws a `SourceChangedError` if one of these files is modified meanwhile. */
export async function writeLinesOf<T>(
  paths: readonly string[],
  outPath: string,
  context: Pick<PassContext, 'signal' | 'throwIfAborted'>,
  write: (out: BlockWriter) => T,
): Promise<T> {
  const states = paths.map(path => [path, fileStateAt(path)] as const);
  return await writeWholeFiles(context, async files => {
    const result = write(await files.createOfLines(outPath));
    for (const [path, state] of states) {
      demandState(path, state);
    }
    return result;
  });
}

/** Files that are written and published together. */
export class WholeFiles {
  private readonly writers: BlockWriter[] = [];

  async create(path: string): Promise<BlockWriter> {
    return this.add(new BlockWriter(await WholeFile.create(path)));
  }

  /** Creates a file that consists of lines of other files. */
  async createOfLines(path: string): Promise<BlockWriter> {
    return this.add(new BlockWriter(await WholeFile.create(path), true));
  }

  /** Creates a file that replaces a file of the user; see `WholeFile.replace`. */
  async replace(path: string): Promise<BlockWriter> {
    return this.add(new BlockWriter(await WholeFile.replace(path)));
  }

  private add(writer: BlockWriter): BlockWriter {
    this.writers.push(writer);
    return writer;
  }

  /** Flushes all files to disk. Settles when they are closed. */
  async finish(signal: AbortSignal | undefined): Promise<void> {
    await Promise.all(this.writers.map(writer => writer.finish(signal)));
  }

  /** Removes a file that will not be published. No effect for a file that is already removed. */
  async drop(writer: BlockWriter): Promise<void> {
    const index = this.writers.indexOf(writer);
    if (index >= 0) {
      this.writers.splice(index, 1);
      await writer.file.discard();
    }
  }

  async publish(): Promise<void> {
    for (const [index, { file }] of this.writers.entries()) {
      try {
        await file.publish();
      } catch (error) {
        throw index > 0 && error instanceof FileWriteError ? this.withOffset(error, index) : error;
      }
    }
  }

  /** Adds the names of the published files. They stay, because the files that they replaced can't be restored. */
  private withOffset({ message, code, path, cause }: FileWriteError, count: number): FileWriteError {
    const names = this.writers.slice(0, count).map(({ file }) => basename(file.path));
    const shown = count > 2 ? `${names[0]} to ${names.at(-1)}` : names.join(' and ');
    return new FileWriteError(`${message} Already written: ${count} of the ${this.writers.length} files (${shown}).`, code, path, cause);
  }

  async discard(): Promise<void> {
    await Promise.all(this.writers.map(({ file }) => file.discard()));
  }
}
