import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { decodeString, JsonBytes, LF, QUOTE } from '../scanning/jsonBytes';
import { derivedId } from './derivedIds';
import { SourceChangedError } from './fileState';
import { forEachLine, growBuffer, type LineVisitor, maxRequestLineBytes, type PassContext, toOnRead } from './lineFile';
import type { LineMap } from './lineMap';
import { Tally } from './tally';

/** Parts of a line of a request file, as offsets in `bytes`. Valid until the visitor returns. */
export interface WalkedLine {
  /** Line number, 0-based. */
  line: number;
  /** Kind of the line by the criteria of the lint rules. The content of the line may be invalid. */
  kind: 'request' | 'params' | 'broken';
  bytes: Buffer;
  /** Span of the line without its LF. */
  start: number;
  end: number;
  /** Offset in the file of the byte at `start`. */
  offset: number;
  /** Span of the JSON value: the line without surrounding white space. */
  valueStart: number;
  valueEnd: number;
  /** Span of the text of `custom_id` without quotes. `idStart` is -1 if there is no such text. */
  idStart: number;
  idEnd: number;
  /** Span of `params`, or of the value itself if it is bare params. `paramsStart` is -1 if the line has no params. */
  paramsStart: number;
  paramsEnd: number;
}

export interface OtherLines {
  readonly blank: number;
  /** Invalid lines, which are copied unchanged except into a sample. */
  readonly broken: { readonly count: number; readonly first: readonly number[] };
}

/** Maximum length in bytes of a relevant key, with all of its characters escaped. */
const longestKeyBytes = 2 + 6 * 'max_tokens'.length;

export class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError';
}

/**
 * Walks the lines of a request file that aren't blank and finds ids and params without validating them. `onBytes` is called for all bytes
 * of the file. Blocks the thread, so only for workers. Throws a `LineTooLongError` for a line of more than 64 MiB.
 */
export function walkRequests(
  path: string,
  visit: (line: WalkedLine) => void,
  context: PassContext,
  onBytes: (bytes: Uint8Array) => void = () => undefined,
): OtherLines {
  const walk = new RequestWalk(path, visit);
  const onRead = toOnRead(context, statSync(path).size);
  const onChunk = (doneBytes: number, chunk: Uint8Array) => {
    onBytes(chunk);
    onRead(doneBytes);
  };
  forEachLine(path, walk, onChunk, maxRequestLineBytes);
  return { blank: walk.blank, broken: walk.broken.found() };
}

export function idOf({ bytes, idStart, idEnd }: WalkedLine): string | undefined {
  return idStart < 0 ? undefined : decodeString(bytes, idStart - 1, idEnd + 1);
}

class RequestWalk implements WalkedLine, LineVisitor {
  line = 0;
  kind: WalkedLine['kind'] = 'broken';
  bytes: Buffer = Buffer.alloc(0);
  start = 0;
  end = 0;
  offset = 0;
  valueStart = 0;
  valueEnd = 0;
  idStart = -1;
  idEnd = -1;
  paramsStart = -1;
  paramsEnd = -1;
  blank = 0;
  readonly broken = new Tally<number>();
  private readonly json = new JsonBytes();

  constructor(
    private readonly path: string,
    private readonly visitLine: (line: WalkedLine) => void,
  ) {}

  buffer(bytes: number, before: Buffer | undefined): Buffer {
    const buffer = growBuffer(bytes, before);
    this.json.bytes = buffer;
    this.bytes = buffer;
    return buffer;
  }

  visit(start: number, line: number, offset: number, hasInvalidUtf8: boolean): number {
    const { json } = this;
    this.line = line;
    this.start = start;
    this.offset = offset;
    this.valueStart = json.skipSpace(start);
    this.idStart = this.idEnd = this.paramsStart = this.paramsEnd = -1;
    if (this.bytes[this.valueStart] === LF) {
      this.blank++;
      return this.valueStart;
    }
    const lineEnd = this.findParts();
    this.end = lineEnd < 0 ? this.bytes.indexOf(LF, start) : lineEnd;
    if (hasInvalidUtf8 && !isUtf8(this.bytes.subarray(start, this.end))) {
      this.kind = 'broken';
    }
    if (this.kind === 'broken') {
      this.idStart = this.paramsStart = -1;
      this.broken.add(() => line);
    }
    this.visitLine(this);
    return this.end;
  }

  reject(_: unknown, line: number): void {
    throw new LineTooLongError(`${this.path}: line ${line + 1} is longer than ${maxRequestLineBytes} bytes. Remove the line first.`);
  }

  /** Determines the kind of the line and finds its parts. Returns the offset of its LF, or -1 if the caller has to search for it. */
  private findParts(): number {
    const { json, bytes } = this;
    this.kind = 'broken';
    let isRequest = false;
    let isParams = false;
    const valueEnd = json.forEachMember(this.valueStart, (keyStart, keyEnd, start, end) => {
      if (keyEnd - keyStart > longestKeyBytes) {
        return;
      }
      switch (decodeString(bytes, keyStart, keyEnd)) {
        case 'custom_id':
          isRequest = true;
          this.idStart = bytes[start] === QUOTE ? start + 1 : -1;
          this.idEnd = end - 1;
          break;
        case 'params':
          isRequest = true;
          this.paramsStart = start;
          this.paramsEnd = end;
          break;
        case 'messages':
        case 'model':
        case 'max_tokens':
          isParams = true;
          break;
      }
    });
    const end = valueEnd < 0 ? -1 : json.skipSpace(valueEnd);
    if (end < 0 || bytes[end] !== LF) {
      return -1;
    }
    this.valueEnd = valueEnd;
    if (isRequest) {
      this.kind = 'request';
    } else if (isParams) {
      this.kind = 'params';
      this.paramsStart = this.valueStart;
      this.paramsEnd = valueEnd;
    }
    return end;
  }
}

/**
 * Finds every request of a submission in its source file. Each request must still be on its line with its id, or the derived id for bare
 * params. Otherwise throws a `SourceChangedError` that names the request. `id` is the number of the request in the line map. Returns
 * whether the file has the bytes that were submitted, or `undefined` if no hash was given. Blocks, so use it in a worker thread.
 */
export function forEachRequest(
  path: string,
  { ids, lines }: LineMap,
  sha256: string | undefined,
  onRequest: (id: number, line: WalkedLine) => void,
  context: PassContext,
): boolean | undefined {
  const hash = sha256 === undefined ? undefined : createHash('sha256');
  let next = 0;
  const demand = (isThere: boolean) => {
    if (!isThere) {
      const change = `request "${ids.text(next)}" is no longer on line ${(lines[next] as number) + 1}`;
      throw new SourceChangedError(`${path} has changed since it was submitted: ${change}.`);
    }
  };
  walkRequests(
    path,
    line => {
      if (line.line === lines[next]) {
        const id = line.kind === 'params' ? derivedId(line.line) : idOf(line);
        demand(line.paramsStart >= 0 && id === ids.text(next));
        onRequest(next++, line);
      }
    },
    context,
    bytes => hash?.update(bytes),
  );
  demand(next === lines.length);
  return hash && hash.digest('hex') === sha256;
}
