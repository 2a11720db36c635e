import { Code } from './code';
import { type JsonProblem, maxDepth } from './jsonProblem';
import { ScalarReader, SyntaxStop } from './scalarReader';

/** Range of a value and of its key. `keyStart` is -1 if there is no key. */
export interface JsonNode {
  start: number;
  end: number;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly children: Map<string | number, JsonNode> | undefined;
}

export interface ParsedJson {
  /** The value, or `undefined` if the syntax is invalid. */
  readonly value: unknown;
  /** True if the line is exactly one JSON value. */
  readonly complete: boolean;
  readonly problems: readonly JsonProblem[];
  /** Root node if `positions` was set. */
  readonly root: JsonNode | undefined;
}

/**
 * Parses one line as JSON (RFC 8259). Stops at the first syntax error and reports only that one. Also reports duplicate keys and lone
 * surrogates. Messages never quote values. The last of several equal keys wins.
 */
export function parseJsonLine(text: string, positions = false): ParsedJson {
  return new Parser(text, positions).parse();
}

class Parser extends ScalarReader {
  private depth = 0;

  constructor(
    text: string,
    private readonly positions: boolean,
  ) {
    super(text);
  }

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
            ? 'A line can have one request only.'
            : 'Unexpected text after the request.',
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
        this.tell('duplicate-key', 'Duplicate field "{0}".', keyStart, this.at, key);
      }
      const child = node === undefined ? undefined : this.node(keyStart, this.at);
      this.skipSpace();
      if (this.text.charCodeAt(this.at) !== Code.colon) {
        this.stopHere('Expected a colon.');
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

  /** Reads the separator after an item and returns whether another item follows. If not, the closing bracket has been read. */
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
      this.stopHere(close === Code.closeBrace ? 'Expected a comma or }.' : 'Expected a comma or ].');
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
      this.tell('too-deep', 'Nested deeper than {0} levels.', this.at - 1, this.at, maxDepth);
      throw new SyntaxStop();
    }
  }

  private leave(): void {
    this.at++;
    this.depth--;
  }

  private node(keyStart: number, keyEnd: number): JsonNode {
    const code = this.text.charCodeAt(this.at);
    // The value of a key is not known yet and may have children.
    const children =
      keyStart >= 0 || code === Code.openBrace || code === Code.openBracket ? new Map<string | number, JsonNode>() : undefined;
    return { start: this.at, end: this.at, keyStart, keyEnd, children };
  }

  private stopAtEnd(open: number): never {
    return this.stop(this.text.charCodeAt(open) === Code.openBrace ? 'Unclosed {.' : 'Unclosed [.', open, open + 1);
  }

  private stopAtKey(open: number): never {
    if (this.at >= this.text.length) {
      return this.stopAtEnd(open);
    }
    return this.stopHere(this.text[this.at] === "'" ? 'Use double quotes.' : 'Expected a field name in double quotes.');
  }
}
