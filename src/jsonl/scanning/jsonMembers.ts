/** Character codes of JSON tokens. */
export enum Code {
  tab = 9,
  lineFeed = 10,
  carriageReturn = 13,
  space = 32,
  quote = 34,
  comma = 44,
  minus = 45,
  colon = 58,
  openBracket = 91,
  backslash = 92,
  closeBracket = 93,
  openBrace = 123,
  closeBrace = 125,
  byteOrderMark = 0xfeff,
}

// All functions here expect JSON, possibly cut off at the end. The caller must check that.

const structure = /["{}[\]]/g;
const scalarEnd = /[,\]}\s]/g;

/**
 * Returns the position after the JSON value at `at`, or -1 if the text ends first. A scalar at the very end of the text counts as
 * unfinished.
 */
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

/** Returns whether a character is JSON white space. */
export function isSpace(code: number): boolean {
  return code === Code.space || code === Code.lineFeed || code === Code.carriageReturn || code === Code.tab;
}

/** Returns the members of a JSON object with the text of each value. The last of several equal keys wins. */
export function membersOf(json: string): Map<string, string> {
  const members = new Map<string, string>();
  let at = skipSpace(json, skipSpace(json, 0) + 1);
  while (json[at] === '"') {
    const keyEnd = endOfString(json, at);
    const key = decodeText(json.slice(at, keyEnd));
    at = skipSpace(json, skipSpace(json, keyEnd) + 1);
    const end = endOfValue(json, at);
    members.set(key, json.slice(at, end));
    at = skipSpace(json, end);
    if (json[at] === ',') {
      at = skipSpace(json, at + 1);
    }
  }
  return members;
}

/** Returns the value at a dotted path of object keys and 0-based array indexes, or `undefined` if there is none. */
export function valueAt(json: string, path: string): string | undefined {
  if (json[0] === '{') {
    return lookUp(membersOf(json), path);
  }
  const [, step, rest] = /^(\d{1,9})(?:\.(.+))?$/s.exec(path) ?? [];
  if (json[0] !== '[' || step === undefined) {
    return undefined;
  }
  let at = skipSpace(json, 1);
  for (let index = 0; json[at] !== ']'; index++) {
    const end = endOfValue(json, at);
    if (index === Number(step)) {
      const value = json.slice(at, end);
      return rest === undefined ? value : valueAt(value, rest);
    }
    at = skipSpace(json, end);
    at = json[at] === ',' ? skipSpace(json, at + 1) : at;
  }
  return undefined;
}

/** Returns the member with that name. If there is none, returns the value at that dotted path. */
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

/** Returns the text of a JSON string. */
export function decodeText(json: string): string {
  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
}

/** Removes the white space between JSON tokens. Strings, numbers and keys stay unchanged. */
export function compactJson(json: string): string {
  return json.replace(/("[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$))|[ \t\r\n]+/gs, '$1');
}
