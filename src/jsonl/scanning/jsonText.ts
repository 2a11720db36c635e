import type { ProblemText, Severity } from '../../contract/problem';
import { isExactNumber } from '../../shared/exactNumber';
import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './jsonBytes';
import { skipSpace } from './jsonMembers';

type JsonRule = 'json-syntax' | 'duplicate-key' | 'lone-surrogate' | 'too-deep' | 'number-precision';

/** Problem of the JSON itself. `start` and `end` are UTF-16 columns. */
interface JsonProblem {
  readonly rule: JsonRule;
  readonly text: ProblemText;
  readonly start: number;
  readonly end: number;
  readonly path: readonly (string | number)[];
  /** Severity if it is higher than the severity of the rule. */
  readonly severity?: Severity;
}

/** Maximum nesting of arrays and objects. */
export const maxDepth = 512;

/** Thrown to stop at the first syntax error, after it was reported. */
class SyntaxStop extends Error {}

/** Matches a JSON number at `lastIndex`. */
export const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const wordPattern = /[A-Za-z_$][\w$.+-]*|[+.\d-][\w.+-]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these in a text.
const endOfPlain = /["\\\u0000-\u001f]/g;

function wordText(word: string): string {
  if (/^(?:NaN|[+-]?Infinity|undefined|None)$/.test(word)) {
    return 'Not a JSON value. Use null, or remove the field.';
  }
  if (/^(?:True|TRUE|False|FALSE|Null|NULL)$/.test(word)) {
    return 'Use lowercase for true, false and null.';
  }
  return /^[+.\d-]/.test(word) ? 'Not a JSON number.' : 'Put strings in double quotes.';
}

/** Range of a value and of its key. `keyStart` is -1 if there is no key. */
export interface JsonNode {
  start: number;
  end: number;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly children: Map<string | number, JsonNode> | undefined;
}

interface ParsedJson {
  /** The value, or `undefined` if the syntax is invalid. */
  readonly value: unknown;
  /** True if the line is exactly one JSON value. */
  readonly complete: boolean;
  readonly problems: readonly JsonProblem[];
  readonly root: JsonNode | undefined;
}

/**
 * Parses one line as JSON (RFC 8259). Stops at the first syntax error and reports only that error. Also reports duplicate keys and lone
 * surrogates. Messages never quote values. The last of several equal keys wins.
 */
export function parseJsonLine(text: string): ParsedJson {
  return new Parser(text).parse();
}

/** Replaces an infinite number with the largest or smallest finite one. */
function toFinite(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE) : value;
}

class Parser {
  private at = 0;
  private depth = 0;
  private hasInfinite = false;
  private readonly path: (string | number)[] = [];
  private readonly problems: JsonProblem[] = [];

  constructor(private readonly text: string) {}

  parse(): ParsedJson {
    try {
      this.skipSpace();
      if (this.at === this.text.length) {
        this.stop('The line is empty.', this.at, this.at);
      }
      const root = this.node(-1, -1);
      this.value(root);
      this.skipSpace();
      if (this.at < this.text.length) {
        this.stop(
          this.text[this.at] === '{' || this.text[this.at] === ','
            ? 'A line can have only one request.'
            : 'Unexpected text after the request.',
          this.at,
          this.text.length,
        );
      }
      const value: unknown = JSON.parse(this.text, this.hasInfinite ? toFinite : undefined);
      return { value, complete: true, problems: this.problems, root };
    } catch (error) {
      if (!(error instanceof SyntaxStop)) {
        throw error;
      }
      return { value: undefined, complete: false, problems: this.problems, root: undefined };
    }
  }

  private value(node: JsonNode): void {
    const start = this.at;
    switch (this.text.charCodeAt(start)) {
      case OPEN_BRACE:
        this.object(node);
        break;
      case OPEN_BRACKET:
        this.array(node);
        break;
      case QUOTE:
        this.string();
        break;
      default:
        this.word();
    }
    node.start = start;
    node.end = this.at;
  }

  private object(node: JsonNode): void {
    const open = this.at;
    this.enter();
    this.skipSpace();
    if (this.text.charCodeAt(this.at) === CLOSE_BRACE) {
      this.leave();
      return;
    }
    do {
      const keyStart = this.at;
      if (this.text.charCodeAt(keyStart) !== QUOTE) {
        this.stopAtKey(open);
      }
      const key = this.string();
      this.path.push(key);
      if (node.children?.has(key)) {
        this.report('duplicate-key', 'Duplicate field "{0}".', keyStart, this.at, key);
      }
      const child = this.node(keyStart, this.at);
      this.skipSpace();
      if (this.text.charCodeAt(this.at) !== COLON) {
        this.stopHere('Expected a colon.');
      }
      this.at++;
      this.skipSpace();
      this.value(child);
      node.children?.set(key, child);
      this.path.pop();
    } while (this.more(CLOSE_BRACE, open));
  }

  private array(node: JsonNode): void {
    const open = this.at;
    this.enter();
    this.skipSpace();
    if (this.text.charCodeAt(this.at) === CLOSE_BRACKET) {
      this.leave();
      return;
    }
    let index = 0;
    do {
      this.path.push(index);
      const child = this.node(-1, -1);
      node.children?.set(index++, child);
      this.value(child);
      this.path.pop();
    } while (this.more(CLOSE_BRACKET, open));
  }

