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

/** Returns whether a text starts with a plus or a zero and has digits grouped like those of a phone number. */
function isPhone(start: usize, end: usize): bool {
  const hasPlus = start < end && load<u8>(start) == 0x2b;
  let count: u32 = 0;
  let zeros: u32 = 0;
  let groups: u32 = 0;
  let first: u32 = 0;
  let length: u32 = 0;
  let longest: u32 = 0;
  let isEven = true;
  let isDotted = true;
  for (let at = hasPlus ? start + 1 : start; at <= end; at++) {
    const byte: u8 = at < end ? load<u8>(at) : 0x20;
    if (isDigit(byte)) {
      zeros += byte == 0x30 && zeros == count && zeros < 3 ? 1 : 0;
      count++;
      length++;
      continue;
    }
    if (byte != 0x20 && byte != 0x28 && byte != 0x29 && byte != 0x2d && byte != 0x2e && byte != 0x2f) {
      return false;
    }
    isDotted = isDotted && (at == end || byte == 0x2e) && length > 0;
    if (length > 0) {
      groups++;
      first = groups == 1 ? length : first;
      isEven = isEven && length == first;
      longest = length > longest ? length : longest;
      length = 0;
    }
  }
  if (hasPlus) {
    return zeros == 0 && count >= 7 && count <= 15;
  }
  if (zeros == 0 || zeros > 2) {
    return false;
  }
  if (groups == 1) {
    return zeros == 1 ? count >= 10 && count <= 12 : count >= 12 && count <= 15;
  }
  const isGrouped = isEven && groups > 2 ? first == 2 && groups == 5 : first >= 3 && first <= 5;
  const isAddress = isDotted && groups == 4 && longest <= 3;
  return isGrouped && count >= <u32>(zeros == 1 ? 9 : 11) && count <= 15 && !isAddress;
}

function isLetter(byte: u8): bool {
  return (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
}

function isDigit(byte: u8): bool {
  return byte >= 0x30 && byte <= 0x39;
}
