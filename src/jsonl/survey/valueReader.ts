import { CLOSE_BRACE, JsonBytes, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../scanning/jsonBytes';
import { maxDepth } from '../scanning/jsonText';
import type { ReadLine, SensitiveFindings } from './sensitiveFindings';
import { TextScan } from './textScan';
import { tokenKind, tokenKinds } from './tokenTable';
import { WordTable } from './wordTable';

const secretKeys = WordTable.of('authorization_token', 'token');

export const seedA = 0x3c6ef372;
export const seedB = 0x1b873593;

/**
 * Walks JSON values in the bytes of a line. Hashes their content, including the order of fields and the notation of numbers, but not the
 * white space between tokens. Counts the tokens of texts, and collects sensitive ones in `findings`. Methods take the offset of a value and
 * its depth if it is an object or array (1 for the line). They return the offset after the value, or -1 if it is invalid JSON or nested too
 * deep.
 */
export class ValueReader implements ReadLine {
  protected readonly json = new JsonBytes();
  protected readonly scan = new TextScan();
  findings: SensitiveFindings | undefined;
  line = 0;
  lineStart = 0;
  protected a = 0;
  protected b = 0;
  /** True while texts may contain sensitive data. */
  protected searching = true;
  /** Token counts of texts that are not in a prompt. */
  private readonly uncountedTokens = new Float64Array(tokenKinds);

  constructor() {
    this.scan.tokens = this.uncountedTokens;
  }

  get bytes(): Uint8Array {
    return this.json.bytes;
  }

  /** Sets the bytes to read: UTF-8 with a LF after each line. */
  set bytes(bytes: Uint8Array) {
    this.json.bytes = bytes;
    this.scan.bytes = bytes;
  }

  /** Reads a value without counting its tokens. `searched` is false for values that are not text, such as signatures. */
  protected uncounted(at: number, depth: number, searched = true): number {
    const { scan, searching } = this;
    const counted = scan.tokens;
    scan.tokens = this.uncountedTokens;
    this.searching = searching && searched;
    const end = this.value(at, depth, false);
    this.searching = searching;
    scan.tokens = counted;
    return end;
  }

  /** Reads and hashes any value. With `keys`, names of fields count as text, as in schemas. */
  protected value(at: number, depth: number, keys: boolean): number {
    const { scan, bytes } = this;
    const first = bytes[at];
    if (first === QUOTE) {
      return this.text(at);
    }
    if (first !== OPEN_BRACE && first !== OPEN_BRACKET) {
      const end = this.json.skipValue(at);
      for (let index = at; index < end; index++) {
        this.fold(bytes[index] as number);
      }
      if (end > 0) {
        const { tokens } = scan;
        tokens[tokenKind.digits] = (tokens[tokenKind.digits] as number) + 0.65 + 0.35 * (end - at);
      }
      return end;
    }
    if (depth > maxDepth) {
      return -1;
    }
    this.fold(first);
    const tokens = scan.tokens;
    if (keys) {
      tokens[tokenKind.punctuation] = (tokens[tokenKind.punctuation] as number) + 1;
    }
    const end =
      first === OPEN_BRACKET
        ? this.json.walkItems(at, start => this.value(start, depth + 1, keys))
        : this.json.walkMembers(at, (keyStart, keyEnd, value) => {
            if (keys) {
              tokens[tokenKind.punctuation] = (tokens[tokenKind.punctuation] as number) + 2;
              this.text(keyStart);
            } else {
              this.foldKey(keyStart);
            }
            if (bytes[value] === QUOTE && secretKeys.find(bytes, keyStart, keyEnd) === 'authorization_token') {
              return this.secretIn(value, depth + 1);
            }
            return this.value(value, depth + 1, keys);
          });
    this.fold(CLOSE_BRACE);
    return end;
  }

  /** Reads a secret: the text itself, or its `token` field. */
  protected secretIn(at: number, depth: number): number {
    if (this.bytes[at] === OPEN_BRACE && depth <= maxDepth) {
      return this.json.walkMembers(at, (keyStart, keyEnd, value) =>
        secretKeys.find(this.bytes, keyStart, keyEnd) === 'token' ? this.secretIn(value, depth + 1) : this.uncounted(value, depth + 1),
      );
    }
    const end = this.uncounted(at, depth, false);
    if (this.bytes[at] === QUOTE && end > at + 2) {
      this.findings?.secret(this, at, end);
    }
    return end;
  }

  /** Reads a JSON string: hashes it, counts its tokens and searches it. */
  protected text(at: number): number {
    const { scan } = this;
    const end = scan.scan(at);
    if (end > 0) {
      this.fold(scan.hashA);
      this.fold(scan.hashB);
      if (scan.triggers !== 0 && this.searching) {
        this.findings?.text(this, at, end, scan.triggers);
      }
    }
    return end;
  }

  /** Sets the array that counts tokens. By default the counts are not used. */
  protected countIn(tokens = this.uncountedTokens): void {
    this.scan.tokens = tokens;
  }

  protected startMember(keyStart: number): void {
    this.a = seedA;
    this.b = seedB;
    this.foldKey(keyStart);
  }

  /** Hashes the name of a field without counting its tokens. */
  protected foldKey(keyStart: number): void {
    const { scan } = this;
    const counted = scan.tokens;
    scan.tokens = this.uncountedTokens;
    scan.scan(keyStart);
    scan.tokens = counted;
    this.fold(scan.hashA);
    this.fold(scan.hashB);
  }

  protected fold(word: number): void {
    const a = Math.imul(this.a ^ word, 0x9e3779b1 | 0);
    this.a = a ^ (a >>> 15);
    const b = Math.imul(this.b + word, 0x85ebca6b | 0);
    this.b = b ^ (b >>> 13);
  }
}
