import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { fileStateOf, isSameState, SourceChangedError } from '../files/fileState';
import { forEachLine, growBuffer, type PassContext } from '../files/lineFile';
import { type FileWriting, WholeFile } from '../files/wholeFile';
import { decodeLine } from '../scanning/lineScanner';
import type { FoundLine, LineWriting, WantedFileLine } from './lineJobs';
import { hasPrint, isAskedByNumber, LineSearch } from './lineSearch';

interface Place {
  readonly line: number;
  readonly offset: number;
  readonly length: number;
}

const CR = 13;
const LF = 10;
const backslash = 92;
const chunkBytes = 1 << 20;

/**
 * Finds one line of a file of any size. Returns `undefined` if there is none. Blocks, so use it in a worker thread. Throws if the line is
 * not UTF-8.
 */
export function findLine({ path, wanted }: WantedFileLine, context: PassContext): FoundLine | undefined {
  const place = findPlace({ path, wanted }, context);
  if (place === undefined) {
    return undefined;
  }
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(place.length);
    const { text, invalidAt } = decodeLine(bytes.subarray(0, readSync(file, bytes, 0, place.length, place.offset)));
    if (invalidAt !== undefined) {
      throw new Error(`Line ${place.line + 1} of ${path} is not UTF-8 from column ${invalidAt + 1} on, so it cannot be edited as text.`);
    }
    return { line: place.line, text };
  } finally {
    closeSync(file);
  }
}

/**
 * Rewrites a file with one line replaced or added at the end, and returns its line number. All other bytes are copied. The file is replaced
 * atomically and keeps its permissions. A symbolic link is followed. Throws a `SourceChangedError` if the line to replace is not found or
 * the file changes meanwhile, and `FileWriteError`s.
 */
export async function writeLine({ path, position, text }: LineWriting, context: PassContext, writing?: FileWriting): Promise<number> {
  const file = openSync(path, 'r');
  let out: WholeFile | undefined;
  try {
    const before = fileStateOf(file);
    const size = Number(before.size);
    const found =
      position === 'end'
        ? endOf(file, path, size, context)
        : findPlace({ path, wanted: { line: position.line, text: position.text ?? '' } }, context);
    if (found === undefined) {
      throw new SourceChangedError(
        `${path} was not written: line ${position === 'end' ? '' : position.line + 1} is no longer what it was.`,
      );
    }
    out = await WholeFile.replace(path, writing);
    const copy = (start: number, end: number) => copyBytes(file, start, end, out as WholeFile, size, context);
    copy(0, found.offset);
    out.append(Buffer.from(position === 'end' ? framed(file, size, text) : text));
    copy(found.offset + found.length, size);
    await out.finish(context.signal);
    context.throwIfAborted();
    const now = openSync(path, 'r');
    try {
      if (!isSameState(before, fileStateOf(file)) || !isSameState(before, fileStateOf(now))) {
        throw new SourceChangedError(`${path} was not written: it was changed meanwhile.`);
      }
    } finally {
      closeSync(now);
    }
    await out.publish();
    return found.line;
  } finally {
    closeSync(file);
    await out?.discard();
  }
}

function findPlace({ path, wanted }: WantedFileLine, context: PassContext): Place | undefined {
  const search = new LineSearch<Place>(wanted);
  const text = wanted.text === undefined ? undefined : Buffer.from(wanted.text);
  const id = wanted.customId === undefined ? undefined : Buffer.from(JSON.stringify(wanted.customId));
  const byNumber = isAskedByNumber(wanted);
  let bytes: Buffer = Buffer.alloc(0);
  const look = (start: number, end: number, line: number, offset: number) => {
    const length = (bytes[end - 1] === CR && end > start ? end - 1 : end) - start;
    const content = bytes.subarray(start, start + length);
    const isSame = wanted.print === undefined ? text?.equals(content) === true : hasPrint(content, wanted.print);
    if (isSame || byNumber || (id !== undefined && (content.includes(id) || content.includes(backslash)))) {
      search.look(line, isSame, () => content.toString(), { line, offset, length });
    }
  };
  const visitor = {
    buffer: (size: number, before: Buffer | undefined) => {
      bytes = growBuffer(size, before);
      return bytes;
    },
    visit: (start: number, line: number, offset: number) => {
      const end = bytes.indexOf(LF, start);
      look(start, end, line, offset);
      return end;
    },
    reject: () => {},
  };
  const totalBytes = sizeOf(path);
  forEachLine(path, visitor, doneBytes => {
    context.throwIfAborted();
    context.progress({ doneBytes: Math.min(doneBytes, totalBytes) / 2, totalBytes });
  });
  return search.found;
}

/** Returns the end of the file, with the number of a line added there. */
function endOf(file: number, path: string, size: number, context: PassContext): Place {
  let lines = 0;
  const visitor = {
    buffer: growBuffer,
    visit: () => {
      lines++;
      return -1;
    },
    reject: () => {},
  };
  forEachLine(path, visitor, () => context.throwIfAborted());
  return { line: size === 0 ? 0 : lines, offset: fstatSync(file).size, length: 0 };
}

/** Returns a new last line with line breaks that match the end of the file. */
function framed(file: number, size: number, text: string): string {
  const tail = Buffer.alloc(Math.min(2, size));
  readSync(file, tail, 0, tail.length, size - tail.length);
  const ending = tail.toString('latin1');
  return size === 0 || ending.endsWith('\r\n') ? `${text}${size === 0 ? '\n' : '\r\n'}` : ending.endsWith('\n') ? `${text}\n` : `\n${text}`;
}

function copyBytes(file: number, start: number, end: number, out: WholeFile, size: number, context: PassContext): void {
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(1, end - start)));
  for (let at = start; at < end; ) {
    const read = readSync(file, buffer, 0, Math.min(buffer.length, end - at), at);
    if (read === 0) {
      throw new SourceChangedError(`${out.path} was not written: it became shorter meanwhile.`);
    }
    out.append(buffer.subarray(0, read));
    at += read;
    context.throwIfAborted();
    context.progress({ doneBytes: (size + Math.min(at, size - 1)) / 2, totalBytes: size });
  }
}

function sizeOf(path: string): number {
  const file = openSync(path, 'r');
  try {
    return fstatSync(file).size;
  } finally {
    closeSync(file);
  }
}
