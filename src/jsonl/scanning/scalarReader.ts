import { isExactNumber } from '../../shared/exactNumber';
import { Code } from './code';
import { skipSpace } from './jsonMembers';
import type { JsonProblem, JsonRule } from './jsonProblem';

/** Thrown to stop at the first syntax error, after it was reported. */
export class SyntaxStop extends Error {}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const wordPattern = /[A-Za-z_$][\w$.+-]*|[+.\d-][\w.+-]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these in a text.
const endOfPlain = /["\\\u0000-\u001f]/g;

/** Reads JSON strings, numbers and words of one line, and reports those that are invalid. */
export class ScalarReader {
  protected at = 0;
  protected readonly path: (string | number)[] = [];
  protected readonly problems: JsonProblem[] = [];

  constructor(protected readonly text: string) {}

  protected string(): string {
    const start = this.at++;
    let isPlain = true;
    for (;;) {
      endOfPlain.lastIndex = this.at;
      this.at = endOfPlain.test(this.text) ? endOfPlain.lastIndex - 1 : this.text.length;
      const code = this.text.charCodeAt(this.at);
      if (code === Code.quote) {
        break;
      }
      if (this.at >= this.text.length) {
        this.stop('Unclosed string.', start, this.text.length);
      }
      if (code !== Code.backslash) {
        this.stopHere('Write control characters as escapes, such as \\n.');
      }
      isPlain = false;
      this.escape();
    }
    this.at++;
    const json = this.text.slice(start, this.at);
    const result = isPlain ? json.slice(1, -1) : (JSON.parse(json) as string);
    if (!result.isWellFormed()) {
      this.tell('lone-surrogate', 'Incomplete surrogate pair.', start, this.at);
    }
    return result;
  }

  /** Skips an escape. */
  private escape(): void {
    const start = this.at;
    const letter = this.text.charAt(start + 1);
    if (letter === 'u') {
      if (!/^[0-9a-fA-F]{4}$/.test(this.text.slice(start + 2, start + 6))) {
        this.stop('Expected four hexadecimal digits after \\u.', start, Math.min(start + 6, this.text.length));
      }
      this.at += 6;
    } else if (letter !== '' && '"\\/bfnrt'.includes(letter)) {
      this.at += 2;
    } else {
      this.stop('Unknown escape. Write a backslash as two.', start, Math.min(start + 2, this.text.length));
    }
  }

  protected word(): unknown {
    const start = this.at;
    numberPattern.lastIndex = start;
    wordPattern.lastIndex = start;
    const word = wordPattern.exec(this.text)?.[0];
    if (word === undefined) {
      return this.stopAtValue();
    }
    this.at += word.length;
    switch (word) {
      case 'true':
        return true;
      case 'false':
        return false;
      case 'null':
        return null;
      default:
        if (numberPattern.exec(this.text)?.[0] === word) {
          if (!isExactNumber(word)) {
            this.tellChange(start, Number(word));
          }
          return Number(word);
        }
        return this.stop(wordText(word), start, this.at);
    }
  }

  private tellChange(start: number, value: number): void {
    if (Number.isFinite(value)) {
      const template = 'Many JSON readers change this number to {0}.';
      this.tell('number-precision', template, start, this.at, String(value));
    } else {
      const template = 'This number is too large for most JSON readers.';
      this.problems.push({
        rule: 'number-precision',
        severity: 'warning',
        text: { template, args: [] },
        start,
        end: this.at,
        path: [...this.path],
      });
    }
  }

  protected skipSpace(): void {
    this.at = skipSpace(this.text, this.at);
  }

  protected tell(rule: JsonRule, template: string, start: number, end: number, ...args: readonly (string | number)[]): void {
    this.problems.push({ rule, text: { template, args }, start, end, path: [...this.path] });
  }

  protected stop(template: string, start: number, end: number): never {
    this.tell('json-syntax', template, start, end);
    throw new SyntaxStop();
  }

  protected stopHere(template: string): never {
    return this.stop(template, this.at, Math.min(this.at + 1, this.text.length));
  }

  private stopAtValue(): never {
    if (this.at >= this.text.length) {
      return this.stop('Expected a value.', Math.max(this.at - 1, 0), this.at);
    }
    switch (this.text[this.at]) {
      case "'":
      case '\u201c':
      case '\u201d':
        return this.stopHere('Use double quotes.');
      case '/':
        return this.stopHere("JSON doesn't allow comments.");
      case '\ufeff':
        return this.stopHere('Unexpected byte order mark.');
      default:
        return this.stopHere('Expected a value.');
    }
  }
}

function wordText(word: string): string {
  if (/^(?:NaN|[+-]?Infinity|undefined|None)$/.test(word)) {
    return 'Not a JSON value. Use null, or remove the field.';
  }
  if (/^(?:True|TRUE|False|FALSE|Null|NULL)$/.test(word)) {
    return 'Use lower case for true, false and null.';
  }
  return /^[+.\d-]/.test(word) ? 'Not a JSON number.' : 'Put strings in double quotes.';
}
