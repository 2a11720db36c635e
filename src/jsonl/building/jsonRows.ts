import { countLineEnds } from '../../shared/text';
import { decodeText, endOfString, endOfValue, skipSpace } from '../scanning/jsonMembers';
import { parseJsonLine } from '../scanning/jsonText';
import { JsonRow, type Row } from './row';
import { type RowProblem, stopReading } from './rowsReport';
import { maxRowLength, pieceLength, type TextSource } from './textSource';

type OnProblem = (problem: RowProblem) => void;

/** Yields the rows of a JSONL text: one object per line, without empty lines. Invalid lines are reported and left out. */
export function* readJsonLines(source: TextSource, onProblem: OnProblem): Generator<Row, void> {
  let text = '';
  let at = 0;
  let line = 0;
  let number = 0;
  let isLast = false;
  while (!isLast || at < text.length) {
    let end = text.indexOf('\n', at);
    if (end === -1 && !isLast) {
      const rest = text.length - at;
      if (rest > maxRowLength) {
        stopReading(line, 'Line too long');
      }
      const more = source.read(Math.max(pieceLength, rest));
      isLast = more === '';
      text = text.slice(at) + more;
      at = 0;
      continue;
    }
    end = end === -1 ? text.length : end;
    const json = text.slice(at, end);
    if (skipSpace(json, 0) < json.length) {
      number++;
      if (isRow(json, number, line, onProblem)) {
        yield new JsonRow(number, line, json);
      }
    }
    at = end + 1;
    line++;
  }
}

/**
 * Yields the rows of a JSON text: an array of objects, or an object with exactly one member that is such an array. Items that are not
 * objects are reported and left out. Throws a `RowsError` for anything else. Holds only one row in memory at a time.
 */
export function* readJson(source: TextSource, onProblem: OnProblem): Generator<Row, void> {
  const text = new JsonText(source);
  const first = text.peek();
  if (first === '[') {
    yield* readItems(text, onProblem);
  } else if (first === '{') {
    yield* readMembers(text, onProblem);
  } else {
    stopReading(text.line, 'Expected an array of objects.');
  }
  if (text.peek() !== '') {
    stopReading(text.line, 'Use the ending .jsonl for one row per line.');
  }
}

function* readMembers(text: JsonText, onProblem: OnProblem): Generator<Row, void> {
  let list: string | undefined;
  text.take();
  let next = text.peek();
  while (next !== '}') {
    if (next !== '"') {
      stopReading(text.line, 'Expected a field name in double quotes.');
    }
    const name = text.string();
    text.expect(':');
    if (text.peek() === '[' && text.opensObjects()) {
      if (list !== undefined) {
        stopReading(text.line, 'Two lists, {0} and {1}: keep one.', list, name);
      }
      list = name;
      yield* readItems(text, onProblem);
    } else {
      const { line } = text;
      const value = text.value();
      if (problemOf(value) !== undefined) {
        stopReading(line, 'Invalid JSON.');
      }
    }
    next = text.peek();
    if (next === ',') {
      text.take();
      next = text.peek();
    } else if (next !== '}') {
      stopReading(text.line, 'Expected a comma or }.');
    }
  }
  text.take();
  if (list === undefined) {
    stopReading(0, 'Expected an array of objects.');
  }
}

function* readItems(text: JsonText, onProblem: OnProblem): Generator<Row, void> {
  let number = 0;
  text.take();
  let next = text.peek();
  while (next !== ']') {
    const { line } = text;
    const json = text.value();
    number++;
    if (isRow(json, number, line, onProblem)) {
      yield new JsonRow(number, line, json);
    }
    next = text.peek();
    if (next === ',') {
      text.take();
      next = text.peek();
    } else if (next !== ']') {
      stopReading(text.line, 'Expected a comma or ].');
    }
  }
  text.take();
}

function isRow(json: string, row: number, line: number, onProblem: OnProblem): boolean {
  const text = json[skipSpace(json, 0)] === '{' ? problemOf(json) : { template: 'Expected a JSON object.', args: [] };
  if (text !== undefined) {
    onProblem({ severity: 'error', row, line, text });
  }
  return text === undefined;
}

function problemOf(json: string): RowProblem['text'] | undefined {
  try {
    JSON.parse(json);
    return undefined;
  } catch {
    // Not the message of the exception, because that quotes the text.
    return parseJsonLine(json).problems.at(-1)?.text ?? { template: 'Not valid JSON', args: [] };
  }
}

class JsonText {
  private text = '';
  private at = 0;
  private isLast = false;
  line = 0;

  constructor(private readonly source: TextSource) {}

  /** Returns the next character that is not white space, or '' at the end. */
  peek(): string {
    for (;;) {
      this.moveTo(skipSpace(this.text, this.at));
      if (this.at < this.text.length || !this.fill()) {
        return this.text[this.at] ?? '';
      }
    }
  }

  take(): void {
    this.at++;
  }

  expect(character: string): void {
    if (this.peek() !== character) {
      stopReading(this.line, 'Expected a colon.');
    }
    this.take();
  }

  /** Reads the text of the value that starts at the character from `peek`. */
  value(): string {
    return this.part(endOfValue);
  }

  /** Reads the string that starts at the character from `peek`, decoded. */
  string(): string {
    const { line } = this;
    const json = this.part(endOfString);
    return problemOf(json) === undefined ? decodeText(json) : stopReading(line, 'Invalid JSON.');
  }

  /** Returns whether the first item of the array that starts at the character from `peek` is an object. */
  opensObjects(): boolean {
    for (;;) {
      const inner = skipSpace(this.text, this.at + 1);
      if (inner < this.text.length || !this.fill()) {
        return this.text[inner] === '{';
      }
    }
  }

  private part(findEnd: (text: string, at: number) => number): string {
    for (;;) {
      let end = findEnd(this.text, this.at);
      if (end === -1) {
        if (this.text.length - this.at > maxRowLength) {
          stopReading(this.line, 'Not closed.');
        }
        if (this.fill()) {
          continue;
        }
        if (this.at >= this.text.length || /^["{[]/.test(this.text.slice(this.at, this.at + 1))) {
          stopReading(this.line, 'Not closed.');
        }
        end = this.text.length;
      }
      if (end === this.at) {
        stopReading(this.line, 'Expected a value.');
      }
      const part = this.text.slice(this.at, end);
      this.moveTo(end);
      return part;
    }
  }

  private moveTo(offset: number): void {
    this.line += countLineEnds(this.text, this.at, offset);
    this.at = offset;
  }

  /** Reads the next piece. Doubles the text, so that a long row is not scanned from its start for each piece. */
  private fill(): boolean {
    if (this.isLast) {
      return false;
    }
    const rest = this.text.length - this.at;
    const more = this.source.read(Math.max(pieceLength, rest));
    this.isLast = more === '';
    this.text = this.text.slice(this.at) + more;
    this.at = 0;
    return !this.isLast;
  }
}
