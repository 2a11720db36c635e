import { JsonBytes, LF, OPEN_BRACE, QUOTE } from '../scanning/jsonBytes';

/** Position of a JSON value in the bytes. `end` is exclusive. `start` is -1 if there is no value. */
export class Span {
  start = -1;
  end = -1;
  /** True for a string with an escape. */
  escaped = false;

  set(start: number, end: number, escaped: boolean): void {
    this.start = start;
    this.end = end;
    this.escaped = escaped;
  }

  clear(): void {
    this.start = -1;
  }

  get present(): boolean {
    return this.start >= 0;
  }
}

/**
 * Finds the relevant values in one line of a results file without creating objects. A line is a result if it is one JSON object with a
 * string `custom_id` and an object `result`. As with `JSON.parse`, the last of duplicate keys wins. Spans refer to the line scanned last.
 * Spans of strings include the quotes. A value that is not a string has no span. Slower than `ResultsScanner`, which leaves unusual lines
 * to this class.
 */
export class ResultLineScanner {
  readonly customId = new Span();
  /** Bytes of `result`, unchanged. */
  readonly result = new Span();
  readonly type = new Span();
  readonly stopReason = new Span();
  readonly model = new Span();
  /** `text` of the first content block that has a text. */
  readonly text = new Span();
  /** `error.error.type` in a full error body, or `error.type` in a bare one. */
  readonly errorType = new Span();
  readonly errorMessage = new Span();
  inputTokens = 0;
  outputTokens = 0;
  /** Input tokens not included in `inputTokens`: read from a cache, or written to a cache. */
  cacheReadTokens = 0;
  cacheWriteTokens = 0;
  /** Parts of `cacheWriteTokens` with a lifetime of five minutes and of one hour. 0 if the service does not report these parts. */
  cacheWrite5mTokens = 0;
  cacheWrite1hTokens = 0;
  /** True if both input and output tokens are numbers. */
  isCounted = false;
  private readonly json = new JsonBytes();

  /** Sets the bytes to scan. Every line must end with a LF (see `JsonBytes`). */
  use(bytes: Uint8Array): void {
    this.json.bytes = bytes;
  }

  /** Returns the offset of the LF that ends the line starting at `start`, or -1 if the line is not a result. */
  scan(start: number): number {
    const { json } = this;
    const line = json.skipSpace(start);
    const close = json.skipValue(line);
    const end = close < 0 ? -1 : json.skipSpace(close);
    const result = json.find(line, 'result');
    this.string(this.customId, line, 'custom_id');
    if (json.bytes[end] !== LF || json.bytes[result] !== OPEN_BRACE || !this.customId.present) {
      return -1;
    }
    this.result.set(result, json.skipValue(result), false);
    this.string(this.type, result, 'type');
    this.message(json.find(result, 'message'));
    const outer = json.find(result, 'error');
    const inner = json.find(outer, 'error');
    const error = json.bytes[inner] === OPEN_BRACE ? inner : outer;
    this.string(this.errorType, error, 'type');
    this.string(this.errorMessage, error, 'message');
    return end;
  }

  private message(at: number): void {
    const { json } = this;
    this.string(this.stopReason, at, 'stop_reason');
    this.string(this.model, at, 'model');
    this.text.clear();
    json.walkItems(json.find(at, 'content'), block => {
      if (!this.text.present) {
        this.string(this.text, block, 'text');
      }
      return json.skipValue(block);
    });
    const usage = json.find(at, 'usage');
    const written = json.find(usage, 'cache_creation');
    const [input, output] = [this.number(usage, 'input_tokens'), this.number(usage, 'output_tokens')];
    this.inputTokens = input ?? 0;
    this.outputTokens = output ?? 0;
    this.isCounted = input !== undefined && output !== undefined;
    this.cacheReadTokens = this.number(usage, 'cache_read_input_tokens') ?? 0;
    this.cacheWriteTokens = this.number(usage, 'cache_creation_input_tokens') ?? 0;
    this.cacheWrite5mTokens = this.number(written, 'ephemeral_5m_input_tokens') ?? 0;
    this.cacheWrite1hTokens = this.number(written, 'ephemeral_1h_input_tokens') ?? 0;
  }

  private string(span: Span, object: number, name: string): void {
    const at = this.json.find(object, name);
    if (this.json.bytes[at] === QUOTE) {
      const end = this.json.skipString(at);
      span.set(at, end, this.json.escaped);
    } else {
      span.clear();
    }
  }

  /** Returns a number, rounded and clamped to 0 to 2^32-1, or `undefined` if the member is not a number. */
  private number(object: number, name: string): number | undefined {
    const at = this.json.find(object, name);
    const bytes = this.json.bytes.subarray(at, at < 0 ? at : this.json.skipValue(at));
    const value: unknown = at < 0 ? undefined : JSON.parse(Buffer.from(bytes).toString());
    return typeof value === 'number' ? Math.min(Math.max(Math.round(value), 0), 0xffff_ffff) : undefined;
  }
}
