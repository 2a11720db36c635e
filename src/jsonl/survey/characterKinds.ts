import { BACKSLASH } from '../scanning/jsonBytes';
import { tokenKind } from './tokenTable';

/** Classes of bytes in a JSON string. Lower numbers are token kinds. */
export enum ByteClass {
  At = 30,
  MultiByte = 31,
  Quote = 32,
  Backslash = 33,
  Control = 34,
}

/** Class of each byte. */
export const classOf = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (byte < 0x20) {
    return ByteClass.Control;
  }
  if (byte >= 0x80) {
    return ByteClass.MultiByte;
  }
  if (/[a-z]/.test(character)) {
    return tokenKind.word;
  }
  if (/[A-Z]/.test(character)) {
    return tokenKind.capitals;
  }
  if (/\d/.test(character)) {
    return tokenKind.digits;
  }
  return character === ' '
    ? tokenKind.space
    : character === '"'
      ? ByteClass.Quote
      : byte === BACKSLASH
        ? ByteClass.Backslash
        : character === '@'
          ? ByteClass.At
          : tokenKind.punctuation;
});

/** Number of low bits in a result of `readEscape` that hold the byte length of the escape. The higher bits are the character. */
export const widthBits = 4;
export const widthMask = 0xf;

/** Results of `readEscape` for simple escapes, indexed by the byte after the backslash; 0 if there is no such escape. */
const plainEscapes = new Uint16Array(256);
for (const [letter, meant] of ['""', '\\\\', '//', 'b\b', 'f\f', 'n\n', 'r\r', 't\t'].map(([from = '', to = '']) => [from, to] as const)) {
  plainEscapes[letter.charCodeAt(0)] = (meant.charCodeAt(0) << widthBits) | 2;
}

/** Reads the escape at `offset`. Returns -1 for bytes not allowed in a JSON string, such as control characters. */
export function readEscape(bytes: Uint8Array, offset: number): number {
  if (bytes[offset] !== BACKSLASH) {
    return -1;
  }
  const letter = bytes[offset + 1] as number;
  const plain = plainEscapes[letter] as number;
  if (plain !== 0) {
    return plain;
  }
  const unit = letter === 0x75 ? readUnit(bytes, offset) : -1;
  if (unit < 0xd800 || unit >= 0xdc00 || bytes[offset + 6] !== BACKSLASH || bytes[offset + 7] !== 0x75) {
    return unit < 0 ? -1 : (unit << widthBits) | 6;
  }
  const low = readUnit(bytes, offset + 6);
  return low >= 0xdc00 && low <= 0xdfff
    ? ((0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)) << widthBits) | 12
    : (unit << widthBits) | 6;
}

/** Returns the UTF-16 code unit of the `\u` escape at `offset`, or -1 if it is invalid. */
function readUnit(bytes: Uint8Array, offset: number): number {
  let unit = 0;
  for (let index = offset + 2; index < offset + 6; index++) {
    const byte = bytes[index] as number;
    const lower = byte | 0x20;
    if (byte >= 0x30 && byte <= 0x39) {
      unit = unit * 16 + byte - 0x30;
    } else if (lower >= 0x61 && lower <= 0x66) {
      unit = unit * 16 + lower - 0x57;
    } else {
      return -1;
    }
  }
  return unit;
}

/** Class of each escaped ASCII character. Escaped quotes and backslashes are ordinary punctuation. */
const escapedClassOf = classOf
  .slice(0, 0x80)
  .map((kind, byte) => (byte <= 0x20 ? tokenKind.space : kind > ByteClass.At ? tokenKind.punctuation : kind));

/** Returns the token kind of an escaped character, or `ByteClass.At`. */
export function kindOfEscaped(character: number): number {
  return character < 0x80 ? (escapedClassOf[character] as number) : kindOfCharacter(character);
}

/** Returns whether a run of letters continues: lower case after capitals, and accented letters after both. */
export function continues(kind: number, next: number): boolean {
  return kind === tokenKind.capitals
    ? next === tokenKind.word || next === tokenKind.accented
    : kind === tokenKind.word && next === tokenKind.accented;
}

/** Returns the token kind of a character beyond ASCII. */
export function kindOfCharacter(character: number): number {
  if (character >= 0x3040) {
    if (character < 0xac00) {
      return tokenKind.han;
    }
    if (character < 0xd7b0) {
      return tokenKind.hangul;
    }
    if (character >= 0x1f000) {
      return character < 0x1fb00 ? tokenKind.emoji : tokenKind.han;
    }
    if (character >= 0xf900 && character < 0xfb00) {
      return tokenKind.han;
    }
    if (character >= 0xfb1d && character < 0xff00) {
      return tokenKind.arabic;
    }
    return character >= 0xff66 && character < 0xffdd ? tokenKind.han : tokenKind.symbol;
  }
  if (character < 0x370) {
    return character >= 0xc0 && character !== 0xd7 && character !== 0xf7 ? tokenKind.accented : tokenKind.symbol;
  }
  if (character < 0x590) {
    return tokenKind.cyrillic;
  }
  if (character < 0x800) {
    return tokenKind.arabic;
  }
  if (character < 0x1100) {
    return tokenKind.indic;
  }
  if (character < 0x1200) {
    return tokenKind.hangul;
  }
  if (character < 0x1e00) {
    return tokenKind.indic;
  }
  return character < 0x2000 ? tokenKind.accented : tokenKind.symbol;
}
