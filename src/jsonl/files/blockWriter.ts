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

  constructor(private readonly file: WholeFile) {}

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
}

/**
 * Writer for lines that are copied from other files. If the first line starts with a byte order mark, writes a second one before it,
 * because readers skip the first one.
 */
class LineWriter extends BlockWriter {
  override add(bytes: Uint8Array, start = 0, end = bytes.length): void {
    if (this.byteLength === 0 && byteOrderMarkLength(bytes.subarray(start, end)) > 0) {
      super.add(byteOrderMark);
    }
    super.add(bytes, start, end);
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

/** Writes a file that consists of lines of other files. Throws a `SourceChangedError` if one of them is modified meanwhile. */
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
  private readonly files: WholeFile[] = [];
  private readonly open = new Map<BlockWriter, WholeFile>();

  async create(path: string): Promise<BlockWriter> {
    return this.add(await WholeFile.create(path));
  }

  /** Creates a file that consists of lines of other files. */
  async createOfLines(path: string): Promise<BlockWriter> {
    return this.add(await WholeFile.create(path), LineWriter);
  }

  /** Creates a file that replaces a file of the user; see `WholeFile.replace`. */
  async replace(path: string): Promise<BlockWriter> {
    return this.add(await WholeFile.replace(path));
  }

  private add(file: WholeFile, Writer = BlockWriter): BlockWriter {
    const writer = new Writer(file);
    this.files.push(file);
    this.open.set(writer, file);
    return writer;
  }

  /** Flushes the files of the given writers, or all open ones, to disk. Settles when they are closed. */
  async finish(signal: AbortSignal | undefined, writers: Iterable<BlockWriter> = [...this.open.keys()]): Promise<void> {
    const finished = [...writers].map(async writer => {
      const file = this.open.get(writer);
      if (file !== undefined) {
        writer.flush();
        await file.finish(signal);
        this.open.delete(writer);
      }
    });
    await Promise.all(finished);
  }

  async drop(writer: BlockWriter): Promise<void> {
    const file = this.open.get(writer);
    if (file !== undefined) {
      this.open.delete(writer);
      this.files.splice(this.files.indexOf(file), 1);
      await file.discard();
    }
  }

  async publish(): Promise<void> {
    for (const [index, file] of this.files.entries()) {
      try {
        await file.publish();
      } catch (error) {
        throw index > 0 && error instanceof FileWriteError ? this.withOffset(error, index) : error;
      }
    }
  }

  /** Adds the names of the already published files to the message. These files stay, because the files they replaced can't be restored. */
  private withOffset({ message, code, path, cause }: FileWriteError, count: number): FileWriteError {
    const names = this.files.slice(0, count).map(file => basename(file.path));
    const shown = count > 2 ? `${names[0]} to ${names.at(-1)}` : names.join(' and ');
    const verb = count === 1 ? 'stands' : 'stand';
    return new FileWriteError(`${message} ${count} of the ${this.files.length} files ${verb} already, whole: ${shown}.`, code, path, cause);
  }

  async discard(): Promise<void> {
    await Promise.all(this.files.map(file => file.discard()));
  }
}
