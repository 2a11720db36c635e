import type { ProblemText, Severity } from '../../contract/problem';
import { isExactNumber } from '../rules/exactNumber';

export type JsonRule = 'json-syntax' | 'duplicate-key' | 'lone-surrogate' | 'too-deep' | 'number-precision';

/** Something wrong with the JSON itself. `start` and `end` are UTF-16 columns. */
export interface JsonProblem {
  readonly rule: JsonRule;
  readonly text: ProblemText;
  readonly start: number;
  readonly end: number;
  readonly path: readonly (string | number)[];
  /** When it weighs more than its rule does by itself. */
  readonly severity?: Severity;
}

/** Where a value stands, and under which key. */
export interface JsonNode {
  start: number;
  end: number;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly children: Map<string | number, JsonNode> | undefined;
}

export interface ParsedJson {
  /** The value; undefined when the syntax is broken. */
  readonly value: unknown;
  /** Whether the syntax is right: there is exactly one JSON value. */
  readonly complete: boolean;
  readonly problems: readonly JsonProblem[];
  /** With `positions`: the root. */
  readonly root: JsonNode | undefined;
}

/** Arrays and objects inside each other, at most. */
export const maxDepth = 512;

/**
 * Parses one line as JSON (RFC 8259). A syntax error ends the parse and is told once, at its place, in words that never quote
 * values; duplicate keys and lone surrogates are told beside the value. Of duplicate keys the last counts.
 */
export function parseJsonLine(text: string, positions = false): ParsedJson {
  return new Parser(text, positions).parse();
}

class SyntaxStop extends Error {}

