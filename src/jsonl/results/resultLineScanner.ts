import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  decodeString,
  JsonBytes,
  LF,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from '../scanning/jsonBytes';
import { Field, type Key, keysOf, KeyOwner } from './resultsLineKeys';
import { Span } from './span';

/**
 * Finds the relevant values in one line of a results file without parsing the whole line. A line is a result if it is one JSON object with
 * a string `custom_id` and an object `result`. As with `JSON.parse`, the last of duplicate keys wins. Spans refer to the line scanned last.
 * Spans of strings include the quotes; a value that is not a string has no span.
 */
export class ResultLineScanner {
  readonly customId = new Span();
  /** Bytes of `result`, unchanged. */
  readonly result = new Span();
  readonly type = new Span();
  readonly stopReason = new Span();
  /** `model` of the message. */
  readonly model = new Span();
  /** `text` of the first content block that has one. */
  readonly text = new Span();
  inputTokens = 0;
  outputTokens = 0;
  /** Input tokens not included in `inputTokens`: read from a cache, or written to one. */
  cacheReadTokens = 0;
  cacheWriteTokens = 0;
  /** Parts of `cacheWriteTokens` with a lifetime of five minutes and of one hour; 0 if the service does not name them. */
  cacheWrite5mTokens = 0;
  cacheWrite1hTokens = 0;
  /** True if both input and output tokens are numbers. */
  isCounted = false;
  private hasInput = false;
  private hasOutput = false;
  private readonly json = new JsonBytes();
  private readonly outerErrorType = new Span();
  private readonly outerErrorMessage = new Span();
  private readonly innerErrorType = new Span();
  private readonly innerErrorMessage = new Span();
  private readonly blockText = new Span();
  private hasInnerError = false;

  /** Returns the span of `error.error.type` in a full error body, or of `error.type` in a bare one. */
  get errorType(): Span {
    return this.hasInnerError ? this.innerErrorType : this.outerErrorType;
  }

  get errorMessage(): Span {
    return this.hasInnerError ? this.innerErrorMessage : this.outerErrorMessage;
  }

  /** Sets the bytes to scan. Every line in them ends with a LF (see `JsonBytes`). */
  use(bytes: Uint8Array): void {
    this.json.bytes = bytes;
  }

  /** Returns the offset of the LF that ends the line starting at `start`, or -1 if the line is not a result. */
  scan(start: number): number {
    const json = this.json;
    this.customId.clear();
    this.result.clear();
    this.clearResult();
    let at = json.skipSpace(start);
    if (json.bytes[at] !== OPEN_BRACE) {
      return -1;
    }
    at = this.object(at, KeyOwner.Line);
    if (at < 0) {
      return -1;
    }
    at = json.skipSpace(at);
    return json.bytes[at] === LF && this.customId.present && this.result.present ? at : -1;
  }

  private clearResult(): void {
    this.type.clear();
    this.clearMessage();
    this.clearError();
  }

  private clearMessage(): void {
    this.stopReason.clear();
    this.model.clear();
    this.text.clear();
    this.clearUsage();
  }

  private clearUsage(): void {
    this.inputTokens = 0;
    this.outputTokens = 0;
    this.cacheReadTokens = 0;
    this.cacheWriteTokens = 0;
    this.cacheWrite5mTokens = 0;
    this.cacheWrite1hTokens = 0;
    this.isCounted = false;
    this.hasInput = false;
    this.hasOutput = false;
  }

  private clearError(): void {
    this.outerErrorType.clear();
    this.outerErrorMessage.clear();
    this.hasInnerError = false;
  }

  private object(at: number, place: KeyOwner): number {
    const json = this.json;
    const bytes = json.bytes;
    at = json.skipSpace(at + 1);
    if (bytes[at] === CLOSE_BRACE) {
      return at + 1;
    }
    for (;;) {
      if (bytes[at] !== QUOTE) {
        return -1;
      }
      const keyStart = at;
      at = json.skipString(at);
      if (at < 0) {
        return -1;
      }
      const field = this.fieldOf(place, keyStart, at);
      at = json.skipSpace(at);
      if (bytes[at] !== COLON) {
        return -1;
      }
      at = json.skipSpace(at + 1);
      at = field === Field.Other ? json.skipValue(at) : this.value(field, at);
      if (at < 0) {
        return -1;
      }
      at = json.skipSpace(at);
      if (bytes[at] === CLOSE_BRACE) {
        return at + 1;
      }
      if (bytes[at] !== COMMA) {
        return -1;
      }
      at = json.skipSpace(at + 1);
    }
  }

  private fieldOf(place: KeyOwner, start: number, end: number): Field {
    const candidates = keysOf[place];
    const bytes = this.json.bytes;
    if (this.json.escaped) {
      const name = decodeString(bytes, start, end);
      return candidates.find(key => key.name === name)?.field ?? Field.Other;
    }
    const length = end - start - 2;
    next: for (let index = 0; index < candidates.length; index++) {
      const key = candidates[index] as Key;
      if (key.bytes.length !== length) {
        continue;
      }
      for (let offset = 0; offset < length; offset++) {
        if (bytes[start + 1 + offset] !== key.bytes[offset]) {
          continue next;
        }
      }
      return key.field;
    }
    return Field.Other;
  }

