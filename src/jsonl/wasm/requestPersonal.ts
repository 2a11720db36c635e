// AssemblyScript. Whether an id looks like an e-mail address or a phone number: the answers of ../rules/fieldRules.ts.

export const PERSONAL: u32 = 1;
/** Which characters beyond ASCII are white space is not known here. */
export const PERSONAL_UNKNOWN: u32 = 2;

/** Of a text [start, end) that is written without escapes: `PERSONAL`, `PERSONAL_UNKNOWN`, or 0 when it does not. */
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

/** Whether an @ has a character before it, and behind it some with a dot between them. */
function hasMail(start: usize, end: usize): bool {
  for (let at = start + 1; at < end; at++) {
    if (load<u8>(at) == 0x40 && isPartOfMail(load<u8>(at - 1))) {
      for (let behind = at + 1; behind < end && isPartOfMail(load<u8>(behind)); behind++) {
        if (load<u8>(behind) == 0x2e && behind > at + 1 && behind + 1 < end && isPartOfMail(load<u8>(behind + 1))) {
          return true;
        }
      }
    }
  }
  return false;
}

function isPartOfMail(byte: u8): bool {
  return byte != 0x40 && byte != 0x20;
}

function isPhone(start: usize, end: usize): bool {
  let digits: u32 = 0;
  const first = start < end && load<u8>(start) == 0x2b ? start + 1 : start;
  for (let at = first; at < end; at++) {
    const byte = load<u8>(at);
    if (isDigit(byte)) {
      digits++;
    } else if (byte != 0x20 && byte != 0x28 && byte != 0x29 && byte != 0x2d && byte != 0x2e && byte != 0x2f) {
      return false;
    }
  }
  return digits >= 7 && digits <= 15 && digits < <u32>(end - start) && !isDate(start, end);
}

/** `YYYY-MM-DD`. */
function isDate(start: usize, end: usize): bool {
  if (end - start != 10) {
    return false;
  }
  for (let index: usize = 0; index < 10; index++) {
    const byte = load<u8>(start + index);
    if (index == 4 || index == 7 ? byte != 0x2d : !isDigit(byte)) {
      return false;
    }
  }
  return true;
}

function isDigit(byte: u8): bool {
  return byte >= 0x30 && byte <= 0x39;
}
