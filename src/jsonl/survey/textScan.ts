import { LF } from '../scanning/jsonBytes';
import { ByteClass, classOf, continues, kindOfCharacter, kindOfEscaped, readEscape, widthBits, widthMask } from './characterKinds';
import { costOfRun, costs, tokenKind, tokenKinds } from './tokenTable';

/** Properties of a text that make it worth searching for secrets and personal data; see `sensitiveText.ts`. */
export const trigger = {
  /** At sign. */
  at: 1,
  /** At least nine digits, with at most three other characters between two of them. */
  digits: 2,
  /** At least 20 characters without white space, including a digit. */
  token: 4,
  /** At least five punctuation marks in a row that end with a dash. */
  dashes: 8,
} as const;

const shortestToken = 20;
const fewestDigits = 9;
const widestGap = 3;

/**
 * Scans JSON strings in a single pass over their bytes: computes a hash, estimates tokens, and decides whether the string is worth
 * searching. All results refer to the decoded text: an escape counts as its character.
 */
export class TextScan {
  bytes: Uint8Array = new Uint8Array([LF]);
  /** Estimated tokens by kind. Each scan adds to them. */
  tokens = new Float64Array(tokenKinds);
  /** 64-bit hash and `trigger` bits of the text scanned last. */
  hashA = 0;
  hashB = 0;
  triggers = 0;

  /** Scans the string with its opening quote at `start`. Returns the offset after the closing quote, or -1 if it is not a JSON string. */
  scan(start: number): number {
    const { bytes, tokens } = this;
    let hashA = 0x811c9dc5 | 0;
    let hashB = 0x2545f491;
    let triggers = 0;
    let kind: number = 0;
    let at = start + 1;
    let runStart = at;
    let chunkStart = at;
    let chunkHasDigit = false;
    let digits = 0;
    let digitsEnd = -widestGap - 1;
    for (;;) {
      let byte = bytes[at] as number;
      let next = classOf[byte] as number;
      while (next === kind) {
        hashA = Math.imul(hashA ^ byte, 0x01000193);
        hashB = (Math.imul(hashB, 0x5bd1e995) + byte) | 0;
        byte = bytes[++at] as number;
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
            character = (character << 6) | ((bytes[at + index] as number) & 0x3f);
          }
          next = kindOfCharacter(character);
        } else {
          const read = readEscape(bytes, at);
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
        // This character ends the current run.
        if (kind > 0 && kind <= tokenKind.punctuation) {
          const length = at - runStart;
          tokens[kind] = (tokens[kind] as number) + costOfRun(kind, length);
          if (kind === tokenKind.digits) {
            digits += length;
            digitsEnd = at;
            chunkHasDigit = true;
            if (digits >= fewestDigits) {
              triggers |= trigger.digits;
            }
          } else if (kind === tokenKind.space) {
            chunkStart = at;
            chunkHasDigit = false;
          } else if (kind === tokenKind.punctuation && length >= 5 && bytes[at - 1] === 0x2d) {
            triggers |= trigger.dashes;
          }
        }
        if ((next === tokenKind.space || !isAscii || next === 0) && chunkHasDigit && at - chunkStart >= shortestToken) {
          triggers |= trigger.token;
        }
        if (next === 0) {
          this.hashA = hashA;
          this.hashB = hashB;
          this.triggers = triggers;
          return at + 1;
        }
        if (next === tokenKind.digits && at - digitsEnd > widestGap) {
          digits = 0;
        } else if (next === ByteClass.At) {
          triggers |= trigger.at;
          tokens[tokenKind.punctuation] = (tokens[tokenKind.punctuation] as number) + 1;
        }
        runStart = at;
      }
      if (isAscii) {
        hashA = Math.imul(hashA ^ character, 0x01000193);
        hashB = (Math.imul(hashB, 0x5bd1e995) + character) | 0;
        // The length of a run is that of the decoded text. A line break counts more than a space.
        runStart += character < 0x20 ? width - 2 : width - 1;
        kind = next === ByteClass.At ? 0 : next;
      } else {
        hashA = Math.imul(hashA ^ character, 0x01000193);
        hashA = Math.imul(hashA ^ (character >>> 8), 0x01000193);
        hashB = (Math.imul(hashB, 0x5bd1e995) + character + 0x100) | 0;
        tokens[next] = (tokens[next] as number) + (costs[next] as number);
        if (next === tokenKind.accented) {
          runStart += width - 1;
          kind = tokenKind.word;
        } else {
          kind = 0;
          chunkStart = at + width;
          chunkHasDigit = false;
        }
      }
      at += width;
    }
  }
}