  private value(field: Field, at: number): number {
    switch (field) {
      case Field.CustomId:
        return this.string(this.customId, at);
      case Field.Result: {
        this.clearResult();
        const end = this.descend(KeyOwner.Result, at);
        if (end >= 0 && this.json.bytes[at] === OPEN_BRACE) {
          this.result.set(at, end, false);
        } else {
          this.result.clear();
        }
        return end;
      }
      case Field.ResultType:
        return this.string(this.type, at);
      case Field.Message:
        this.clearMessage();
        return this.descend(KeyOwner.Message, at);
      case Field.StopReason:
        return this.string(this.stopReason, at);
      case Field.Model:
        return this.string(this.model, at);
      case Field.Usage:
        this.clearUsage();
        return this.descend(KeyOwner.Usage, at);
      case Field.InputTokens:
      case Field.OutputTokens:
      case Field.CacheReadTokens:
      case Field.CacheWriteTokens:
      case Field.CacheWrite5mTokens:
      case Field.CacheWrite1hTokens:
        return this.tokens(field, at);
      case Field.CacheCreation:
        this.cacheWrite5mTokens = 0;
        this.cacheWrite1hTokens = 0;
        return this.descend(KeyOwner.CacheCreation, at);
      case Field.Content:
        this.text.clear();
        return this.content(at);
      case Field.BlockText:
        return this.string(this.blockText, at);
      case Field.Error:
        this.clearError();
        return this.descend(KeyOwner.Error, at);
      case Field.ErrorType:
        return this.string(this.outerErrorType, at);
      case Field.ErrorMessage:
        return this.string(this.outerErrorMessage, at);
      case Field.InnerError:
        this.innerErrorType.clear();
        this.innerErrorMessage.clear();
        this.hasInnerError = this.json.bytes[at] === OPEN_BRACE;
        return this.descend(KeyOwner.InnerError, at);
      case Field.InnerErrorType:
        return this.string(this.innerErrorType, at);
      case Field.InnerErrorMessage:
        return this.string(this.innerErrorMessage, at);
      default:
        return this.json.skipValue(at);
    }
  }

  private tokens(field: Field, at: number): number {
    const end = this.json.skipValue(at);
    const count = this.count(at, end);
    // A number starts with a digit or a minus sign.
    const isNumber = end > at && (this.json.bytes[at] as number) < 0x3a && (this.json.bytes[at] as number) !== QUOTE;
    switch (field) {
      case Field.InputTokens:
        this.inputTokens = count;
        this.hasInput = isNumber;
        break;
      case Field.OutputTokens:
        this.outputTokens = count;
        this.hasOutput = isNumber;
        break;
      case Field.CacheWrite5mTokens:
        this.cacheWrite5mTokens = count;
        break;
      case Field.CacheWrite1hTokens:
        this.cacheWrite1hTokens = count;
        break;
      case Field.CacheReadTokens:
        this.cacheReadTokens = count;
        break;
      default:
        this.cacheWriteTokens = count;
    }
    this.isCounted = this.hasInput && this.hasOutput;
    return end;
  }

  private descend(place: KeyOwner, at: number): number {
    return this.json.bytes[at] === OPEN_BRACE ? this.object(at, place) : this.json.skipValue(at);
  }

  private string(span: Span, at: number): number {
    if (this.json.bytes[at] !== QUOTE) {
      span.clear();
      return this.json.skipValue(at);
    }
    const end = this.json.skipString(at);
    span.set(at, end, this.json.escaped);
    return end;
  }

  private content(at: number): number {
    const json = this.json;
    const bytes = json.bytes;
    if (bytes[at] !== OPEN_BRACKET) {
      return json.skipValue(at);
    }
    at = json.skipSpace(at + 1);
    if (bytes[at] === CLOSE_BRACKET) {
      return at + 1;
    }
    for (;;) {
      if (this.text.present || bytes[at] !== OPEN_BRACE) {
        at = json.skipValue(at);
      } else {
        this.blockText.clear();
        at = this.object(at, KeyOwner.Block);
        if (this.blockText.present) {
          this.text.set(this.blockText.start, this.blockText.end, this.blockText.escaped);
        }
      }
      if (at < 0) {
        return -1;
      }
      at = json.skipSpace(at);
      if (bytes[at] === CLOSE_BRACKET) {
        return at + 1;
      }
      if (bytes[at] !== COMMA) {
        return -1;
      }
      at = json.skipSpace(at + 1);
    }
  }

  /** Returns an integer from 0 to 2^32-1. Other numbers are rounded or clamped; anything else is 0. */
  private count(start: number, end: number): number {
    const bytes = this.json.bytes;
    let value = 0;
    for (let at = start; at < end; at++) {
      const digit = (bytes[at] as number) - 0x30;
      if (digit < 0 || digit > 9 || at - start > 9) {
        return this.oddCount(start, end);
      }
      value = value * 10 + digit;
    }
    return Math.min(value, 0xffff_ffff);
  }

  private oddCount(start: number, end: number): number {
    const value: unknown = JSON.parse(Buffer.from(this.json.bytes.subarray(start, end)).toString('utf8'));
    return typeof value === 'number' ? Math.min(Math.max(Math.round(value), 0), 0xffff_ffff) : 0;
  }
}
