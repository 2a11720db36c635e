import type { BytesPiece } from '../files/spanReader';
import { JsonBytes } from '../scanning/jsonBytes';

const beforeRequest = Buffer.from(',"request":');

/** Positions of the parts of a joined line. */
export interface JoinedParts {
  /** Offset after the line number, where a request is or can be inserted. */
  readonly head: number;
  /** Span of the request in the line, if any. */
  readonly request: { readonly start: number; readonly end: number } | undefined;
}

/** Finds the request in joined lines, or the position for one. */
export class JoinedLine {
  private readonly json = new JsonBytes();

  partsOf({ bytes, start }: BytesPiece): JoinedParts {
    const { json } = this;
    json.bytes = bytes;
    // Each joined line starts with `{"custom_id":"...","line":N`.
    const id = json.skipString(start + '{"custom_id":'.length);
    const head = json.skipValue(id + ',"line":'.length);
    if (bytes.compare(beforeRequest, 0, beforeRequest.length, head, head + beforeRequest.length) !== 0) {
      return { head, request: undefined };
    }
    const from = head + beforeRequest.length;
    return { head, request: { start: from, end: json.skipValue(from) } };
  }
}
