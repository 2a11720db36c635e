import { maxDepth, numberPattern } from '../scanning/jsonText';
import type { FixKind } from './fixKinds';
import type { TextEdit } from './textEdit';

interface RepairEdit extends TextEdit {
  readonly kind: FixKind;
}

/**
 * Returns the edits that turn a line into JSON, in order. Accepts JSON as written by people, Python and JavaScript. Returns `undefined` for
 * a line that can't be repaired sensibly, and an empty list for valid JSON.
 */
export function repairJson(text: string): readonly RepairEdit[] | undefined {
  try {
    return new Repair(text).run();
  } catch (error) {
    if (error instanceof NoAnswer) {
      return undefined;
    }
    throw error;
  }
}

class NoAnswer extends Error {}

const quotes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['\u201c', '\u201d'],
  ['\u201d', '\u201d'],
]);
const wordPattern = /[A-Za-z_$][\w$]*|[+-]?(?:Infinity|NaN)|[+.\d-][\w.+-]*/y;
const nearNumber = /^[+]?(-?)(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/;
const smallWords: ReadonlySet<string> = new Set(['true', 'false', 'null']);

class Repair {
  private at = 0;
  private depth = 0;
  private readonly edits: RepairEdit[] = [];

  constructor(private readonly text: string) {}

  run(): readonly RepairEdit[] {
    this.space();
    if (this.at >= this.text.length) {
      throw new NoAnswer();
    }
    this.value();
    while (this.rest()) {
      this.value();
    }
    return this.edits;
  }

  /** Reads the separator after a top-level value and returns whether another value follows. */
  private rest(): boolean {
    const end = this.at;
    this.space();
    if (this.text[this.at] === ',') {
      const comma = this.at++;
      this.space();
      if (this.at >= this.text.length) {
        this.edit('json-commas', comma, comma + 1, '');
        return false;
      }
    }
    if (this.at >= this.text.length) {
      return false;
    }
    if (/^[\]}\s]+$/.test(this.text.slice(this.at))) {
      this.edit('json-brackets', this.at, this.text.length, '');
      this.at = this.text.length;
      return false;
    }
    if (this.text[this.at] !== '{' || this.text[end - 1] !== '}') {
      throw new NoAnswer();
    }
    this.edit('split-line', end, this.at, '\n');
    return true;
  }

  private value(): void {
    const char = this.text[this.at] ?? '';
    if (char === '{' || char === '[') {
      this.container(char === '{');
    } else if (quotes.has(char)) {
      this.string();
    } else {
      this.word();
    }
  }

  private container(isObject: boolean): void {
    const close = isObject ? '}' : ']';
    this.at++;
    if (++this.depth > maxDepth) {
      throw new NoAnswer();
    }
    this.space();
    while (this.text[this.at] !== close) {
      if (this.at >= this.text.length) {
        this.close(close);
        return;
      }
      if (isObject) {
        this.key();
        this.space();
        if (this.text[this.at] !== ':') {
          throw new NoAnswer();
        }
        this.at++;
        this.space();
      }
      this.value();
      this.separator(close);
    }
    this.at++;
    this.depth--;
  }

  /** Reads the separator between two values of a container, or before its end. */
  private separator(close: string): void {
    const end = this.at;
    this.space();
    const char = this.text[this.at];
    if (char === close) {
      return;
    }
    if (char === ',') {
      const comma = this.at++;
      this.space();
      if (this.text[this.at] === close || this.at >= this.text.length) {
        this.edit('json-commas', comma, comma + 1, '');
      }
    } else if (this.at >= this.text.length) {
      return;
    } else if (char === '{' || char === '[' || quotes.has(char ?? '')) {
      this.edit('json-missing-commas', end, end, ',');
    } else {
      throw new NoAnswer();
    }
  }

  /** Adds a missing bracket at the end of the line, before trailing white space. Inner brackets are added first. */
  private close(bracket: string): void {
    const last = this.edits.at(-1);
    if (last?.kind === 'json-end') {
      this.edits[this.edits.length - 1] = { ...last, text: last.text + bracket };
    } else {
      const at = this.text.trimEnd().length;
      this.edit('json-end', at, at, bracket);
    }
    this.depth--;
  }

  private key(): void {
    if (quotes.has(this.text[this.at] ?? '')) {
      this.string();
      return;
    }
    wordPattern.lastIndex = this.at;
    const word = wordPattern.exec(this.text)?.[0];
    if (word === undefined || !/^[A-Za-z_$]/.test(word)) {
      throw new NoAnswer();
    }
    this.edit('json-quotes', this.at, this.at + word.length, `"${word}"`);
    this.at += word.length;
  }

  private string(): void {
    const start = this.at;
    const open = this.text[start] ?? '';
    const close = quotes.get(open) ?? '"';
    if (open !== '"') {
      this.edit('json-quotes', start, start + 1, '"');
    }
    this.at++;
    while (this.text[this.at] !== close) {
      const char = this.text[this.at];
      if (char === undefined) {
        // The rest of a truncated string can't be restored.
        throw new NoAnswer();
      }
      if (char === '\\') {
        this.escape(open);
      } else if (char === '"') {
        this.edit('json-quotes', this.at, this.at + 1, '\\"');
        this.at++;
      } else if (char < ' ') {
        this.edit('json-characters', this.at, this.at + 1, JSON.stringify(char).slice(1, -1));
        this.at++;
      } else {
        this.at++;
      }
    }
    if (close !== '"') {
      this.edit('json-quotes', this.at, this.at + 1, '"');
    }
    this.at++;
  }

  private escape(open: string): void {
    const next = this.text[this.at + 1] ?? '';
    if (next === "'") {
      this.edit(open === "'" ? 'json-quotes' : 'json-characters', this.at, this.at + 1, '');
    } else if (!/^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(this.text.slice(this.at + 1, this.at + 6))) {
      this.edit('json-escapes', this.at, this.at + 1, '\\\\');
      this.at++;
      return;
    }
    this.at += 2;
  }

  private word(): void {
    wordPattern.lastIndex = this.at;
    const word = wordPattern.exec(this.text)?.[0];
    if (word === undefined) {
      throw new NoAnswer();
    }
    const start = this.at;
    this.at += word.length;
    numberPattern.lastIndex = start;
    if (smallWords.has(word) || numberPattern.exec(this.text)?.[0] === word) {
      return;
    }
    const small = word === 'None' ? 'null' : word.toLowerCase();
    if (word === 'None' || (smallWords.has(small) && /^[TFN]/.test(word))) {
      this.edit('json-words', start, this.at, small);
    } else if (/^(?:[+-]?(?:NaN|Infinity)|undefined)$/.test(word)) {
      this.edit('json-null', start, this.at, 'null');
    } else {
      this.edit('json-numbers', start, this.at, toNumber(word));
    }
  }

  /** Skips white space, byte order marks and comments. */
  private space(): void {
    for (;;) {
      const char = this.text[this.at];
      if (char === ' ' || char === '\t' || char === '\r') {
        this.at++;
      } else if (char === '\ufeff' || char === '\u00a0') {
        this.edit('json-space', this.at, this.at + 1, char === '\ufeff' ? '' : ' ');
        this.at++;
      } else if (char === '/') {
        this.comment();
      } else {
        return;
      }
    }
  }

  private comment(): void {
    const isBlock = this.text[this.at + 1] === '*';
    if (!isBlock && this.text[this.at + 1] !== '/') {
      throw new NoAnswer();
    }
    const end = isBlock ? this.text.indexOf('*/', this.at + 2) + 2 : this.text.length;
    if (end < this.at + 2) {
      throw new NoAnswer();
    }
    // Removes the white space before a comment at the end of the line too.
    const isLast = end >= this.text.length;
    this.edit('json-comments', isLast ? this.text.slice(0, this.at).trimEnd().length : this.at, end, '');
    this.at = end;
  }

  private edit(kind: FixKind, start: number, end: number, text: string): void {
    this.edits.push({ kind, start, end, text });
  }
}

function toNumber(word: string): string {
  const [, minus = '', whole = '', fraction = '', exponent = ''] = nearNumber.exec(word) ?? [];
  // A number with leading zeros may be octal or an id.
  if ((whole === '' && fraction === '') || /^0\d/.test(whole)) {
    throw new NoAnswer();
  }
  return `${minus}${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}${exponent}`;
}
