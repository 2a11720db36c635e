import { isRecord } from './isRecord';

/** JSON number that JavaScript would write differently: `9007199254740993`, `1e400`, `0.10`. The `Number` value is the nearest double. */
export class ExactNumber extends Number {
  readonly #text: string;

  constructor(text: string) {
    super(text);
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }
}

/** Returns the JSON text of a number, or `undefined` for any other value. */
export function numberText(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : value instanceof ExactNumber ? value.text : undefined;
}

/** Parses JSON like `JSON.parse`, but keeps the digits of numbers. Takes linear time. Throws the same errors as `JSON.parse`. */
export function parseExact(json: string): unknown {
  return keepDigits(JSON.parse(json), json);
}

/**
 * Replaces the numbers of `value` that a double can't represent with `ExactNumber`s. `value` is the result of `JSON.parse(json)`. Keeps
 * values that were replaced after parsing, such as secrets.
 */
export function keepDigits<T>(value: T, json: string): T {
  if (!mayChange.some(pattern => pattern.test(json))) {
    return value;
  }
  const marked = markNumbers(json);
  return marked === undefined ? value : (withDigits(value, JSON.parse(marked)) as T);
}

/** Serializes a value like `JSON.stringify`, with all digits of exact numbers. Cuts off below the 1,000th level. */
export function writeJson(value: unknown, indent = ''): string {
  return write(value, indent, indent === '' ? '' : '\n', 0);
}

const deepest = 1000;

/** Patterns that match every number that a double may change, and some other texts. */
const mayChange = [/\d[eE]/, /[\d.]{16}/, /\.[1-9]*0/, /-0/];
const numbers = /-?\d[\d.eE+-]*/g;

/** Quotes the numbers that JavaScript would write differently. Returns `undefined` if there are none. */
function markNumbers(json: string): string | undefined {
  let marked = '';
  let hasMarks = false;
  const mark = (number: string): string => {
    if (String(Number(number)) === number) {
      return number;
    }
    hasMarks = true;
    return `"${number}"`;
  };
  for (let at = 0; at < json.length; ) {
    const quote = json.indexOf('"', at);
    const end = quote < 0 ? json.length : endOfString(json, quote);
    marked += json.slice(at, quote < 0 ? end : quote).replace(numbers, mark) + (quote < 0 ? '' : json.slice(quote, end));
    at = end;
  }
  return hasMarks ? marked : undefined;
}

/** Returns the index after the quote that closes the string at `from`, or the length of `json` if the string is not closed. */
export function endOfString(json: string, from: number): number {
  for (let at = json.indexOf('"', from + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json[at - 1 - slashes] === '\\') {
      slashes++;
    }
    if (slashes % 2 === 0) {
      return at + 1;
    }
  }
  return json.length;
}

/** Replaces numbers of `value` that are strings in `marked`. Not recursive, because values may be nested deeply. */
function withDigits(value: unknown, marked: unknown): unknown {
  const root = { value };
  const waiting: [unknown, unknown][] = [[root, { value: marked }]];
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [into, from] = pair;
    if (typeof into !== 'object' || into === null || typeof from !== 'object' || from === null) {
      continue;
    }
    for (const key of Object.keys(into)) {
      const [inner, other] = [Reflect.get(into, key), Reflect.get(from, key)];
      // A number that is too large for a double may have become null.
      if ((typeof inner === 'number' || inner === null) && typeof other === 'string') {
        Object.defineProperty(into, key, { value: new ExactNumber(other), configurable: true, enumerable: true, writable: true });
      } else if (typeof inner === 'object') {
        waiting.push([inner, other]);
      }
    }
  }
  return root.value;
}

function write(value: unknown, indent: string, lineBreak: string, depth: number): string {
  if (value instanceof ExactNumber) {
    return value.text;
  }
  if (depth > deepest) {
    return '"…"';
  }
  const inner = lineBreak + indent;
  if (Array.isArray(value)) {
    const items = value.map(item => write(item ?? null, indent, inner, depth + 1));
    return items.length === 0 ? '[]' : `[${inner}${items.join(`,${inner}`)}${lineBreak}]`;
  }
  if (!isRecord(value)) {
    return JSON.stringify(value) ?? '';
  }
  const colon = indent === '' ? ':' : ': ';
  const members = Object.keys(value)
    .filter(key => value[key] !== undefined)
    .map(key => `${JSON.stringify(key)}${colon}${write(value[key], indent, inner, depth + 1)}`);
  return members.length === 0 ? '{}' : `{${inner}${members.join(`,${inner}`)}${lineBreak}}`;
}
