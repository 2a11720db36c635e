// AssemblyScript. Detects ids that look like an e-mail address or a phone number, with the same results as ../rules/fieldRules.ts.

export const PERSONAL: u32 = 1;
/** Result for a text that only the rules can check, because this module doesn't know which non-ASCII characters are white space. */
export const PERSONAL_UNKNOWN: u32 = 2;

/** Checks a text [start, end) without escapes. Returns `PERSONAL`, `PERSONAL_UNKNOWN` or 0. */
export function looksPersonal(start: usize, end: usize): u32 {
  let hasAt = false;
  let isAscii = true;
  for (let at = start; at < end; at++) {
    const byte = load<u8>(at);
    hasAt = hasAt || byte == 0x40;
    isAscii = isAscii && byte < 0x80;
  }
  if (hasAt && !isAscii) {
    return PERSONAL_UNKNOWN;
  }
  return (hasAt ? hasMail(start, end) : isPhone(start, end)) ? PERSONAL : 0;
}

/** Returns whether a text has an @ with a character before it, and characters, a dot and a word of letters after it. */
function hasMail(start: usize, end: usize): bool {
  for (let at = start + 1; at < end; at++) {
    if (load<u8>(at) == 0x40 && isPartOfMail(load<u8>(at - 1))) {
      for (let behind = at + 1; behind < end && isPartOfMail(load<u8>(behind)); behind++) {
        if (load<u8>(behind) == 0x2e && behind > at + 1 && isWordAt(behind + 1, end)) {
          return true;
        }
      }
    }
  }
  return false;
}

/** Returns whether a word of two or more letters is at `at`, not followed by a digit, `_` or `-`. */
function isWordAt(at: usize, end: usize): bool {
  let behind = at;
  while (behind < end && isLetter(load<u8>(behind))) {
    behind++;
  }
  const next = behind < end ? load<u8>(behind) : 0;
  return behind - at >= 2 && !isDigit(next) && next != 0x5f && next != 0x2d;
}

function isPartOfMail(byte: u8): bool {
  return byte != 0x40 && byte != 0x20;
}

/** Returns whether a text is a plus and 7 to 15 digits, the first of them not 0, with spaces and signs as in phone numbers. */
function isPhone(start: usize, end: usize): bool {
  let count: u32 = 0;
  for (let at = start + 1; at < end; at++) {
    const byte = load<u8>(at);
    if (isDigit(byte) && (count > 0 || byte != 0x30)) {
      count++;
    } else if (byte != 0x20 && byte != 0x28 && byte != 0x29 && (byte < 0x2d || byte > 0x2f)) {
      return false;
    }
  }
  return load<u8>(start) == 0x2b && count >= 7 && count <= 15;
}

function isLetter(byte: u8): bool {
  return (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
}

function isDigit(byte: u8): bool {
  return byte >= 0x30 && byte <= 0x39;
}
