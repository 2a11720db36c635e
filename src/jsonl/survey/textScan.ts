import { costOf, costOfRun, tokenKind, tokenKinds } from './tokenTable';

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

/** Classes of UTF-16 code units that aren't token kinds. */
const atSign = 30;
const control = 31;

/** First code unit of each range with one class, in ascending order. */
const classes: readonly (readonly [first: number, kind: number])[] = [
  [0, control],
  [0x20, tokenKind.space],
  [0x21, tokenKind.punctuation],
  [0x30, tokenKind.digits],
  [0x3a, tokenKind.punctuation],
  [0x40, atSign],
  [0x41, tokenKind.capitals],
  [0x5b, tokenKind.punctuation],
  [0x61, tokenKind.word],
  [0x7b, tokenKind.punctuation],
  [0x80, tokenKind.symbol],
  [0xc0, tokenKind.accented],
  [0xd7, tokenKind.symbol],
  [0xd8, tokenKind.accented],
  [0xf7, tokenKind.symbol],
  [0xf8, tokenKind.accented],
  [0x370, tokenKind.cyrillic],
  [0x590, tokenKind.arabic],
  [0x800, tokenKind.indic],
  [0x1100, tokenKind.hangul],
  [0x1200, tokenKind.indic],
  [0x1e00, tokenKind.accented],
  [0x2000, tokenKind.symbol],
  [0x3040, tokenKind.han],
  [0xac00, tokenKind.hangul],
  [0xd7b0, tokenKind.symbol],
  [0xf900, tokenKind.han],
  [0xfb00, tokenKind.symbol],
  [0xfb1d, tokenKind.arabic],
  [0xff00, tokenKind.symbol],
  [0xff66, tokenKind.han],
  [0xffdd, tokenKind.symbol],
];
/** Class of each UTF-16 code unit. */
const classOf = new Uint8Array(0x10000);
for (const [first, kind] of classes) {
  classOf.fill(kind, first);
}

/** Returns the token kind of a character, or `atSign`. */
function kindOf(character: number): number {
  if (character > 0xffff) {
    return character < 0x1f000 ? tokenKind.symbol : character < 0x1fb00 ? tokenKind.emoji : tokenKind.han;
  }
  return character < 0x20 ? tokenKind.space : (classOf[character] as number);
}

/** Returns whether a run of letters continues. Lower case continues capitals. Accented letters continue capitals and lower case. */
function continues(kind: number, next: number): boolean {
  return kind === tokenKind.capitals
    ? next === tokenKind.word || next === tokenKind.accented
    : kind === tokenKind.word && next === tokenKind.accented;
}

/** Scans texts in a single pass: computes a hash, estimates tokens, and decides whether the text is worth searching. */
export class TextScan {
  /** Estimated tokens by kind. Each scan adds to these numbers. */
  tokens = new Float64Array(tokenKinds);
  /** 64-bit hash and `trigger` bits of the text scanned last. */
  hashA = 0;
  hashB = 0;
  triggers = 0;

  scan(text: string): void {
    const { tokens } = this;
    const { length: end } = text;
    let hashA = 0x811c9dc5 | 0;
    let hashB = 0x2545f491;
    let triggers = 0;
    let kind: number = 0;
    let runStart = 0;
    let chunkStart = 0;
    let chunkHasDigit = false;
    let digits = 0;
    let digitsEnd = -widestGap - 1;
    for (let at = 0; ; ) {
      let character = 0;
      for (; at < end; at++) {
        character = text.charCodeAt(at);
        if (classOf[character] !== kind) {
          break;
        }
        hashA = Math.imul(hashA ^ character, 0x01000193);
        hashB = (Math.imul(hashB, 0x5bd1e995) + character) | 0;
      }
      if ((character & 0xfc00) === 0xd800 && at < end) {
        character = text.codePointAt(at) as number;
      }
      const isAscii = character < 0x80;
      const next = at < end ? kindOf(character) : 0;
      if (next === 0 || (next !== kind && !continues(kind, next))) {
        // The new character ends the current run.
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
          } else if (kind === tokenKind.punctuation && length >= 5 && text[at - 1] === '-') {
            triggers |= trigger.dashes;
          }
        }
        if ((next === tokenKind.space || !isAscii || next === 0) && chunkHasDigit && at - chunkStart >= shortestToken) {
          triggers |= trigger.token;
        }
        if (next === 0) {
          break;
        }
        if (next === tokenKind.digits && at - digitsEnd > widestGap) {
          digits = 0;
        } else if (next === atSign) {
          triggers |= trigger.at;
          tokens[tokenKind.punctuation] = (tokens[tokenKind.punctuation] as number) + 1;
        }
        runStart = at;
      }
      hashA = Math.imul(hashA ^ character, 0x01000193);
      if (isAscii) {
        hashB = (Math.imul(hashB, 0x5bd1e995) + character) | 0;
        // A line break counts as two spaces.
        runStart -= character < 0x20 ? 1 : 0;
        kind = next === atSign ? 0 : next;
        at++;
      } else {
        hashA = Math.imul(hashA ^ (character >>> 8), 0x01000193);
        hashB = (Math.imul(hashB, 0x5bd1e995) + character + 0x100) | 0;
        tokens[next] = (tokens[next] as number) + costOf(next);
        at += character > 0xffff ? 2 : 1;
        if (next === tokenKind.accented) {
          kind = tokenKind.word;
        } else {
          kind = 0;
          chunkStart = at;
          chunkHasDigit = false;
        }
      }
    }
    this.hashA = hashA;
    this.hashB = hashB;
    this.triggers = triggers;
  }
}
