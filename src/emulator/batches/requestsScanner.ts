import { invalidRequest } from '../http/apiError';

const quote = 0x22;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Largest body without its requests. One hundred thousand requests leave 300 KB. */
const longestFrame = 1024 * 1024;
const longestElement = 32 * 1024 * 1024;

/**
 * Splits a create body `{"requests":[{...},...]}` into its requests as it arrives, in pieces of any size. `onRequest` receives the bytes of
 * each request and their offset in the body. They are balanced braces, not necessarily JSON. Everything else is the frame, which is checked
 * at the end. It may have other keys: the contract allows them.
 */
export class RequestsScanner {
  readonly #onRequest: (json: Buffer, offset: number) => void;
  /** Frame so far, without unneeded white space and with `{}` for each request. */
  #frame = '';
  /** Its last character. Reading it from the text would copy the text each time. */
  #last = '';
  /** Last string in the frame. */
  #text = '';
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** True once the list of requests began, and while it is open. */
  #hasRequests = false;
  #inRequests = false;
  /** True while a request is open. `#depth` is then the depth in it. */
  #inElement = false;
  /** Bytes of the body before the current piece. */
  #before = 0;
  /** Number of complete requests. */
  #count = 0;
  /** Offset of the open request in the body, and its bytes from earlier pieces. */
  #start = 0;
  #parts: Buffer[] = [];

  constructor(onRequest: (json: Buffer, offset: number) => void) {
    this.#onRequest = onRequest;
  }

  push(piece: Buffer): void {
    let at = 0;
    while (at < piece.length) {
      const byte = piece[at] ?? 0;
      if (!this.#inElement && this.#inRequests && this.#depth === 2 && !this.#inString && byte === openBrace) {
        this.#inElement = true;
        this.#depth = 0;
        this.#start = this.#before + at;
      }
      if (this.#inElement) {
        at = this.#scanElement(piece, at);
      } else {
        this.#scanFrame(byte);
        at++;
      }
    }
    this.#before += piece.length;
  }

  /** Ends the body. Throws the service's 400 if the frame is invalid. */
  end(): void {
    let body: unknown;
    try {
      body = JSON.parse(this.#frame);
    } catch {
      throw invalidRequest('Invalid JSON body');
    }
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw invalidRequest('Invalid JSON body');
    }
    const { requests } = body as { readonly requests?: unknown };
    if (requests === undefined) {
      throw invalidRequest('requests: Field required');
    }
    if (!Array.isArray(requests)) {
      throw invalidRequest('requests: Input should be a valid array');
    }
    const other = requests.findIndex(request => typeof request !== 'object' || request === null || Array.isArray(request));
    if (other >= 0) {
      throw invalidRequest(`requests.${other}: Input should be an object`);
    }
  }

  #scanFrame(byte: number): void {
    const character = String.fromCharCode(byte);
    if (this.#inString) {
      this.#text += character;
      this.#inString = this.#escaped || byte !== quote;
      this.#escaped = !this.#escaped && byte === backslash;
    } else if (byte === quote) {
      this.#inString = true;
      this.#text = character;
    } else if (byte === openBracket || byte === openBrace) {
      this.#depth++;
      if (byte === openBracket && this.#depth === 2 && this.#last === ':' && isRequests(this.#text)) {
        if (this.#hasRequests) {
          throw invalidRequest('requests: Only once is permitted');
        }
        this.#hasRequests = true;
        this.#inRequests = true;
      }
    } else if (byte === closeBracket || byte === closeBrace) {
      this.#depth--;
      this.#inRequests &&= this.#depth >= 2;
    } else if (' \n\r\t'.includes(character)) {
      // White space only matters between two numbers or literals.
      if (/\w/.test(this.#last)) {
        this.#add(' ');
      }
      return;
    }
    this.#add(character);
  }

  #add(text: string): void {
    this.#frame += text;
    this.#last = text.at(-1) ?? '';
    if (this.#frame.length > longestFrame) {
      throw invalidRequest('The body has more than 1 MiB besides its requests');
    }
  }

  /** Scans to the end of the open request or of the piece. Returns the offset after it. */
  #scanElement(piece: Buffer, from: number): number {
    let depth = this.#depth;
    let inString = this.#inString;
    let escaped = this.#escaped;
    let at = from;
    const { length } = piece;
    while (at < length) {
      if (inString) {
        const found = piece.indexOf(quote, at);
        const end = found < 0 ? length : found;
        let slashes = 0;
        while (end - slashes > at && piece[end - slashes - 1] === backslash) {
          slashes++;
        }
        const isEscaped = (slashes + Number(escaped && end - slashes === at)) % 2 === 1;
        inString = found < 0 || isEscaped;
        escaped = found < 0 && isEscaped;
        at = end + 1;
        continue;
      }
      const byte = piece[at++];
      if (byte === quote) {
        inString = true;
      } else if (byte === openBrace || byte === openBracket) {
        depth++;
      } else if (byte === closeBrace || byte === closeBracket) {
        depth--;
        if (depth === 0) {
          this.#finishElement(piece.subarray(from, at));
          return at;
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
    this.#inElement = false;
    this.#inString = false;
    this.#escaped = false;
    this.#depth = 2;
    this.#add('{}');
    this.#onRequest(json, this.#start);
    this.#count++;
  }
}

/** Returns whether a JSON string is the key of the requests. */
function isRequests(text: string): boolean {
  try {
    return JSON.parse(text) === 'requests';
  } catch {
    return false;
  }
}
