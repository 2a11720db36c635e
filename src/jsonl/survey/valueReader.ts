import { isRecord } from '../../shared/isRecord';
import { JsonLine } from '../fixes/jsonLine';
import type { JsonObject } from '../rules/finding';
import { CLOSE_BRACE, OPEN_BRACE, OPEN_BRACKET } from '../scanning/jsonBytes';
import { maxDepth } from '../scanning/jsonText';
import type { ReadText, SensitiveFindings } from './sensitiveFindings';
import { TextScan } from './textScan';
import { tokenKind } from './tokenTable';

export const seedA = 0x3c6ef372;
export const seedB = 0x1b873593;

/** Thrown for values nested deeper than the check accepts. */
export class TooDeep extends Error {}

/**
 * Walks the JSON values of a line. Hashes their content, including the order of fields. Counts the tokens of texts, and collects sensitive
 * texts in `findings`.
 */
export class ValueReader implements ReadText {
  readonly json: JsonLine;
  readonly path: (string | number)[] = [];
  protected readonly scan = new TextScan();
  /** Token counts of texts that are not in a prompt. */
  protected readonly uncountedTokens = this.scan.tokens;
  /** Hash of the value being read, in two 32-bit words. */
  protected a = 0;
  protected b = 0;
  /** True while texts may contain sensitive data. */
  private searching = true;

  constructor(
    text: string,
    readonly line: number,
    private readonly findings: SensitiveFindings | undefined,
  ) {
    this.json = new JsonLine(text);
  }

  /** Reads a value without counting its tokens. `searched` is false for values that are not text, such as signatures. */
  protected uncounted(value: unknown, searched = true): void {
    const { scan, searching } = this;
    const counted = scan.tokens;
    scan.tokens = this.uncountedTokens;
    this.searching = searching && searched;
    this.value(value, false);
    this.searching = searching;
    scan.tokens = counted;
  }

  /** Reads and hashes any value. With `keys`, names of fields count as text, as in schemas. */
  protected value(value: unknown, keys: boolean): void {
    if (typeof value === 'string') {
      this.text(value, false);
    } else if (typeof value !== 'object' || value === null) {
      const words = String(value);
      for (let at = 0; at < words.length; at++) {
        this.fold(words.charCodeAt(at));
      }
      this.count(tokenKind.digits, 0.65 + 0.35 * words.length);
    } else {
      const isArray = Array.isArray(value);
      this.fold(isArray ? OPEN_BRACKET : OPEN_BRACE);
      this.count(tokenKind.punctuation, keys ? 1 : 0);
      if (isArray) {
        this.eachItem(value, item => this.value(item, keys));
      } else {
        this.eachMember(value as JsonObject, (key, inner) => this.member(key, inner, keys));
      }
      this.fold(CLOSE_BRACE);
    }
  }

  private member(key: string, value: unknown, keys: boolean): void {
    if (keys) {
      this.count(tokenKind.punctuation, 2);
      this.text(key, true);
    } else {
      this.foldKey(key);
    }
    if (key === 'authorization_token' && typeof value === 'string') {
      this.secret(value);
    } else {
      this.value(value, keys);
    }
  }

  /** Reads a secret: the text itself, or its `token` field. */
  protected secret(value: unknown): void {
    if (isRecord(value)) {
      this.eachMember(value, (key, inner) => (key === 'token' ? this.secret(inner) : this.uncounted(inner)));
      return;
    }
    this.uncounted(value, false);
    if (typeof value === 'string' && value !== '') {
      this.findings?.secret(this, value);
    }
  }

  /** Reads a text or the key of a field: hashes it, counts its tokens and searches it. */
  private text(text: string, isKey: boolean): void {
    const { scan } = this;
    scan.scan(text);
    this.fold(scan.hashA);
    this.fold(scan.hashB);
    if (scan.triggers !== 0 && this.searching) {
      this.findings?.text(this, text, isKey, scan.triggers);
    }
  }

  protected count(kind: number, tokens: number): void {
    const { tokens: counts } = this.scan;
    counts[kind] = (counts[kind] as number) + tokens;
  }

  protected eachItem(items: readonly unknown[], read: (item: unknown, index: number) => void): void {
    this.each(items.entries(), (index, item) => read(item, index));
  }

  protected eachMember(object: JsonObject, read: (key: string, value: unknown) => void): void {
    this.each(Object.entries(object), read);
  }

  private each<Step extends string | number>(members: Iterable<[Step, unknown]>, read: (step: Step, value: unknown) => void): void {
    if (this.path.length >= maxDepth) {
      throw new TooDeep();
    }
    for (const [step, value] of members) {
      this.path.push(step);
      read(step, value);
      this.path.pop();
    }
  }

  protected startMember(key: string): void {
    this.a = seedA;
    this.b = seedB;
    this.foldKey(key);
  }

  /** Hashes the name of a field without counting its tokens. */
  protected foldKey(key: string): void {
    this.hash(key);
    this.fold(this.scan.hashA);
    this.fold(this.scan.hashB);
  }

  /** Scans a text only for its hash. */
  protected hash(text: string): void {
    const { scan } = this;
    const counted = scan.tokens;
    scan.tokens = this.uncountedTokens;
    scan.scan(text);
    scan.tokens = counted;
  }

  protected fold(word: number): void {
    const a = Math.imul(this.a ^ word, 0x9e3779b1 | 0);
    this.a = a ^ (a >>> 15);
    const b = Math.imul(this.b + word, 0x85ebca6b | 0);
    this.b = b ^ (b >>> 13);
  }
}
