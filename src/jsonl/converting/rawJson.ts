import type { ProblemText } from '../../contract/problem';
import { isRecord } from '../../shared/isRecord';
import { type JsonNode, parseJsonLine } from '../scanning/jsonText';

/** JSON value with its source text, so that conversion preserves number notation, escapes and key order. */
export class RawJson {
  private constructor(
    private readonly text: string,
    private readonly node: JsonNode,
    readonly value: unknown,
  ) {}

  /** Parses one value, which may span several lines. Returns the reason if the text is not valid JSON. */
  static parse(text: string): RawJson | ProblemText {
    const { complete, value, root, problems } = parseJsonLine(text);
    if (!complete || root === undefined) {
      return problems.at(-1)?.text ?? { template: 'Not valid JSON', args: [] };
    }
    return new RawJson(text, root, value);
  }

  /** Source text on one line, without the line breaks between tokens and the indentation after them. */
  get json(): string {
    return toOneLine(this.text.slice(this.node.start, this.node.end));
  }

  /** Returns the value of a field. Returns `undefined` if this is not an object or lacks the field. */
  get(key: string): RawJson | undefined {
    const child = isRecord(this.value) ? this.node.children?.get(key) : undefined;
    return child === undefined ? undefined : new RawJson(this.text, child, (this.value as Record<string, unknown>)[key]);
  }

  /** Returns `json` with the value of an existing field replaced by another JSON text. */
  withField(key: string, json: string): string {
    const child = this.node.children?.get(key);
    const { start, end } = this.node;
    return child === undefined ? this.json : toOneLine(`${this.text.slice(start, child.start)}${json}${this.text.slice(child.end, end)}`);
  }

  /** Returns the value of a field as `get` does, but treats null as missing. */
  given(key: string): RawJson | undefined {
    const field = this.get(key);
    return field?.value === null ? undefined : field;
  }

  keys(): readonly string[] {
    return isRecord(this.value) ? Object.keys(this.value) : [];
  }

  /** Returns the items if this is an array, otherwise an empty list. */
  items(): readonly RawJson[] {
    const { value } = this;
    return (Array.isArray(value) ? value : []).map((item: unknown, index) => this.child(index, item));
  }

  get string(): string | undefined {
    return typeof this.value === 'string' ? this.value : undefined;
  }

  get isArray(): boolean {
    return Array.isArray(this.value);
  }

  get isObject(): boolean {
    return isRecord(this.value);
  }

  private child(key: string | number, value: unknown): RawJson {
    return new RawJson(this.text, this.node.children?.get(key) ?? this.node, value);
  }
}

/** Removes the line breaks between tokens of a JSON text, with the indentation after them. */
export function toOneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replace(/[\r\n][ \t\r\n]*/g, '') : json;
}
