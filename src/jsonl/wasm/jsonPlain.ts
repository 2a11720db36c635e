// AssemblyScript. Decodes the escapes of short texts for table lookups.

import { endOfPlainText, hadEscapes, isHalf, readText } from './jsonScan';

/** Maximum length of a text with escapes, in bytes. */
const MOST_PLAIN_BYTES: usize = 1024;
const room: usize = memory.data(1024);

/** Range of the last text, with its escapes decoded. */
export let plainStart: usize = 0;
export let plainEnd: usize = 0;

/** Reads a short text whose opening quote is at `open`. Returns the address after its closing quote, or 0 if there is no such text. */
export function readKey(open: usize): usize {
  const at = open + 1;
  const quote = load<u8>(open) == 0x22 ? endOfPlainText(at) : 0;
  if (quote != 0) {
    plainStart = at;
    plainEnd = quote;
    return quote + 1;
  }
  const behind = load<u8>(open) == 0x22 ? readText(at) : 0;
  return behind != 0 && hadEscapes && writePlain(at, behind - 1) ? behind : 0;
}

/** Decodes the escapes of the text [from, to) after `readText` has read it. Returns false if the decoded text is too long. */
export function writePlain(from: usize, to: usize): bool {
  if (to - from > MOST_PLAIN_BYTES) {
    return false;
  }
  plainStart = room;
  plainEnd = room;
  while (from < to) {
    const byte = load<u8>(from);
    if (byte != 0x5c) {
      store<u8>(plainEnd++, byte);
      from++;
    } else if (load<u8>(from + 1) != 0x75) {
      store<u8>(plainEnd++, simpleEscape(load<u8>(from + 1)));
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

const LETTERS: StaticArray<u8> = [0x62, 0x66, 0x6e, 0x72, 0x74];
const MEANT: StaticArray<u8> = [0x08, 0x0c, 0x0a, 0x0d, 0x09];

/** Returns the character of an escape of one letter: b, f, n, r, t, or itself. */
function simpleEscape(letter: u8): u8 {
  const index = LETTERS.indexOf(letter);
  return index < 0 ? letter : MEANT[index];
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
    store<u8>(plainEnd++, code);
    return;
  }
  if (code < 0x800) {
    store<u8>(plainEnd++, 0xc0 | (code >> 6));
  } else {
    if (code < 0x10000) {
      store<u8>(plainEnd++, 0xe0 | (code >> 12));
    } else {
      store<u8>(plainEnd++, 0xf0 | (code >> 18));
      store<u8>(plainEnd++, 0x80 | ((code >> 12) & 0x3f));
    }
    store<u8>(plainEnd++, 0x80 | ((code >> 6) & 0x3f));
  }
  store<u8>(plainEnd++, 0x80 | (code & 0x3f));
}