  /** Reads the separator after an item and returns whether another item follows. If no item follows, the closing bracket has been read. */
  private more(close: number, open: number): boolean {
    this.skipSpace();
    const code = this.text.charCodeAt(this.at);
    if (code === close) {
      this.leave();
      return false;
    }
    if (code !== COMMA) {
      if (this.at >= this.text.length) {
        this.stopAtEnd(open);
      }
      this.stopHere(close === CLOSE_BRACE ? 'Expected a comma or }.' : 'Expected a comma or ].');
    }
    const comma = this.at;
    this.at++;
    this.skipSpace();
    if (this.text.charCodeAt(this.at) === close) {
      this.stop('Trailing comma.', comma, comma + 1);
    }
    return true;
  }

  private enter(): void {
    this.at++;
    this.depth++;
    if (this.depth > maxDepth) {
      this.report('too-deep', 'Nested deeper than {0} levels.', this.at - 1, this.at, maxDepth);
      throw new SyntaxStop();
    }
  }

  private leave(): void {
    this.at++;
    this.depth--;
  }

  private node(keyStart: number, keyEnd: number): JsonNode {
    const code = this.text.charCodeAt(this.at);
    // The value of a key is not parsed yet and may have children.
    const children = keyStart >= 0 || code === OPEN_BRACE || code === OPEN_BRACKET ? new Map<string | number, JsonNode>() : undefined;
    return { start: this.at, end: this.at, keyStart, keyEnd, children };
  }

  private stopAtEnd(open: number): never {
    return this.stop(this.text.charCodeAt(open) === OPEN_BRACE ? 'Unclosed {.' : 'Unclosed [.', open, open + 1);
  }

  private stopAtKey(open: number): never {
    if (this.at >= this.text.length) {
      return this.stopAtEnd(open);
    }
    return this.stopHere(this.text[this.at] === "'" ? 'Use double quotes.' : 'Expected a field name in double quotes.');
  }

  private string(): string {
    const start = this.at++;
    let isPlain = true;
    for (;;) {
      endOfPlain.lastIndex = this.at;
      this.at = endOfPlain.test(this.text) ? endOfPlain.lastIndex - 1 : this.text.length;
      const code = this.text.charCodeAt(this.at);
      if (code === QUOTE) {
        break;
      }
      if (this.at >= this.text.length) {
        this.stop('Unclosed string.', start, this.text.length);
      }
      if (code !== BACKSLASH) {
        this.stopHere('Write control characters as escapes, such as \\n.');
      }
      isPlain = false;
      this.escape();
    }
    this.at++;
    const json = this.text.slice(start, this.at);
    const result = isPlain ? json.slice(1, -1) : (JSON.parse(json) as string);
    if (!result.isWellFormed()) {
      this.report('lone-surrogate', 'Incomplete surrogate pair.', start, this.at);
    }
    return result;
  }

  private escape(): void {
    const start = this.at;
    const letter = this.text.charAt(start + 1);
    if (letter === 'u') {
      if (!/^[0-9a-fA-F]{4}$/.test(this.text.slice(start + 2, start + 6))) {
        this.stop('Expected four hexadecimal digits after \\u.', start, Math.min(start + 6, this.text.length));
      }
      this.at += 6;
    } else if (letter !== '' && '"\\/bfnrt'.includes(letter)) {
      this.at += 2;
    } else {
      this.stop('Unknown escape. Escape a backslash with another one.', start, Math.min(start + 2, this.text.length));
    }
  }

  private word(): void {
    const start = this.at;
    numberPattern.lastIndex = start;
    wordPattern.lastIndex = start;
    const word = wordPattern.exec(this.text)?.[0];
    if (word === undefined) {
      this.stopAtValue();
    }
    this.at += word.length;
    if (word === 'true' || word === 'false' || word === 'null') {
      return;
    }
    if (numberPattern.exec(this.text)?.[0] !== word) {
      this.stop(wordText(word), start, this.at);
    }
    if (!isExactNumber(word)) {
      this.reportChange(start, Number(word));
    }
  }

  private reportChange(start: number, value: number): void {
    if (Number.isFinite(value)) {
      this.report('number-precision', 'Many JSON parsers read this number as {0}.', start, this.at, String(value));
    } else {
      this.hasInfinite = true;
      const text = { template: 'This number is too large for most JSON parsers.', args: [] };
      this.problems.push({ rule: 'number-precision', severity: 'warning', text, start, end: this.at, path: [...this.path] });
    }
  }

  private skipSpace(): void {
    this.at = skipSpace(this.text, this.at);
  }

  private report(rule: JsonRule, template: string, start: number, end: number, ...args: readonly (string | number)[]): void {
    this.problems.push({ rule, text: { template, args }, start, end, path: [...this.path] });
  }

  private stop(template: string, start: number, end: number): never {
    this.report('json-syntax', template, start, end);
    throw new SyntaxStop();
  }

  private stopHere(template: string): never {
    return this.stop(template, this.at, Math.min(this.at + 1, this.text.length));
  }

  private stopAtValue(): never {
    if (this.at >= this.text.length) {
      return this.stop('Expected a value.', Math.max(this.at - 1, 0), this.at);
    }
    switch (this.text[this.at]) {
      case "'":
      case '\u201c':
      case '\u201d':
        return this.stopHere('Use double quotes.');
      case '/':
        return this.stopHere("JSON doesn't allow comments.");
      case '\ufeff':
        return this.stopHere('Unexpected byte order mark.');
      default:
        return this.stopHere('Expected a value.');
    }
  }
}
