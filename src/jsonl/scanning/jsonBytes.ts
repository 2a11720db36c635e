export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;

/** 1 for each byte that ends a run of plain string bytes: quote, backslash and control characters. */
const stringStops = Uint8Array.from({ length: 256 }, (_, byte) => (byte === QUOTE || byte === BACKSLASH || byte < 0x20 ? 1 : 0));

/** Kind of each byte that can follow a backslash: 1 for a simple escape, 2 for `u`, 0 for others. */
const escapes = new Uint8Array(256);
for (const letter of '"\\/bfnrt') {
  escapes[letter.charCodeAt(0)] = 1;
}
escapes['u'.charCodeAt(0)] = 2;

/**
 * Walks JSON values in bytes, one line at a time, as strictly as `JSON.parse`, without creating strings or objects. The `bytes` must hold a
 * LF at or after the end of each line. A LF is not white space here, so nothing reads past its line. Every method gets a position and
 * returns the position after the text it read, or -1 if that text is not JSON. The caller must check that the bytes are UTF-8. Walks any
 * depth without recursion.
 */
export class JsonBytes {
  bytes: Uint8Array = new Uint8Array([LF]);
  /** True if the last string contained a backslash. */
  escaped = false;
  private kinds = new Uint8Array(64);

  skipSpace(at: number): number {
    const bytes = this.bytes;
    let byte = bytes[at];
    while (byte === 0x20 || byte === 0x09 || byte === 0x0d) {
      byte = bytes[++at];
    }
    return at;
  }

  /** Skips a string. `at` is the position of the opening quote. */
  skipString(at: number): number {
    const bytes = this.bytes;
    this.escaped = false;
    at++;
    for (;;) {
      while (stringStops[bytes[at] as number] === 0) {
        at++;
      }
      if (bytes[at] === QUOTE) {
        return at + 1;
      }
      if (bytes[at] !== BACKSLASH) {
        return -1;
      }
      this.escaped = true;
      const kind = escapes[bytes[at + 1] as number];
      if (kind === 1) {
        at += 2;
      } else if (kind === 2 && this.isHex(at + 2)) {
        at += 6;
      } else {
        return -1;
      }
    }
  }

  /** Skips a value. `at` is the position of its first byte. */
  skipValue(at: number): number {
    const bytes = this.bytes;
    let depth = 0;
    for (;;) {
      const first = bytes[at];
      if (first === OPEN_BRACE || first === OPEN_BRACKET) {
        depth = this.push(depth, first);
        at = this.skipSpace(at + 1);
        // In ASCII, the code of a closing bracket is 2 above the code of its opening bracket.
        if (bytes[at] !== first + 2) {
          at = first === OPEN_BRACE ? this.skipKey(at) : at;
          if (at < 0) {
            return -1;
          }
          continue;
        }
      } else {
        at = first === QUOTE ? this.skipString(at) : this.skipScalar(at);
      }
      for (let isEnded = at >= 0; isEnded && depth > 0; ) {
        const kind = this.kinds[depth - 1] as number;
        at = this.skipSpace(at);
        if (bytes[at] === COMMA) {
          at = this.skipSpace(at + 1);
          at = kind === OPEN_BRACE ? this.skipKey(at) : at;
          isEnded = false;
        } else if (bytes[at] === kind + 2) {
          depth--;
          at++;
        } else {
          return -1;
        }
      }
      if (at < 0 || depth === 0) {
        return at;
      }
    }
  }

  /** Skips a key and its colon. `at` is the position of the opening quote. Returns the position of the value. */
  skipKey(at: number): number {
    if (this.bytes[at] !== QUOTE) {
      return -1;
    }
    at = this.skipString(at);
    if (at < 0) {
      return -1;
    }
    at = this.skipSpace(at);
    return this.bytes[at] === COLON ? this.skipSpace(at + 1) : -1;
  }

  /**
   * Visits the members of the object at `at`: the range of each key with its quotes, and the start of its value. `visit` returns the
   * position after the value. Returns the position after the object, or -1 if there is no object.
   */
  walkMembers(at: number, visit: (keyStart: number, keyEnd: number, value: number) => number): number {
    const { bytes } = this;
    if (bytes[at] !== OPEN_BRACE) {
      return -1;
    }
    let key = this.skipSpace(at + 1);
    if (bytes[key] === CLOSE_BRACE) {
      return key + 1;
    }
    for (;;) {
      const keyEnd = bytes[key] === QUOTE ? this.skipString(key) : -1;
      const colon = keyEnd < 0 ? -1 : this.skipSpace(keyEnd);
      const end = colon < 0 || bytes[colon] !== COLON ? -1 : visit(key, keyEnd, this.skipSpace(colon + 1));
      const separator = end < 0 ? -1 : this.skipSpace(end);
      if (bytes[separator] === CLOSE_BRACE) {
        return separator + 1;
      }
      if (bytes[separator] !== COMMA) {
        return -1;
      }
      key = this.skipSpace(separator + 1);
    }
  }

