import { BACKSLASH, LF } from '../scanning/jsonBytes';
import { costOf, createRunCosts, runLengths, tokenKind, tokenKinds } from './tokenTable';

/** What in a text makes it worth to be searched for secrets and personal data; see `sensitiveText.ts`. */
export const trigger = {
  /** An at sign. */
  at: 1,
  /** Nine digits or more, with three other characters at most between two of them. */
  digits: 2,
  /** Twenty characters or more without white space, a digit among them. */
  token: 4,
  /** Five marks or more in a row, the last of them a dash. */
  dashes: 8,
} as const;

// Below these, a byte's class is the kind of token it belongs to.
const at = 30;
const multiByte = 31;
const quote = 32;
const backslash = 33;
const control = 34;

const classOf = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (byte < 0x20) {
    return control;
  }
  if (byte >= 0x80) {
    return multiByte;
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
      ? quote
      : byte === BACKSLASH
        ? backslash
        : character === '@'
          ? at
          : tokenKind.punctuation;
});

const { costs, beyond } = createRunCosts();
const charCosts = Float64Array.from({ length: tokenKinds }, (_, kind) => (kind > 0 ? costOf(kind as Parameters<typeof costOf>[0]) : 0));

/** What stands for the plain escapes, by the byte behind the backslash; 0 is none. */
const plainEscapes = new Uint8Array(256);
for (const [letter, meant] of ['""', '\\\\', '//', 'b\b', 'f\f', 'n\n', 'r\r', 't\t'].map(([from = '', to = '']) => [from, to] as const)) {
  plainEscapes[letter.charCodeAt(0)] = meant.charCodeAt(0);
}

const shortestToken = 20;
const fewestDigits = 9;
const widestGap = 3;

/**
 * Reads JSON strings as fast as one pass over their bytes goes, and tells of each what it hashes to, how many tokens it may be,
 * and whether it is worth to be searched. All of it is about the decoded text: an escape counts as the character it writes.
 */
export class TextScan {
  bytes: Uint8Array = new Uint8Array([LF]);
  /** Likely tokens by kind: every text adds to it. */
  tokens = new Float64Array(tokenKinds);
  /** Of the text read last: 64 bits that equal texts share, and bits of `trigger`. */
  hashA = 0;
  hashB = 0;
  triggers = 0;

  /** From the opening quote at `start` to behind the closing one; -1 when this is no JSON string. */
  scan(start: number): number {
    const { bytes, tokens } = this;
    let hashA = 0x811c9dc5 | 0;
    let hashB = 0x2545f491;
    let triggers = 0;
    let kind: number = 0;
    let place = start + 1;
    let runStart = place;
    let chunkStart = place;
    let chunkHasDigit = false;
    let digits = 0;
    let digitsEnd = -widestGap - 1;
    for (;;) {
      let byte = bytes[place] as number;
      let next = classOf[byte] as number;
      while (next === kind) {
        hashA = Math.imul(hashA ^ byte, 0x01000193);
        hashB = (Math.imul(hashB, 0x5bd1e995) + byte) | 0;
        byte = bytes[++place] as number;
        next = classOf[byte] as number;
      }
      let character = byte;
      let width = 1;
      if (next >= multiByte) {
        if (next === quote) {
          next = 0;
        } else if (next === multiByte) {
          width = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
          character = byte & (0x7f >> width);
          for (let index = 1; index < width; index++) {
            character = (character << 6) | ((bytes[place + index] as number) & 0x3f);
          }
          next = kindOfCharacter(character);
        } else if (next === control) {
          return -1;
        } else {
          const letter = bytes[place + 1] as number;
          width = 2;
          character = plainEscapes[letter] as number;
          if (character === 0) {
            character = letter === 0x75 ? this.unit(place) : -1;
            if (character < 0) {
              return -1;
            }
            width = 6;
            if (character >= 0xd800 && character < 0xdc00 && bytes[place + 6] === BACKSLASH && bytes[place + 7] === 0x75) {
              const low = this.unit(place + 6);
              if (low >= 0xdc00 && low <= 0xdfff) {
                character = 0x10000 + ((character - 0xd800) << 10) + (low - 0xdc00);
                width = 12;
              }
            }
          }
          next = character < 0x80 ? (character <= 0x20 ? tokenKind.space : (classOf[character] as number)) : kindOfCharacter(character);
          if (next >= at) {
            // A quote or a backslash that is written as an escape is a mark like others.
            next = character === 0x40 ? at : tokenKind.punctuation;
          }
        }
      }
      const isAscii = character < 0x80;
      if (next === 0 || (next !== kind && !continues(kind, next))) {
        // A run ends here.
        if (kind > 0 && kind <= tokenKind.punctuation) {
          const length = place - runStart;
          tokens[kind] =
            (tokens[kind] as number) +
            (length < runLengths
              ? (costs[kind * runLengths + length] as number)
              : (costs[kind * runLengths + runLengths - 1] as number) + (length - runLengths + 1) * (beyond[kind] as number));
          if (kind === tokenKind.digits) {
            digits += length;
            digitsEnd = place;
            chunkHasDigit = true;
            if (digits >= fewestDigits) {
              triggers |= trigger.digits;
            }
          } else if (kind === tokenKind.space) {
            chunkStart = place;
            chunkHasDigit = false;
          } else if (kind === tokenKind.punctuation && length >= 5 && bytes[place - 1] === 0x2d) {
            triggers |= trigger.dashes;
          }
        }
        if ((next === tokenKind.space || !isAscii || next === 0) && chunkHasDigit && place - chunkStart >= shortestToken) {
          triggers |= trigger.token;
        }
        if (next === 0) {
          this.hashA = hashA;
          this.hashB = hashB;
          this.triggers = triggers;
          return place + 1;
        }
        if (next === tokenKind.digits && place - digitsEnd > widestGap) {
          digits = 0;
        } else if (next === at) {
          triggers |= trigger.at;
          tokens[tokenKind.punctuation] = (tokens[tokenKind.punctuation] as number) + 1;
        }
        runStart = place;
      }
      if (isAscii) {
        hashA = Math.imul(hashA ^ character, 0x01000193);
        hashB = (Math.imul(hashB, 0x5bd1e995) + character) | 0;
        // A run is as long as the text that it writes; a line end is more than a space.
        runStart += character < 0x20 ? width - 2 : width - 1;
        kind = next === at ? 0 : next;
      } else {
        hashA = Math.imul(hashA ^ character, 0x01000193);
        hashA = Math.imul(hashA ^ (character >>> 8), 0x01000193);
        hashB = (Math.imul(hashB, 0x5bd1e995) + character + 0x100) | 0;
        tokens[next] = (tokens[next] as number) + (charCosts[next] as number);
        if (next === tokenKind.accented) {
          runStart += width - 1;
          kind = tokenKind.word;
        } else {
          kind = 0;
          chunkStart = place + width;
          chunkHasDigit = false;
        }
      }
      place += width;
    }
  }

  /** The UTF-16 unit that the escape at `place` writes, or -1. */
  private unit(place: number): number {
    let unit = 0;
    for (let index = place + 2; index < place + 6; index++) {
      const byte = this.bytes[index] as number;
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
}

/** Whether a run of letters goes on: small ones behind capitals, accented ones behind both. */
function continues(kind: number, next: number): boolean {
  return kind === tokenKind.capitals
    ? next === tokenKind.word || next === tokenKind.accented
    : kind === tokenKind.word && next === tokenKind.accented;
}

/** The kind of a character beyond ASCII. */
function kindOfCharacter(character: number): number {
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
