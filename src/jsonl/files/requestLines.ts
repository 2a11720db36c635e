import { createHash } from 'node:crypto';
import { CLOSE_BRACE, COLON, COMMA, decodeString, JsonBytes, LF, OPEN_BRACE, QUOTE } from '../scanning/jsonBytes';
import { SourceChangedError } from './fileState';
import { forEachLine, growBuffer, type LineInBuffer, type LineVisitor } from './lineFile';
import type { LineMap } from './lineMap';
import { derivedId } from './derivedIds';

/** Request of a submission, located in its file. Valid until the callback returns. */
export interface FoundRequest {
  /** Number of its id in the line map. */
  readonly id: number;
  readonly line: number;
  readonly bytes: Uint8Array;
  /** Range of the line without surrounding white space. */
  readonly start: number;
  readonly end: number;
  /** Range of `params`, which is the whole line for bare message params. */
  readonly paramsStart: number;
  readonly paramsEnd: number;
  readonly bare: boolean;
  /** Offset in the file of the first byte of `bytes`. */
  readonly base: number;
}

/** Result of finding all requests in a file. */
export interface SourceCheck {
  /** True if the file has the bytes that were submitted. `undefined` if no hash was given. */
  readonly unchanged: boolean | undefined;
}

/**
 * Finds every request of a submission in its source file. Each must still be on its line with its id, or the derived id for bare params.
 * Otherwise throws a `SourceChangedError` that names the request. Blocks, so use it in a worker thread.
 */
export function forEachRequest(
  path: string,
  map: LineMap,
  sha256: string | undefined,
  onRequest: (request: FoundRequest) => void,
  onRead: (doneBytes: number) => void,
): SourceCheck {
  const visitor = new RequestVisitor(path, map, onRequest);
  const hash = sha256 === undefined ? undefined : createHash('sha256');
  forEachLine(path, visitor, (doneBytes, chunk) => {
    hash?.update(chunk);
    onRead(doneBytes);
  });
  visitor.finish();
  return { unchanged: hash === undefined ? undefined : hash.digest('hex') === sha256 };
}

class RequestVisitor implements LineVisitor {
  private readonly json = new JsonBytes();
  private next = 0;

  constructor(
    private readonly path: string,
    private readonly map: LineMap,
    private readonly onRequest: (request: FoundRequest) => void,
  ) {}

  buffer(bytes: number, before: Buffer | undefined): Buffer {
    const buffer = growBuffer(bytes, before);
    this.json.bytes = buffer;
    return buffer;
  }

  visit(start: number, line: number, offset: number, hasInvalidUtf8: boolean): number {
    if (line !== this.map.lines[this.next] || hasInvalidUtf8) {
      return -1;
    }
    return this.request(start, line, offset) ? this.json.bytes.indexOf(LF, start) : -1;
  }

  /** Called for lines between requests, and for requests that could not be read. */
  reject(found: LineInBuffer | undefined, line: number): void {
    if (line !== this.map.lines[this.next]) {
      return;
    }
    // Invalid bytes elsewhere in the buffer don't affect this line.
    if (found === undefined || !this.request(found.start, line, found.offset)) {
      throw this.changed(this.next);
    }
  }

  finish(): void {
    if (this.next < this.map.lines.length) {
      throw this.changed(this.next);
    }
  }

  private request(from: number, line: number, offset: number): boolean {
    const json = this.json;
    const bytes = json.bytes;
    const start = json.skipSpace(from);
    let customId: string | undefined;
    let paramsStart = -1;
    let paramsEnd = -1;
    let at = bytes[start] === OPEN_BRACE ? json.skipSpace(start + 1) : -1;
    while (at >= 0 && bytes[at] !== CLOSE_BRACE) {
      const keyEnd = bytes[at] === QUOTE ? json.skipString(at) : -1;
      const colon = keyEnd < 0 ? -1 : json.skipSpace(keyEnd);
      if (colon < 0 || bytes[colon] !== COLON) {
        return false;
      }
      const key = decodeString(bytes, at, keyEnd);
      const valueStart = json.skipSpace(colon + 1);
      const valueEnd = json.skipValue(valueStart);
      if (valueEnd < 0) {
        return false;
      }
      if (key === 'custom_id') {
        customId = bytes[valueStart] === QUOTE ? decodeString(bytes, valueStart, valueEnd) : undefined;
      } else if (key === 'params') {
        paramsStart = valueStart;
        paramsEnd = valueEnd;
      }
      at = json.skipSpace(valueEnd);
      if (bytes[at] === COMMA) {
        at = json.skipSpace(at + 1);
        if (bytes[at] !== QUOTE) {
          return false;
        }
      } else if (bytes[at] !== CLOSE_BRACE) {
        return false;
      }
    }
    if (at < 0 || bytes[json.skipSpace(at + 1)] !== LF) {
      return false;
    }
    const end = at + 1;
    const bare = customId === undefined && paramsStart < 0;
    const id = this.next;
    const expected = this.map.ids.text(id);
    if (bare ? expected !== derivedId(line) : customId !== expected || paramsStart < 0) {
      return false;
    }
    this.next++;
    this.onRequest({
      id,
      line,
      bytes,
      start,
      end,
      paramsStart: bare ? start : paramsStart,
      paramsEnd: bare ? end : paramsEnd,
      bare,
      base: offset - from,
    });
    return true;
  }

  private changed(id: number): SourceChangedError {
    const line = (this.map.lines[id] as number) + 1;
    return new SourceChangedError(
      `${this.path} has changed since it was submitted: request "${this.map.ids.text(id)}" is no longer on line ${line}.`,
    );
  }
}
