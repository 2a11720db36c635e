import { CLOSE_BRACE, COLON, COMMA, decodeString, JsonBytes, LF, OPEN_BRACE, QUOTE } from '../../../jsonl/scanning/jsonBytes';

/** Request on a line of a request file. */
export interface RequestLine {
  /** Id in the line. `undefined` for bare message params. */
  readonly customId: string | undefined;
  /** JSON text of the params, unchanged. */
  readonly params: string;
}

/**
 * Parses a line without changing its params. Returns `undefined` if it is not a JSON object, or has an id but no params. An object without
 * both is message params. Of duplicate keys the last one counts, as with `JSON.parse`.
 */
export function readRequestLine(text: string): RequestLine | undefined {
  const json = new JsonBytes();
  const bytes = Buffer.from(`${text.replace(/^\ufeff/, '')}\n`);
  json.bytes = bytes;
  const start = json.skipSpace(0);
  if (bytes[start] !== OPEN_BRACE) {
    return undefined;
  }
  const members = new Map<string, readonly [start: number, end: number]>();
  let at = json.skipSpace(start + 1);
  let isFirst = true;
  while (bytes[at] !== CLOSE_BRACE || !isFirst) {
    if (bytes[at] !== QUOTE) {
      return undefined;
    }
    const keyEnd = json.skipString(at);
    if (keyEnd < 0) {
      return undefined;
    }
    const key = decodeString(bytes, at, keyEnd);
    const colon = json.skipSpace(keyEnd);
    if (bytes[colon] !== COLON) {
      return undefined;
    }
    const valueStart = json.skipSpace(colon + 1);
    const valueEnd = json.skipValue(valueStart);
    if (valueEnd < 0) {
      return undefined;
    }
    members.set(key, [valueStart, valueEnd]);
    at = json.skipSpace(valueEnd);
    isFirst = false;
    if (bytes[at] === COMMA) {
      at = json.skipSpace(at + 1);
    } else {
      break;
    }
  }
  if (bytes[at] !== CLOSE_BRACE) {
    return undefined;
  }
  const end = at + 1;
  if (bytes[json.skipSpace(end)] !== LF) {
    return undefined;
  }
  return toRequest(bytes, members, start, end);
}

function toRequest(
  bytes: Buffer,
  members: ReadonlyMap<string, readonly [start: number, end: number]>,
  start: number,
  end: number,
): RequestLine | undefined {
  const id = members.get('custom_id');
  const params = members.get('params');
  if (params === undefined) {
    return id === undefined ? { customId: undefined, params: bytes.toString('utf8', start, end) } : undefined;
  }
  if (bytes[params[0]] !== OPEN_BRACE) {
    return undefined;
  }
  return {
    customId: id !== undefined && bytes[id[0]] === QUOTE ? decodeString(bytes, id[0], id[1]) : undefined,
    params: bytes.toString('utf8', params[0], params[1]),
  };
}
