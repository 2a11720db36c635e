// AssemblyScript. Reads JSON in memory, with SIMD for long parts. Positions are addresses. A function that reads a value returns the
// address after the value, or 0 if the value is missing. Calls can be chained and checked once: the first bytes of the memory are 0, so a
// function that gets the address 0 returns 0. At least 16 bytes after a line must be readable.

/** True if the last text of `readText` had escapes. */
export let hadEscapes: bool = false;

/** Returns the address of the first LF from `at` on. There must be a LF. */
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

/** Returns the first address from `at` on without white space. LF does not count as white space, because a LF ends a line. */
export function skipSpace(at: usize): usize {
  while (true) {
    const byte = load<u8>(at);
    if (byte != 0x20 && byte != 0x09 && byte != 0x0d) {
      return at;
    }
    at++;
  }
}

/** Skips a colon with white space on both sides. */
export function skipColon(at: usize): usize {
  at = skipSpace(at);
  return load<u8>(at) == 0x3a ? skipSpace(at + 1) : 0;
}

/** Skips a comma at `at` and the white space after it. */
export function skipComma(at: usize): usize {
  return load<u8>(at) == 0x2c ? skipSpace(at + 1) : 0;
}

/**
 * Reads the text whose first character is at `at` and returns the address after its closing quote. Returns 0 for control characters,
 * invalid escapes and unpaired surrogates.
 */
export function readText(at: usize): usize {
  const quotes = i8x16.splat(0x22);
  const backslashes = i8x16.splat(0x5c);
  const spaces = i8x16.splat(0x20);
  hadEscapes = false;
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
    hadEscapes = true;
    at = readEscape(at);
    if (at == 0) {
      return 0;
    }
  }
}

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

function isLowEscape(at: usize): bool {
  return load<u16>(at) == 0x755c && areHexDigits(at + 2) && isHalf(at + 2) && isLowHalf(at + 2);
}

/** Returns whether four hexadecimal digits are at `at`. All four are compared at once with SIMD, repeated to fill 16 bytes. */
function areHexDigits(at: usize): bool {
  const bytes = i32x4.splat(load<u32>(at));
  const lower = v128.or(bytes, i8x16.splat(0x20));
  const digits = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x30)), i8x16.splat(10));
  const letters = i8x16.lt_u(i8x16.sub(lower, i8x16.splat(0x61)), i8x16.splat(6));
  return i8x16.all_true(v128.or(digits, letters));
}

/** Returns whether four hexadecimal digits are a surrogate: D800 to DFFF. */
export function isHalf(at: usize): bool {
  return (load<u8>(at) | 0x20) == 0x64 && load<u8>(at + 1) >= 0x38;
}

function isLowHalf(at: usize): bool {
  return (load<u8>(at + 1) | 0x20) >= 0x63;
}

/** Returns the address of the closing quote of a valid text without escapes, or 0. For short texts such as keys. */
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

/** Returns whether the bytes at `at` are an ASCII text. */
export function isText(at: usize, text: string): bool {
  for (let index: usize = 0; index < <usize>text.length; index++) {
    if (load<u8>(at + index) != load<u16>(changetype<usize>(text) + 2 * index)) {
      return false;
    }
  }
  return true;
}

/** Reads `null`, `true` or `false`. */
export function readWord(at: usize): usize {
  return isText(at, 'null') || isText(at, 'true') ? at + 4 : isText(at, 'false') ? at + 5 : 0;
}

/** Reads a number. Stops after a leading zero, so that further digits are an error for the caller. */
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