enum Code {
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
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const wordPattern = /[A-Za-z_$][\w$.+-]*|[+.\d-][\w.+-]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these in a text.
const endOfPlain = /["\\\u0000-\u001f]/g;

class Parser {
  private at = 0;
  private depth = 0;
  private readonly path: (string | number)[] = [];
  private readonly problems: JsonProblem[] = [];

  constructor(
    private readonly text: string,
    private readonly positions: boolean,
  ) {}

  parse(): ParsedJson {
    try {
      this.skipSpace();
      if (this.at === this.text.length) {
        this.stop('The line is empty.', this.at, this.at);
      }
      const root = this.positions ? this.node(-1, -1) : undefined;
      const value = this.value(root);
      this.skipSpace();
      if (this.at < this.text.length) {
        this.stop(
          this.text[this.at] === '{' || this.text[this.at] === ','
            ? 'A line holds one request only. Put the next one on a line of its own.'
            : 'The request ends before this. Remove what follows it.',
          this.at,
          this.text.length,
        );
      }
      return { value, complete: true, problems: this.problems, root };
    } catch (error) {
      if (!(error instanceof SyntaxStop)) {
        throw error;
      }
      return { value: undefined, complete: false, problems: this.problems, root: undefined };
    }
  }

  private value(node: JsonNode | undefined): unknown {
    const start = this.at;
    let value: unknown;
    switch (this.text.charCodeAt(start)) {
      case Code.openBrace:
        value = this.object(node);
        break;
      case Code.openBracket:
        value = this.array(node);
        break;
      case Code.quote:
        value = this.string();
        break;
      default:
        value = this.word();
    }
    if (node !== undefined) {
      node.start = start;
      node.end = this.at;
    }
    return value;
  }

  private object(node: JsonNode | undefined): Record<string, unknown> {
    const open = this.at;
    const result: Record<string, unknown> = {};
    this.enter();
    this.skipSpace();
    if (this.text.charCodeAt(this.at) === Code.closeBrace) {
      this.leave();
      return result;
    }
    while (true) {
      const keyStart = this.at;
      if (this.text.charCodeAt(keyStart) !== Code.quote) {
        this.stopAtKey(open);
      }
      const key = this.string();
      this.path.push(key);
      if (Object.hasOwn(result, key)) {
        this.tell('duplicate-key', 'The field {0} stands here twice. Remove one of them.', keyStart, this.at, key);
      }
      const child = node === undefined ? undefined : this.node(keyStart, this.at);
      this.skipSpace();
      if (this.text.charCodeAt(this.at) !== Code.colon) {
        this.stopHere('A colon must follow the name of a field.');
      }
      this.at++;
      this.skipSpace();
      const value = this.value(child);
      if (key === '__proto__') {
        Object.defineProperty(result, key, { value, enumerable: true, configurable: true, writable: true });
      } else {
        result[key] = value;
      }
      if (child !== undefined) {
        node?.children?.set(key, child);
      }
      this.path.pop();
      if (!this.more(Code.closeBrace, open)) {
        return result;
      }
    }
  }

  private array(node: JsonNode | undefined): unknown[] {
    const open = this.at;
    const result: unknown[] = [];
    this.enter();
    this.skipSpace();
    if (this.text.charCodeAt(this.at) === Code.closeBracket) {
      this.leave();
      return result;
    }
    while (true) {
      this.path.push(result.length);
      const child = node === undefined ? undefined : this.node(-1, -1);
      if (child !== undefined) {
        node?.children?.set(result.length, child);
      }
      result.push(this.value(child));
      this.path.pop();
      if (!this.more(Code.closeBracket, open)) {
        return result;
      }
    }
  }

  /** Behind an item: whether another follows; if not, the closing bracket has been read. */
  private more(close: Code, open: number): boolean {
    this.skipSpace();
    const code = this.text.charCodeAt(this.at);
    if (code === close) {
      this.leave();
      return false;
    }
    if (code !== Code.comma) {
      if (this.at >= this.text.length) {
        this.stopAtEnd(open);
      }
      this.stopHere(close === Code.closeBrace ? 'A comma or } must come here.' : 'A comma or ] must come here.');
    }
    const comma = this.at;
    this.at++;
    this.skipSpace();
    if (this.text.charCodeAt(this.at) === close) {
      this.stop('Remove this comma: nothing follows it.', comma, comma + 1);
    }
    return true;
  }

  private string(): string {
    const start = this.at;
    let result = this.plain(start + 1);
    while (true) {
      const code = this.text.charCodeAt(this.at);
      if (code === Code.quote) {
        this.at++;
        if (!result.isWellFormed()) {
          this.tell('lone-surrogate', 'Half of a surrogate pair is no character. Remove it or complete the pair.', start, this.at);
        }
        return result;
      }
      if (this.at >= this.text.length) {
        this.stop('The line ends inside a text. Close it with a quotation mark.', start, this.text.length);
      }
      if (code !== Code.backslash) {
        this.stopHere('A control character must be written as an escape, such as \\n or \\u0000.');
      }
      result += this.escape();
      result += this.plain(this.at);
    }
  }

  /** What stands from `start` to the next quotation mark, backslash or control character. */
  private plain(start: number): string {
    endOfPlain.lastIndex = start;
    this.at = endOfPlain.test(this.text) ? endOfPlain.lastIndex - 1 : this.text.length;
    return this.text.slice(start, this.at);
  }

  private escape(): string {
    const start = this.at;
    const simple = simpleEscapes.get(this.text.charAt(start + 1));
    if (simple !== undefined) {
      this.at += 2;
      return simple;
    }
    if (this.text.charAt(start + 1) === 'u') {
      const digits = this.text.slice(start + 2, start + 6);
      if (/^[0-9a-fA-F]{4}$/.test(digits)) {
        this.at += 6;
        return String.fromCharCode(Number.parseInt(digits, 16));
      }
      return this.stop('\\u must be followed by four hexadecimal digits.', start, Math.min(start + 6, this.text.length));
    }
    return this.stop('This escape is not known in JSON. To write a backslash, double it.', start, Math.min(start + 2, this.text.length));
  }

  private word(): unknown {
    const start = this.at;
    numberPattern.lastIndex = start;
    wordPattern.lastIndex = start;
    const word = wordPattern.exec(this.text)?.[0];
    if (word === undefined) {
      return this.stopAtValue();
    }
    this.at += word.length;
    switch (word) {
      case 'true':
        return true;
      case 'false':
        return false;
      case 'null':
        return null;
      default:
        if (numberPattern.exec(this.text)?.[0] === word) {
          if (!isExactNumber(word)) {
            this.tellChange(start, Number(word));
          }
          return Number(word);
        }
        return this.stop(wordText(word), start, this.at);
    }
  }

  private tellChange(start: number, value: number): void {
    if (Number.isFinite(value)) {
      const template = 'JavaScript would change this number to {0}. It is sent as it stands; who reads it may change it.';
      this.tell('number-precision', template, start, this.at, String(value));
    } else {
      const template = 'This number is too large for most readers of JSON: they take it as infinite or refuse it. Write a smaller one.';
      this.problems.push({
        rule: 'number-precision',
        severity: 'warning',
        text: { template, args: [] },
        start,
        end: this.at,
        path: [...this.path],
      });
    }
  }

  private enter(): void {
    this.at++;
    this.depth++;
    if (this.depth > maxDepth) {
      this.tell(
        'too-deep',
        'This is nested deeper than {0} levels; what is in it cannot be checked. Write it flatter.',
        this.at - 1,
        this.at,
        maxDepth,
      );
      throw new SyntaxStop();
    }
  }

  private leave(): void {
    this.at++;
    this.depth--;
  }

  private skipSpace(): void {
    let code = this.text.charCodeAt(this.at);
    while (code === Code.space || code === Code.tab || code === Code.carriageReturn || code === Code.lineFeed) {
      this.at++;
      code = this.text.charCodeAt(this.at);
    }
  }

  private node(keyStart: number, keyEnd: number): JsonNode {
    const code = this.text.charCodeAt(this.at);
    // The value of a field has not been reached yet: whether it has children is known only there.
    const children =
      keyStart >= 0 || code === Code.openBrace || code === Code.openBracket ? new Map<string | number, JsonNode>() : undefined;
    return { start: this.at, end: this.at, keyStart, keyEnd, children };
  }

  private tell(rule: JsonRule, template: string, start: number, end: number, ...args: readonly (string | number)[]): void {
    this.problems.push({ rule, text: { template, args }, start, end, path: [...this.path] });
  }

  private stop(template: string, start: number, end: number): never {
    this.tell('json-syntax', template, start, end);
    throw new SyntaxStop();
  }

  private stopHere(template: string): never {
    return this.stop(template, this.at, Math.min(this.at + 1, this.text.length));
  }

  private stopAtEnd(open: number): never {
    return this.stop(
      this.text.charCodeAt(open) === Code.openBrace ? 'The line ends before this { is closed.' : 'The line ends before this [ is closed.',
      open,
      open + 1,
    );
  }

  private stopAtKey(open: number): never {
    if (this.at >= this.text.length) {
      return this.stopAtEnd(open);
    }
    return this.stopHere(
      this.text[this.at] === "'"
        ? 'JSON uses double quotation marks, not single ones.'
        : 'The name of a field in double quotation marks must come here.',
    );
  }

  private stopAtValue(): never {
    if (this.at >= this.text.length) {
      return this.stop('The line ends where a value must come.', Math.max(this.at - 1, 0), this.at);
    }
    switch (this.text[this.at]) {
      case "'":
      case '\u201c':
      case '\u201d':
        return this.stopHere('JSON uses straight double quotation marks.');
      case '/':
        return this.stopHere('JSON has no comments.');
      case '\ufeff':
        return this.stopHere('Remove this byte order mark: it may stand at the start of the file only.');
      default:
        return this.stopHere('A value must come here.');
    }
  }
}

function wordText(word: string): string {
  if (/^(?:NaN|[+-]?Infinity|undefined|None)$/.test(word)) {
    return 'JSON has no such value. Write null, or leave the field out.';
  }
  if (/^(?:True|TRUE|False|FALSE|Null|NULL)$/.test(word)) {
    return 'true, false and null are written in small letters.';
  }
  return /^[+.\d-]/.test(word) ? 'This is not a number as JSON writes them.' : 'A text must stand in double quotation marks.';
}

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);
