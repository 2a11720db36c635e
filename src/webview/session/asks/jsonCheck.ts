/** What a text is: plain words, JSON, or something that begins like JSON and is none, with the place where it ends to be so. */
export type JsonCheck =
  | { readonly kind: 'text' | 'json' }
  | { readonly kind: 'broken'; readonly line: number; readonly column: number; readonly isCut: boolean };

/** Looks whether a text that begins like an object or a list is JSON. Lines and columns count from 1. */
export function checkJson(text: string): JsonCheck {
  if (!/^\s*[[{]/.test(text)) {
    return { kind: 'text' };
  }
  try {
    JSON.parse(text);
    return { kind: 'json' };
  } catch {
    // What the error says depends on the engine, and mostly it does not say where.
    const place = findFault(text);
    const before = text.slice(0, place);
    return {
      kind: 'broken',
      line: before.split('\n').length,
      column: place - before.lastIndexOf('\n'),
      isCut: place >= text.trimEnd().length,
    };
  }
}

const space = /[ \t\n\r]*/y;
const token =
  /[{}[\],:]|"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/uy;

/** What may come next: a value, the first or another key, `:`, or what follows a value. */
type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd' | 'nothing';

/** Place of the first token that JSON does not allow there; the end of the text when it just stops too early. */
function findFault(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let place = 0;
  for (;;) {
    space.lastIndex = place;
    space.test(text);
    place = space.lastIndex;
    token.lastIndex = place;
    const found = token.exec(text)?.[0];
    const next: Expected | undefined = found === undefined ? undefined : follow(found, expected, open);
    if (found === undefined || next === undefined) {
      return place;
    }
    expected = next;
    place += found.length;
  }
}

/** What may come after a token; undefined when it must not stand there. */
function follow(found: string, expected: Expected, open: ('{' | '[')[]): Expected | undefined {
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'commaOrEnd');
  switch (found) {
    case '{':
    case '[':
      if (expected !== 'value' && expected !== 'valueOrEnd') {
        return undefined;
      }
      open.push(found);
      return found === '{' ? 'keyOrEnd' : 'valueOrEnd';
    case '}':
    case ']': {
      const isEmpty = expected === (found === '}' ? 'keyOrEnd' : 'valueOrEnd');
      if (!(isEmpty || expected === 'commaOrEnd') || open.pop() !== (found === '}' ? '{' : '[')) {
        return undefined;
      }
      return afterValue();
    }
    case ',':
      return expected === 'commaOrEnd' ? (open.at(-1) === '{' ? 'key' : 'value') : undefined;
    case ':':
      return expected === 'colon' ? 'value' : undefined;
    default:
      if (expected === 'key' || expected === 'keyOrEnd') {
        return found.startsWith('"') ? 'colon' : undefined;
      }
      return expected === 'value' || expected === 'valueOrEnd' ? afterValue() : undefined;
  }
}
