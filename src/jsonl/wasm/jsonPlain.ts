// AssemblyScript. Decodes the escapes of short texts for table lookups.

import { endOfPlainText, hadEscapes, isHalf, readText } from './jsonScan';

/** Maximum length of a text with escapes, in bytes. */
export const MOST_PLAIN_BYTES: usize = 1024;

let room: usize = 0;
let start: usize = 0;
let end: usize = 0;

/** Uses `MOST_PLAIN_BYTES` of memory at `at` for decoded texts. */
export function placePlain(at: usize): void {
  room = at;
}

/** Returns the start of the last text, with its escapes decoded. */
@inline
export function plainStart(): usize {
  return start;
}

@inline
export function plainEnd(): usize {
  return end;
}

/** Reads a short text whose first character is at `at`. Returns the address after its closing quote, or 0. */
export function readPlain(at: usize): usize {
  const quote = endOfPlainText(at);
  if (quote != 0) {
    start = at;
    end = quote;
    return quote + 1;
  }
  const behind = readText(at);
  return behind != 0 && hadEscapes() && writePlain(at, behind - 1) ? behind : 0;
}

/** Decodes the escapes of the text [from, to) after `readText` has read it. Returns false if it is too long. */
export function writePlain(from: usize, to: usize): bool {
  if (to - from > MOST_PLAIN_BYTES) {
    return false;
  }
  start = room;
  end = room;
  while (from < to) {
    const byte = load<u8>(from);
    if (byte != 0x5c) {
      store<u8>(end++, byte);
      from++;
    } else if (load<u8>(from + 1) != 0x75) {
      store<u8>(end++, simpleEscape(load<u8>(from + 1)));
      from += 2;
    } else if (isHalf(from + 2)) {
      writeCharacter(0x10000 + ((hexAt(from + 2) & 0x3ff) << 10) + (hexAt(from + 8) & 0x3ff));
      from += 12;
    } else {
      writeCharacter(hexAt(from + 2));
      from += 6;
    }
  }
  return true;
}

function simpleEscape(letter: u8): u8 {
  switch (letter) {
    case 0x62: // b
      return 0x08;
    case 0x66: // f
      return 0x0c;
    case 0x6e: // n
      return 0x0a;
    case 0x72: // r
      return 0x0d;
    case 0x74: // t
      return 0x09;
    default:
      return letter;
  }
}

function hexAt(at: usize): u32 {
  let value: u32 = 0;
  for (let index: usize = 0; index < 4; index++) {
    const byte = <u32>load<u8>(at + index);
    value = (value << 4) | (byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57);
  }
  return value;
}

/** Writes a character as UTF-8, which never takes more bytes than its escape. */
function writeCharacter(code: u32): void {
  if (code < 0x80) {
    store<u8>(end++, code);
    return;
  }
  if (code < 0x800) {
    store<u8>(end++, 0xc0 | (code >> 6));
  } else {
    if (code < 0x10000) {
      store<u8>(end++, 0xe0 | (code >> 12));
    } else {
      store<u8>(end++, 0xf0 | (code >> 18));
      store<u8>(end++, 0x80 | ((code >> 12) & 0x3f));
    }
    store<u8>(end++, 0x80 | ((code >> 6) & 0x3f));
  }
  store<u8>(end++, 0x80 | (code & 0x3f));
}
