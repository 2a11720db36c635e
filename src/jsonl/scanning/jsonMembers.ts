import { CR, LF, SPACE, TAB } from './jsonBytes';

// All functions here require JSON, possibly cut off at the end. The functions don't check that the text is JSON.

const structure = /["{}[\]]/g;
const scalarEnd = /[,\]}\s]/g;

/** Returns the position after the JSON value at `at`, or -1 if the text ends first, or ends with a scalar. */
export function endOfValue(text: string, at: number): number {
  const first = text[at];
  if (first === '"') {
    return endOfString(text, at);
  }
  if (first !== '{' && first !== '[') {
    scalarEnd.lastIndex = at;
    return scalarEnd.exec(text)?.index ?? -1;
  }
  let depth = 0;
  structure.lastIndex = at;
  for (let match = structure.exec(text); match !== null; match = structure.exec(text)) {
    switch (match[0]) {
      case '"': {
        const end = endOfString(text, match.index);
        if (end === -1) {
          return -1;
        }
        structure.lastIndex = end;
        break;
      }
      case '{':
      case '[':
        depth++;
        break;
      default:
        depth--;
        if (depth === 0) {
          return match.index + 1;
        }
    }
  }
  return -1;
}

/** Returns the position after the closing quote of the string that starts at `at`, or -1. */
export function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === '\\') {
      before--;
    }
    if ((end - before) % 2 === 1) {
      return end + 1;
    }
  }
  return -1;
}

/** Returns the first position from `at` on that is not JSON white space, or the length of the text. */
export function skipSpace(text: string, at: number): number {
  while (at < text.length && isSpace(text.charCodeAt(at))) {
    at++;
  }
  return at;
}

export function isSpace(code: number | undefined): boolean {
  return code === SPACE || code === LF || code === CR || code === TAB;
}

/** Member of an object or item of an array, located in UTF-16 columns. */
export interface JsonPart {
  /** Key of a member or index of an item. */
  readonly key: string | number;
  /** Start of the key of a member or of the value of an item. */
  readonly from: number;
  /** End of the key with its quotes, or `from` for an item. */
  readonly keyEnd: number;
  readonly start: number;
  readonly end: number;
}

/** Object or array: the columns of its brackets, and its parts in order, including duplicate keys. */
export interface JsonContainer {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly JsonPart[];
}

/** Returns the object or array that starts at `at` in a JSON text, or `undefined` if there is another value. */
export function containerAt(text: string, at: number): JsonContainer | undefined {
  const isObject = text[at] === '{';
  if (!isObject && text[at] !== '[') {
    return undefined;
  }
  const parts: JsonPart[] = [];
  let next = skipSpace(text, at + 1);
  while (text[next] !== '}' && text[next] !== ']' && next < text.length) {
    const from = next;
    let keyEnd = from;
    let key: string | number = parts.length;
    if (isObject) {
      keyEnd = endOfString(text, from);
      key = decodeText(text.slice(from, keyEnd));
      next = skipSpace(text, skipSpace(text, keyEnd) + 1);
    }
    const start = next;
    const end = endOfValue(text, start);
    parts.push({ key, from, keyEnd, start, end });
    next = skipSpace(text, end);
    if (text[next] !== ',') {
      break;
    }
    next = skipSpace(text, next + 1);
  }
  return { start: at, end: next + 1, parts };
}

/** Returns the outermost object or array of a line that is JSON. */
export function rootOf(text: string): JsonContainer | undefined {
  return containerAt(text, skipSpace(text, 0));
}

/** Returns the members of a JSON object with the text of each value. The last of several equal keys wins. */
export function membersOf(json: string): Map<string, string> {
  return new Map(rootOf(json)?.parts.map(({ key, start, end }) => [String(key), json.slice(start, end)]));
}

/** Returns the value at a dotted path of object keys and 0-based array indexes, or `undefined` if there is no such value. */
function valueAt(json: string, path: string): string | undefined {
  if (json[0] === '{') {
    return lookUp(membersOf(json), path);
  }
  const [, step, rest] = /^(\d{1,9})(?:\.(.+))?$/s.exec(path) ?? [];
  const item = json[0] === '[' && step !== undefined ? containerAt(json, 0)?.parts[Number(step)] : undefined;
  const value = item && json.slice(item.start, item.end);
  return value === undefined || rest === undefined ? value : valueAt(value, rest);
}

/** Returns the member named `path`. If there is no such member, returns the value at the dotted path `path`. */
export function lookUp(members: ReadonlyMap<string, string>, path: string): string | undefined {
  const value = members.get(path);
  if (value !== undefined) {
    return value;
  }
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const parent = members.get(path.slice(0, dot));
    if (parent !== undefined) {
      return valueAt(parent, path.slice(dot + 1));
    }
  }
  return undefined;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export function decodeText(json: string): string {
  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
}

/** Removes the white space between JSON tokens. Strings, numbers and keys stay unchanged. */
export function compactJson(json: string): string {
  return json.replace(/("[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$))|[ \t\r\n]+/gs, '$1');
}
