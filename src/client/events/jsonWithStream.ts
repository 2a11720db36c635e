/**
 * Returns the JSON text of an object with its top-level member `stream` set to true; every other character is unchanged. If the member
 * exists, only its value is replaced, in each duplicate. The text must be valid JSON. One that is not an object is returned unchanged, for
 * the service to judge.
 */
export function jsonWithStream(text: string): string {
  const start = skipSpace(text, 0);
  if (text[start] !== '{') {
    return text;
  }
  const values = memberValues(text, start + 1, 'stream');
  if (values.length === 0) {
    const empty = text[skipSpace(text, start + 1)] === '}';
    return `${text.slice(0, start + 1)}"stream":true${empty ? '' : ','}${text.slice(start + 1)}`;
  }
  let result = '';
  let from = 0;
  for (const [begin, end] of values) {
    result += `${text.slice(from, begin)}true`;
    from = end;
  }
  return result + text.slice(from);
}

/** Start and end offsets of the values of the members called `name`, in the object whose first member begins after `index`. */
function memberValues(text: string, index: number, name: string): (readonly [begin: number, end: number])[] {
  const found: (readonly [number, number])[] = [];
  let at = skipSpace(text, index);
  while (text[at] === '"') {
    const keyEnd = skipString(text, at);
    const isNamed = isKey(text.slice(at, keyEnd), name);
    const begin = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = skipValue(text, begin);
    if (isNamed) {
      found.push([begin, end]);
    }
    at = skipSpace(text, end);
    if (text[at] !== ',') {
      break;
    }
    at = skipSpace(text, at + 1);
  }
  return found;
}

function isKey(literal: string, name: string): boolean {
  if (!literal.includes('\\')) {
    return literal.slice(1, -1) === name;
  }
  try {
    return JSON.parse(literal) === name;
  } catch {
    return false;
  }
}

function skipSpace(text: string, index: number): number {
  let at = index;
  while (at < text.length && (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t')) {
    at++;
  }
  return at;
}

/** Returns the index after the string that begins at `index`. */
function skipString(text: string, index: number): number {
  let at = index + 1;
  while (at < text.length && text[at] !== '"') {
    at += text[at] === '\\' ? 2 : 1;
  }
  return at + 1;
}

/** Returns the index after the value that begins at `index`. */
function skipValue(text: string, index: number): number {
  let at = index;
  let depth = 0;
  do {
    const character = text[at];
    if (character === '"') {
      at = skipString(text, at);
    } else if (character === '{' || character === '[') {
      depth++;
      at++;
    } else if (character === '}' || character === ']') {
      depth--;
      at++;
    } else {
      at = skipScalar(text, at);
    }
  } while (depth > 0 && at < text.length);
  return at;
}

/** Returns the index after a number, a literal, or the separators inside a container. */
function skipScalar(text: string, index: number): number {
  let at = index + 1;
  while (at < text.length && !'"{}[],: \n\r\t'.includes(text[at] ?? '')) {
    at++;
  }
  return at;
}
