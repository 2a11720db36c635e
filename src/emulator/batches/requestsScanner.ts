import { invalidRequest } from '../http/apiError';

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

type Phase =
  | 'object'
  | 'key'
  | 'nextKey'
  | 'inKey'
  | 'colon'
  | 'array'
  | 'firstElement'
  | 'nextElement'
  | 'inElement'
  | 'afterElement'
  | 'other'
  | 'afterValue'
  | 'end';

const longestKey = 256;
const longestOther = 1024 * 1024;
const longestElement = 32 * 1024 * 1024;

/**
 * Splits a create body `{"requests":[{...},...]}` into its requests as it arrives, in pieces of any size. `onRequest` receives the bytes of
 * each request and their offset in the body. Keys other than `requests` are skipped: the contract allows them. Only the frame is checked
 * here. The bytes of a request are balanced braces, not necessarily JSON. Throws the service's 400 at the first byte that can't belong to
 * such a body.
 */
export class RequestsScanner {
  readonly #onRequest: (json: Buffer, offset: number) => void;
  #phase: Phase = 'object';
  #key = '';
  #hasRequests = false;
  /** Text of the skipped value so far. */
  #other = '';
  /** Bytes of the body before the current piece. */
  #before = 0;
  /** Number of complete requests. */
  #count = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Offset of the open request in the body, and its bytes from earlier pieces. */
  #start = 0;
  #parts: Buffer[] = [];

  constructor(onRequest: (json: Buffer, offset: number) => void) {
    this.#onRequest = onRequest;
  }

  push(piece: Buffer): void {
    let at = 0;
    while (at < piece.length) {
      at = this.#phase === 'inElement' ? this.#scanElement(piece, at) : this.#scanFrame(piece, at);
    }
    this.#before += piece.length;
  }

  /** Ends the body. Throws if the frame is incomplete. */
  end(): void {
    if (this.#phase !== 'end') {
      throw invalidRequest('Invalid JSON body');
    }
  }

  /** Scans one byte of the frame. Returns the offset of the next one. */
  #scanFrame(piece: Buffer, at: number): number {
    const byte = piece[at] ?? 0;
    if (this.#phase === 'inKey') {
      this.#takeKey(byte);
    } else if (this.#phase === 'other') {
      this.#skip(byte);
    } else if (byte !== space && byte !== lineFeed && byte !== carriageReturn && byte !== tab) {
      if (byte === openBrace && (this.#phase === 'firstElement' || this.#phase === 'nextElement')) {
        this.#phase = 'inElement';
        this.#start = this.#before + at;
        return at;
      }
      this.#phase = this.#afterToken(byte);
    }
    return at + 1;
  }

  #takeKey(byte: number): void {
    if (this.#escaped || byte !== quote) {
      // After a backslash, the next byte belongs to the key even if it is a quote.
      this.#escaped = !this.#escaped && byte === backslash;
      this.#key += String.fromCharCode(byte);
      if (this.#key.length > longestKey) {
        throw invalidRequest('requests: Field required');
      }
      return;
    }
    this.#key = String(parseText(`"${this.#key}"`));
    if (this.#key === 'requests' && this.#hasRequests) {
      throw invalidRequest('requests: Only once is permitted');
    }
    this.#phase = 'colon';
  }

  /** Skips one byte of a value. The value ends before a comma or a closing brace outside of it. */
  #skip(byte: number): void {
    if (this.#inString) {
      this.#inString = this.#escaped || byte !== quote;
      this.#escaped = !this.#escaped && byte === backslash;
    } else if (this.#depth === 0 && (byte === comma || byte === closeBrace)) {
      parseText(this.#other);
      this.#other = '';
      this.#phase = 'afterValue';
      this.#phase = this.#afterToken(byte);
      return;
    } else if (byte === quote) {
      this.#inString = true;
    } else if (byte === openBrace || byte === openBracket) {
      this.#depth++;
    } else if (byte === closeBrace || byte === closeBracket) {
      this.#depth--;
    }
    this.#other += String.fromCharCode(byte);
    if (this.#other.length > longestOther) {
      throw invalidRequest(`${this.#key}: larger than 1 MiB`);
    }
  }

  #afterToken(byte: number): Phase {
    switch (this.#phase) {
      case 'object':
        if (byte === openBrace) {
          return 'key';
        }
        break;
      case 'key':
      case 'nextKey':
        if (byte === quote) {
          return 'inKey';
        }
        if (byte === closeBrace && this.#phase === 'key') {
          throw invalidRequest('requests: Field required');
        }
        break;
      case 'colon':
        if (byte === colon) {
          const isRequests = this.#key === 'requests';
          this.#hasRequests ||= isRequests;
          return isRequests ? 'array' : 'other';
        }
        break;
      case 'array':
        if (byte === openBracket) {
          return 'firstElement';
        }
        throw invalidRequest('requests: Input should be a valid array');
      case 'firstElement':
        if (byte === closeBracket) {
          return 'afterValue';
        }
        throw this.#notAnObject(byte);
      case 'nextElement':
        throw this.#notAnObject(byte);
      case 'afterElement':
        if (byte === comma) {
          return 'nextElement';
        }
        if (byte === closeBracket) {
          return 'afterValue';
        }
        break;
      case 'afterValue':
        if (byte === comma) {
          this.#key = '';
          return 'nextKey';
        }
        if (byte === closeBrace && !this.#hasRequests) {
          throw invalidRequest('requests: Field required');
        }
        if (byte === closeBrace) {
          return 'end';
        }
        break;
      default:
        break;
    }
    throw invalidRequest('Invalid JSON body');
  }

  #notAnObject(byte: number): Error {
    return byte === comma || byte === closeBracket || byte === closeBrace
      ? invalidRequest('Invalid JSON body')
      : invalidRequest(`requests.${this.#count}: Input should be an object`);
  }

  /** Scans to the end of the open request or of the piece. Returns the offset after it. */
  #scanElement(piece: Buffer, from: number): number {
    let depth = this.#depth;
    let inString = this.#inString;
    let escaped = this.#escaped;
    let at = from;
    const length = piece.length;
    for (; at < length; at++) {
      const byte = piece[at];
      if (inString) {
        if (escaped) {
          escaped = false;
        } else if (byte === backslash) {
          escaped = true;
        } else if (byte === quote) {
          inString = false;
        }
      } else if (byte === quote) {
        inString = true;
      } else if (byte === openBrace || byte === openBracket) {
        depth++;
      } else if (byte === closeBrace || byte === closeBracket) {
        depth--;
        if (depth === 0) {
          this.#depth = 0;
          this.#finishElement(piece.subarray(from, at + 1));
          return at + 1;
        }
      }
    }
    this.#depth = depth;
    this.#inString = inString;
    this.#escaped = escaped;
    if (this.#before + length - this.#start > longestElement) {
      throw invalidRequest(`requests.${this.#count}: Request is larger than 32 MiB`);
    }
    this.#parts.push(piece.subarray(from));
    return length;
  }

  #finishElement(last: Buffer): void {
    const json = this.#parts.length === 0 ? last : Buffer.concat([...this.#parts, last]);
    this.#parts = [];
    this.#inString = false;
    this.#escaped = false;
    this.#phase = 'afterElement';
    this.#onRequest(json, this.#start);
    this.#count++;
  }
}

function parseText(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw invalidRequest('Invalid JSON body');
  }
}
