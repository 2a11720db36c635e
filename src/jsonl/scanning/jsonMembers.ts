import { Code } from './code';

// All of this walks text that is JSON, or the begin of JSON: whether it is, is for the caller to check.

const structure = /["{}[\]]/g;
const scalarEnd = /[,\]}\s]/g;

/** The place behind the JSON value at `at`, or -1 when the text ends first. A scalar that nothing follows counts as unfinished. */
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

/** The place behind the closing quotation mark of the string that opens at `at`, or -1. */
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

/** The first place from `at` on that is no white space of JSON; the text's length when there is none. */
export function skipSpace(text: string, at: number): number {
  while (at < text.length && isSpace(text.charCodeAt(at))) {
    at++;
  }
  return at;
}

/** Whether a character is white space between the tokens of JSON. */
export function isSpace(code: number): boolean {
  return code === Code.space || code === Code.lineFeed || code === Code.carriageReturn || code === Code.tab;
}

/** The members of the object that `json` is, each value as its text stands; of equal keys the last counts. */
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

/** The value at a dotted path below a value: keys of objects, and places in arrays from 0. Undefined when there is none. */
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

/** The member of that name, or, when there is none, what a dotted path leads to. */
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

/** Returns whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The text that a JSON string stands for. */
export function decodeText(json: string): string {
  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
}

/** The same JSON without white space between its parts; not a character of a string, number or key changes. */
export function compactJson(json: string): string {
  return json.replace(/("[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$))|[ \t\r\n]+/gs, '$1');
}
