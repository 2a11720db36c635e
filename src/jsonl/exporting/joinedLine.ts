import type { BytesPiece } from '../querying/bytesReader';
import { JsonBytes } from '../scanning/jsonBytes';

const beforeRequest = Buffer.from(',"request":');

/** Where the parts of a joined line stand. */
export interface JoinedParts {
  /** Behind the line's number: where a request is put, or stands. */
  readonly head: number;
  /** The request that the line has, if any. */
  readonly request: { readonly start: number; readonly end: number } | undefined;
}

/** Finds the request in joined lines, or where one belongs. */
export class JoinedLine {
  private readonly json = new JsonBytes();

  partsOf({ bytes, start }: BytesPiece): JoinedParts {
    const { json } = this;
    json.bytes = bytes;
    // `{"custom_id":"...","line":N` is how the join begins each.
    const id = json.skipString(start + '{"custom_id":'.length);
    const head = json.skipValue(id + ',"line":'.length);
    if (bytes.compare(beforeRequest, 0, beforeRequest.length, head, head + beforeRequest.length) !== 0) {
      return { head, request: undefined };
    }
    const from = head + beforeRequest.length;
    return { head, request: { start: from, end: json.skipValue(from) } };
  }
}
