import { statSync } from 'node:fs';
import { writeWholeFiles } from '../files/blockWriter';
import { demandState, fileStateAt, SourceChangedError } from '../files/fileState';
import { forEachLine, forEachWholeLine, growBuffer, type LineVisitor, type PassContext, passOf, toOnRead } from '../files/lineFile';
import { RangeCopy } from '../files/rangeCopy';
import { SpanReader } from '../files/spanReader';
import { BACKSLASH, CR } from '../scanning/jsonBytes';
import { decodeLine } from '../scanning/lineText';
import { hasPrint, isAskedByNumber, LineSearch, type WantedLine } from './lineSearch';

/** Line to find in a file. The line is found by its text or id, or by its number if both are missing. */
export interface WantedFileLine {
  readonly path: string;
  readonly wanted: WantedLine;
}

export interface FoundLine {
  /** 0-based line number. */
  readonly line: number;
  readonly text: string;
}

/** Line to write into a file that is not open in an editor. */
interface LineWriting {
  readonly path: string;
  /** Line to replace, which must still be in the file with its text. `end` adds a line. */
  readonly position: WantedLine | 'end';
  /** Text of one line, without line break. */
  readonly text: string;
}

interface LineLocation {
  readonly line: number;
  readonly offset: number;
  readonly length: number;
}

/** Finds one line of a file of any size. Blocks, so use it in a worker thread. Throws if the line is not UTF-8. */
export function findLine({ path, wanted }: WantedFileLine, context: PassContext): FoundLine | undefined {
  const location = findLocation({ path, wanted }, context);
  if (location === undefined) {
    return undefined;
  }
  const reader = new SpanReader(path);
  try {
    const { bytes, start, end } = reader.read(location.offset, location.length);
    const { text, invalidAt } = decodeLine(bytes.subarray(start, end));
    if (invalidAt !== undefined) {
      throw new Error(`Line ${location.line + 1} of ${path} is not UTF-8 from column ${invalidAt + 1} on, so it can't be edited as text.`);
    }
    return { line: location.line, text };
  } finally {
    reader.close();
  }
}

/**
 * Rewrites a file with one line replaced or added at the end, and returns its line number. All other bytes are copied. The file is replaced
 * atomically and keeps its permissions. A symbolic link is followed. Throws a `SourceChangedError` if the line to replace is not found or
 * the file changes meanwhile, and `FileWriteError`s.
 */
export async function writeLine({ path, position, text }: LineWriting, context: PassContext): Promise<number> {
  const before = fileStateAt(path);
  const size = Number(before.size);
  const found =
    position === 'end'
      ? endOf(path, size, context)
      : findLocation({ path, wanted: { line: position.line, text: position.text ?? '' } }, context);
  if (found === undefined) {
    throw new SourceChangedError(`${path} was not written: the line has changed.`);
  }
  await writeWholeFiles(context, async files => {
    const copy = new RangeCopy(path, await files.replace(path), toOnRead(passOf(context, 1), size));
    try {
      copy.replace(found.offset, found.offset + found.length, position === 'end' ? framed(path, size, text) : text);
      copy.replace(size, size, '');
      await files.finish(context.signal);
      demandState(path, before);
    } finally {
      copy.close();
    }
  });
  return found.line;
}

function findLocation({ path, wanted }: WantedFileLine, context: PassContext): LineLocation | undefined {
  const search = new LineSearch<LineLocation>(wanted);
  const text = wanted.text === undefined ? undefined : Buffer.from(wanted.text);
  const id = wanted.customId === undefined ? undefined : Buffer.from(JSON.stringify(wanted.customId));
  const byNumber = isAskedByNumber(wanted);
  const reject: LineVisitor['reject'] = (found, line) => {
    if (found === undefined) {
      return;
    }
    const { bytes, start, end, offset } = found;
    const length = (bytes[end - 1] === CR && end > start ? end - 1 : end) - start;
    const content = Buffer.from(bytes.buffer, bytes.byteOffset + start, length);
    const isSame = wanted.print === undefined ? text?.equals(content) === true : hasPrint(content, wanted.print);
    if (isSame || byNumber || (id !== undefined && (content.includes(id) || content.includes(BACKSLASH)))) {
      search.visit(line, isSame, () => content.toString(), { line, offset, length });
    }
  };
  const visitor = { buffer: growBuffer, visit: () => -1, reject };
  forEachLine(path, visitor, toOnRead(passOf(context, 0), statSync(path).size));
  return search.found;
}

/** Returns the end of the file, and the number that a line added at the end would have. */
function endOf(path: string, size: number, context: PassContext): LineLocation {
  let lines = 0;
  const visit = () => {
    lines++;
  };
  forEachWholeLine(path, visit, () => context.throwIfAborted());
  return { line: size === 0 ? 0 : lines, offset: size, length: 0 };
}

/** Returns a new last line with line breaks that match the end of the file. */
function framed(path: string, size: number, text: string): string {
  const reader = new SpanReader(path);
  const tail = Math.min(2, size);
  const { bytes, start, end } = reader.read(size - tail, tail);
  reader.close();
  const ending = bytes.toString('latin1', start, end);
  return size === 0 || ending.endsWith('\r\n') ? `${text}${size === 0 ? '\n' : '\r\n'}` : ending.endsWith('\n') ? `${text}\n` : `\n${text}`;
}
