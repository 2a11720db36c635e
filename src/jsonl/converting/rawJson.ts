import type { ProblemText } from '../../contract/problem';
import { isRecord } from '../../shared/isRecord';
import { type JsonNode, parseJsonLine } from '../scanning/jsonText';

/** A JSON value together with its text, so that what is carried over keeps its numbers, escapes and key order. */
export class RawJson {
  private constructor(
    private readonly text: string,
    private readonly node: JsonNode,
    readonly value: unknown,
  ) {}

  /** Parses one value, which may go over many lines; tells why when that is not JSON. */
  static parse(text: string): RawJson | ProblemText {
    const { complete, value, root, problems } = parseJsonLine(text, true);
    if (!complete || root === undefined) {
      return problems.at(-1)?.text ?? { template: 'This is not JSON.', args: [] };
    }
    return new RawJson(text, root, value);
  }

  /** The text on one line: what stands in it is as it was, but for line breaks and what follows them between tokens. */
  get json(): string {
    return toOneLine(this.text.slice(this.node.start, this.node.end));
  }

  /** The value of a field, when this is an object that has it. */
  get(key: string): RawJson | undefined {
    const child = isRecord(this.value) ? this.node.children?.get(key) : undefined;
    return child === undefined ? undefined : new RawJson(this.text, child, (this.value as Record<string, unknown>)[key]);
  }

  /** `json` with another value, given as JSON, for a field that is there. */
  withField(key: string, json: string): string {
    const child = this.node.children?.get(key);
    const { start, end } = this.node;
    return child === undefined ? this.json : toOneLine(`${this.text.slice(start, child.start)}${json}${this.text.slice(child.end, end)}`);
  }

  /** As `get`, for fields for which null is the same as nothing. */
  given(key: string): RawJson | undefined {
    const field = this.get(key);
    return field?.value === null ? undefined : field;
  }

  keys(): readonly string[] {
    return isRecord(this.value) ? Object.keys(this.value) : [];
  }

  /** The items, when this is an array. */
  items(): readonly RawJson[] {
    const { value } = this;
    return Array.isArray(value) ? value.map((item: unknown, index) => this.item(index, item)) : [];
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

  private item(index: number, value: unknown): RawJson {
    return new RawJson(this.text, this.node.children?.get(index) ?? this.node, value);
  }
}

/** JSON without line breaks. A line break in JSON always stands between tokens, and so does the indentation behind it. */
export function toOneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replace(/[\r\n][ \t\r\n]*/g, '') : json;
}
