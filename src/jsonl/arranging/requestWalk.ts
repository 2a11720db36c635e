import { isUtf8 } from 'node:buffer';
import { forEachLine, growBuffer, type PassContext } from '../files/lineFile';
import { CLOSE_BRACE, COLON, COMMA, decodeString, JsonBytes, LF, OPEN_BRACE, QUOTE } from '../scanning/jsonBytes';

/** A line of a request file where it lies. Places are positions in `bytes` and hold until the visitor returns. */
export interface WalkedLine {
  /** Counts from 0. */
  line: number;
  /** What the rules take the line for, whatever is wrong inside of it. */
  kind: 'request' | 'params' | 'blank' | 'broken';
  bytes: Buffer;
  /** The line without LF. */
  start: number;
  end: number;
  /** Offset in the file of the byte at `start`. */
  offset: number;
  /** The JSON value: the line without white space around it. */
  valueStart: number;
  valueEnd: number;
  /** The text of `custom_id` between its quotes; `idStart` is -1 when there is none. */
  idStart: number;
  idEnd: number;
  /** `params`, or the value itself when that is bare params; `paramsStart` is -1 when there are none. */
  paramsStart: number;
  paramsEnd: number;
}

/** Longest line that is looked into, as for a check. */
const maxLineBytes = 64 << 20;

/** Bytes of the longest key that is looked for, each character written as an escape. */
const longestKeyBytes = 2 + 6 * 'max_tokens'.length;

/** A line that is too long to be carried along. */
export class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError';
}

/**
 * Goes over the lines of a request file and finds ids and params in them without judging them. Blocks, so it is for threads;
 * `onRead` is told the bytes read so far, and the last of them. Throws `LineTooLongError` for a line of more than 64 MiB.
 */
export function walkRequests(
  path: string,
  visit: (line: WalkedLine) => void,
  onRead: (doneBytes: number, chunk: Uint8Array) => void,
): void {
  const walk = new RequestWalk(path, visit);
  forEachLine(path, walk, onRead, maxLineBytes);
}

/** Progress of a job that reads `totalBytes` in all; `before` of them were read earlier. */
export function toOnRead(context: PassContext, totalBytes: number, before = 0): (doneBytes: number) => void {
  return doneBytes => {
    context.throwIfAborted();
    context.progress({ doneBytes: Math.min(before + doneBytes, totalBytes - 1), totalBytes });
  };
}

/** The id as text, or undefined when there is none. */
export function idOf({ bytes, idStart, idEnd }: WalkedLine): string | undefined {
  return idStart < 0 ? undefined : decodeString(bytes, idStart - 1, idEnd + 1);
}

class RequestWalk {
  private readonly json = new JsonBytes();
  private readonly walked: WalkedLine = {
    line: 0,
    kind: 'blank',
    bytes: Buffer.alloc(0),
    start: 0,
    end: 0,
    offset: 0,
    valueStart: 0,
    valueEnd: 0,
    idStart: -1,
    idEnd: -1,
    paramsStart: -1,
    paramsEnd: -1,
  };

  constructor(
    private readonly path: string,
    private readonly visitLine: (line: WalkedLine) => void,
  ) {}

  buffer(bytes: number, before: Buffer | undefined): Buffer {
    const buffer = growBuffer(bytes, before);
    this.json.bytes = buffer;
    this.walked.bytes = buffer;
    return buffer;
  }

  visit(start: number, line: number, offset: number, hasInvalidUtf8: boolean): number {
    const { walked, json } = this;
    walked.line = line;
    walked.start = start;
    walked.offset = offset;
    walked.valueStart = json.skipSpace(start);
    walked.idStart = walked.idEnd = walked.paramsStart = walked.paramsEnd = -1;
    const behind = this.findParts();
    walked.end = behind < 0 ? walked.bytes.indexOf(LF, start) : behind;
    if (hasInvalidUtf8 && !isUtf8(walked.bytes.subarray(start, walked.end))) {
      walked.kind = 'broken';
    }
    if (walked.kind === 'broken') {
      walked.idStart = walked.paramsStart = -1;
    }
    this.visitLine(walked);
    return walked.end;
  }

  reject(_: unknown, line: number): void {
    throw new LineTooLongError(
      `${this.path}: line ${line + 1} is longer than ${maxLineBytes} bytes. No request can be that long; remove the line first.`,
    );
  }

  /** Tells what the line is and where its parts are; the position of its LF, or -1 when that is to be looked for. */
  private findParts(): number {
    const { walked, json } = this;
    const { bytes } = json;
    if (bytes[walked.valueStart] === LF) {
      walked.kind = 'blank';
      walked.valueEnd = walked.valueStart;
      return walked.valueStart;
    }
    walked.kind = 'broken';
    let isRequest = false;
    let isParams = false;
    const valueEnd = forEachMember(json, walked.valueStart, (keyStart, keyEnd, start, end) => {
      if (keyEnd - keyStart > longestKeyBytes) {
        return;
      }
      switch (decodeString(bytes, keyStart, keyEnd)) {
        case 'custom_id':
          isRequest = true;
          walked.idStart = bytes[start] === QUOTE ? start + 1 : -1;
          walked.idEnd = end - 1;
          break;
        case 'params':
          isRequest = true;
          walked.paramsStart = start;
          walked.paramsEnd = end;
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
    walked.valueEnd = valueEnd;
    if (isRequest) {
      walked.kind = 'request';
    } else if (isParams) {
      walked.kind = 'params';
      walked.paramsStart = walked.valueStart;
      walked.paramsEnd = valueEnd;
    }
    return end;
  }
}

/**
 * Goes over the members of the object at `at`: positions of the key with its quotes, and of the value. Returns the position behind the
 * object, or -1 when there is none, or it is not JSON.
 */
export function forEachMember(
  json: JsonBytes,
  at: number,
  visit: (keyStart: number, keyEnd: number, start: number, end: number) => void,
): number {
  const { bytes } = json;
  if (bytes[at] !== OPEN_BRACE) {
    return -1;
  }
  at = json.skipSpace(at + 1);
  if (bytes[at] === CLOSE_BRACE) {
    return at + 1;
  }
  for (;;) {
    const keyEnd = bytes[at] === QUOTE ? json.skipString(at) : -1;
    if (keyEnd < 0) {
      return -1;
    }
    const colon = json.skipSpace(keyEnd);
    const start = bytes[colon] === COLON ? json.skipSpace(colon + 1) : -1;
    const end = start < 0 ? -1 : json.skipValue(start);
    if (end < 0) {
      return -1;
    }
    visit(at, keyEnd, start, end);
    at = json.skipSpace(end);
    if (bytes[at] === CLOSE_BRACE) {
      return at + 1;
    }
    if (bytes[at] !== COMMA) {
      return -1;
    }
    at = json.skipSpace(at + 1);
  }
}
