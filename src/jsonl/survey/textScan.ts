import { LF } from '../scanning/jsonBytes';
import { ByteClass, classOf, continues, kindOfCharacter, kindOfEscaped, readEscape, widthBits, widthMask } from './characterKinds';
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

const { costs, beyond } = createRunCosts();
const charCosts = Float64Array.from({ length: tokenKinds }, (_, kind) => (kind > 0 ? costOf(kind as Parameters<typeof costOf>[0]) : 0));

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
      if (next >= ByteClass.MultiByte) {
        if (next === ByteClass.Quote) {
          next = 0;
        } else if (next === ByteClass.MultiByte) {
          width = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
          character = byte & (0x7f >> width);
          for (let index = 1; index < width; index++) {
            character = (character << 6) | ((bytes[place + index] as number) & 0x3f);
          }
          next = kindOfCharacter(character);
        } else {
          const read = readEscape(bytes, place);
          if (read < 0) {
            return -1;
          }
          character = read >>> widthBits;
          width = read & widthMask;
          next = kindOfEscaped(character);
        }
      }
      const isAscii = character < 0x80;
      if (next === 0 || (next !== kind && !continues(kind, next))) {
        // A run ends here.
        if (kind > 0 && kind <= tokenKind.punctuation) {
          const length = place - runStart;
          tokens[kind] = (tokens[kind] as number) + costOfRun(kind, length);
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
        } else if (next === ByteClass.At) {
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
        kind = next === ByteClass.At ? 0 : next;
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
}

/** What a run of so many characters of one kind comes to. */
function costOfRun(kind: number, length: number): number {
  return length < runLengths
    ? (costs[kind * runLengths + length] as number)
    : (costs[kind * runLengths + runLengths - 1] as number) + (length - runLengths + 1) * (beyond[kind] as number);
}
