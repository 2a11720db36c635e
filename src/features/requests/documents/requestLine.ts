import { memberOf } from '../../../jsonl/fixes/jsonParts';
import { isJson, rootOf } from '../../../jsonl/scanning/jsonMembers';

export interface RequestLine {
  /** Id in the line. `undefined` for bare message params. */
  readonly customId: string | undefined;
  /** Unchanged JSON text of the params. */
  readonly params: string;
}

/**
 * Parses a line. Keeps the text of its params. Returns `undefined` if the line is not a JSON object, or has an id but no params. An object
 * without an id and params is message params. The last of duplicate keys wins, as in `JSON.parse`.
 */
export function readRequestLine(line: string): RequestLine | undefined {
  const text = line.replace(/^\ufeff/, '').trim();
  const root = text.startsWith('{') && isJson(text) ? rootOf(text) : undefined;
  if (root === undefined) {
    return undefined;
  }
  const textOf = (key: string) => {
    const part = memberOf(root, key);
    return part && text.slice(part.start, part.end);
  };
  const [id, params] = [textOf('custom_id'), textOf('params')];
  if (params === undefined) {
    return id === undefined ? { customId: undefined, params: text } : undefined;
  }
  return params.startsWith('{') ? { customId: id?.startsWith('"') ? JSON.parse(id) : undefined, params } : undefined;
}