  /** Visits the items of the array at `at`. `visit` returns the position after the item. In all other respects like `walkMembers`. */
  walkItems(at: number, visit: (value: number, index: number) => number): number {
    const { bytes } = this;
    if (bytes[at] !== OPEN_BRACKET) {
      return -1;
    }
    let value = this.skipSpace(at + 1);
    if (bytes[value] === CLOSE_BRACKET) {
      return value + 1;
    }
    for (let index = 0; ; index++) {
      const end = visit(value, index);
      const separator = end < 0 ? -1 : this.skipSpace(end);
      if (bytes[separator] === CLOSE_BRACKET) {
        return separator + 1;
      }
      if (bytes[separator] !== COMMA) {
        return -1;
      }
      value = this.skipSpace(separator + 1);
    }
  }

  /** Visits the members of the object at `at` with the ranges of key and value. In all other respects like `walkMembers`. */
  forEachMember(at: number, visit: (keyStart: number, keyEnd: number, start: number, end: number) => void): number {
    return this.walkMembers(at, (keyStart, keyEnd, start) => {
      const end = this.skipValue(start);
      if (end >= 0) {
        visit(keyStart, keyEnd, start, end);
      }
      return end;
    });
  }

  /** Returns the start of the value of a member of the object at `at`, or -1. The last of several equal keys counts. */
  find(at: number, name: string): number {
    let found = -1;
    this.forEachMember(at, (keyStart, keyEnd, start) => {
      if (isKey(this.bytes, keyStart, keyEnd, name)) {
        found = start;
      }
    });
    return found;
  }

  /** Returns the string at `at`, decoded. Returns `undefined` if there is no string. */
  stringAt(at: number): string | undefined {
    return this.bytes[at] === QUOTE ? decodeString(this.bytes, at, this.skipString(at)) : undefined;
  }

  private skipScalar(at: number): number {
    const word = words[this.bytes[at] as number];
    if (word === undefined) {
      return this.skipNumber(at);
    }
    for (let index = 1; index < word.length; index++) {
      if (this.bytes[at + index] !== word[index]) {
        return -1;
      }
    }
    return at + word.length;
  }

  private skipNumber(at: number): number {
    const bytes = this.bytes;
    if (bytes[at] === 0x2d) {
      at++;
    }
    if (bytes[at] === 0x30) {
      at++;
    } else {
      at = this.skipDigits(at);
    }
    if (at >= 0 && bytes[at] === 0x2e) {
      at = this.skipDigits(at + 1);
    }
    if (at >= 0 && (bytes[at] === 0x65 || bytes[at] === 0x45)) {
      at++;
      at = this.skipDigits(bytes[at] === 0x2b || bytes[at] === 0x2d ? at + 1 : at);
    }
    return at;
  }

  private skipDigits(at: number): number {
    const bytes = this.bytes;
    const start = at;
    while ((bytes[at] as number) >= 0x30 && (bytes[at] as number) <= 0x39) {
      at++;
    }
    return at > start ? at : -1;
  }

  private isHex(at: number): boolean {
    for (let index = at; index < at + 4; index++) {
      const byte = this.bytes[index] as number;
      const lower = byte | 0x20;
      if (!((byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x66))) {
        return false;
      }
    }
    return true;
  }

  private push(depth: number, kind: number): number {
    if (depth === this.kinds.length) {
      const larger = new Uint8Array(depth * 2);
      larger.set(this.kinds);
      this.kinds = larger;
    }
    this.kinds[depth] = kind;
    return depth + 1;
  }
}

/** Bytes of `true`, `false` and `null` by their first byte. */
const words: readonly (Uint8Array | undefined)[] = Array.from({ length: 256 }, (_, byte) =>
  ['true', 'false', 'null'].map(word => Buffer.from(word)).find(word => word[0] === byte),
);

/** Decodes the JSON string in [start, end), which includes its quotes. */
export function decodeString(bytes: Uint8Array, start: number, end: number): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
  return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
}

function isKey(bytes: Uint8Array, start: number, end: number, name: string): boolean {
  // An escape has at most six bytes.
  const length = end - start - 2;
  return length >= name.length && length <= 6 * name.length && decodeString(bytes, start, end) === name;
}
