// AssemblyScript. What every scan reads of JSON in memory, with SIMD where it is long. A place is an address; a function that
// reads something gives the place behind it, or 0 when it does not stand there. At least 16 bytes behind a line can be read.

/** Whether the text read last had escapes. */
let escaped: bool = false;

/** The place of the first LF from `at` on. There must be one. */
export function findLineFeed(at: usize): usize {
  const lineFeeds = i8x16.splat(0x0a);
  while (true) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), lineFeeds));
    if (found != 0) {
      return at + ctz(found);
    }
    at += 16;
  }
}

/** The first place from `at` on where no white space stands; LF counts as none, because it ends a line. */
export function skipSpace(at: usize): usize {
  while (true) {
    const byte = load<u8>(at);
    if (byte != 0x20 && byte != 0x09 && byte != 0x0d) {
      return at;
    }
    at++;
  }
}

/** Behind a colon and the white space on both its sides, or 0. */
export function skipColon(at: usize): usize {
  at = skipSpace(at);
  return load<u8>(at) == 0x3a ? skipSpace(at + 1) : 0;
}

/** Behind a comma that stands at `at` and the white space behind it, or 0. */
export function skipComma(at: usize): usize {
  return load<u8>(at) == 0x2c ? skipSpace(at + 1) : 0;
}

/**
 * Behind the closing quotation mark of the text whose first character stands at `at`, or 0: for control characters, wrong
 * escapes and halves of surrogate pairs. `hadEscapes` tells more about it.
 */
export function readText(at: usize): usize {
  const quotes = i8x16.splat(0x22);
  const backslashes = i8x16.splat(0x5c);
  const spaces = i8x16.splat(0x20);
  escaped = false;
  while (true) {
    const bytes = v128.load(at);
    const found = i8x16.bitmask(v128.or(v128.or(i8x16.eq(bytes, quotes), i8x16.eq(bytes, backslashes)), i8x16.lt_u(bytes, spaces)));
    if (found == 0) {
      at += 16;
      continue;
    }
    at += ctz(found);
    const byte = load<u8>(at);
    if (byte == 0x22) {
      return at + 1;
    }
    if (byte != 0x5c) {
      return 0;
    }
    escaped = true;
    at = readEscape(at);
    if (at == 0) {
      return 0;
    }
  }
}

/** Whether the text that `readText` read last had escapes. */
export function hadEscapes(): bool {
  return escaped;
}

/** Behind the escape whose backslash stands at `at`, or 0. */
@inline
function readEscape(at: usize): usize {
  switch (load<u8>(at + 1)) {
    case 0x22: // "
    case 0x5c: // \
    case 0x2f: // /
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return at + 2;
    case 0x75: // u
      if (!areHexDigits(at + 2)) {
        return 0;
      }
      if (!isHalf(at + 2)) {
        return at + 6;
      }
      return !isLowHalf(at + 2) && isLowEscape(at + 6) ? at + 12 : 0;
    default:
      return 0;
  }
}

/** Whether the escape of a pair's second half stands at `at`. */
function isLowEscape(at: usize): bool {
  return load<u16>(at) == 0x755c && areHexDigits(at + 2) && isHalf(at + 2) && isLowHalf(at + 2);
}

/** Whether four hexadecimal digits stand at `at`; the four are compared at once, and four times, as there is room for sixteen. */
function areHexDigits(at: usize): bool {
  const bytes = i32x4.splat(load<u32>(at));
  const lower = v128.or(bytes, i8x16.splat(0x20));
  const digits = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x30)), i8x16.splat(10));
  const letters = i8x16.lt_u(i8x16.sub(lower, i8x16.splat(0x61)), i8x16.splat(6));
  return i8x16.all_true(v128.or(digits, letters));
}

/** Whether four hexadecimal digits write half of a surrogate pair: D800 to DFFF. */
export function isHalf(at: usize): bool {
  return (load<u8>(at) | 0x20) == 0x64 && load<u8>(at + 1) >= 0x38;
}

/** Whether a half is the second one of its pair: DC00 to DFFF. */
function isLowHalf(at: usize): bool {
  return (load<u8>(at + 1) | 0x20) >= 0x63;
}

/** The place of the quotation mark that closes a text without escapes, or 0. For short texts: keys and variants. */
export function endOfPlainText(at: usize): usize {
  while (true) {
    const byte = load<u8>(at);
    if (byte == 0x22) {
      return at;
    }
    if (byte == 0x5c || byte < 0x20) {
      return 0;
    }
    at++;
  }
}

/** Behind `null`, `true` or `false`, or 0. */
export function readWord(at: usize): usize {
  const word = load<u32>(at);
  if (word == 0x6c6c756e || word == 0x65757274) {
    return at + 4;
  }
  return word == 0x736c6166 && load<u8>(at + 4) == 0x65 ? at + 5 : 0;
}

/** Behind a number, or 0. Behind a zero that begins one no other digit belongs to it. */
export function skipNumber(at: usize): usize {
  if (load<u8>(at) == 0x2d) {
    at++;
  }
  at = load<u8>(at) == 0x30 ? at + 1 : skipDigits(at);
  if (at != 0 && load<u8>(at) == 0x2e) {
    at = skipDigits(at + 1);
  }
  if (at != 0 && (load<u8>(at) | 0x20) == 0x65) {
    at++;
    const sign = load<u8>(at);
    at = skipDigits(sign == 0x2b || sign == 0x2d ? at + 1 : at);
  }
  return at;
}

function skipDigits(at: usize): usize {
  const start = at;
  let byte = load<u8>(at);
  while (byte >= 0x30 && byte <= 0x39) {
    byte = load<u8>(++at);
  }
  return at > start ? at : 0;
}
