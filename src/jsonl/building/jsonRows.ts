import { JsonReader, TextWindow } from '../reading/jsonReader';
import { stopReading, type TextSource } from '../reading/textFile';
import { decodeText, membersOf, skipSpace } from '../scanning/jsonMembers';
import { parseJsonLine } from '../scanning/jsonText';
import type { Row, RowProblem } from './rowsReport';

type OnProblem = (problem: RowProblem) => void;

/** Yields the rows of a JSONL text: one object per line, without empty lines. Invalid lines are reported and left out. */
export function* readJsonLines(source: TextSource, onProblem: OnProblem): Generator<Row, void> {
  const text = new TextWindow(source);
  let number = 0;
  while (!text.isLast || text.at < text.text.length) {
    let end = text.text.indexOf('\n', text.at);
    if (end === -1 && !text.isLast) {
      text.fill('Line too long');
      continue;
    }
    end = end === -1 ? text.text.length : end;
    const { line } = text;
    const json = text.text.slice(text.at, end);
    text.moveTo(Math.min(end + 1, text.text.length));
    if (skipSpace(json, 0) < json.length) {
      yield* toRow(json, ++number, line, onProblem);
    }
  }
}

/**
 * Yields the rows of a JSON text: an array of objects, or an object with exactly one member that is such an array. Items that are not
 * objects are reported and left out. Throws a `TextError` for anything else. Holds only one row in memory at a time.
 */
export function* readJson(source: TextSource, onProblem: OnProblem): Generator<Row, void> {
  const text = new JsonReader(source);
  const first = text.peek();
  if (first === '[') {
    yield* readItems(text, onProblem);
  } else if (first === '{') {
    yield* readMembers(text, onProblem);
  } else {
    stopReading(text.line, 'Expected an array of objects.');
  }
  if (text.peek() !== '') {
    stopReading(text.line, 'For one row per line, use the extension .jsonl.');
  }
}

function* readMembers(text: JsonReader, onProblem: OnProblem): Generator<Row, void> {
  let list: string | undefined;
  for (let next = startOf(text); next !== '}'; next = afterPart(text, '}', 'Expected a comma or }.')) {
    if (next !== '"') {
      stopReading(text.line, 'Expected a field name in double quotes.');
    }
    const name = decodeText(demandJson(text.line, text.value()));
    if (text.peek() !== ':') {
      stopReading(text.line, 'Expected a colon.');
    }
    text.take();
    if (text.peek() !== '[' || !opensObjects(text)) {
      demandJson(text.line, text.value());
      continue;
    }
    if (list !== undefined) {
      stopReading(text.line, 'There are two lists, {0} and {1}. Keep one.', list, name);
    }
    list = name;
    yield* readItems(text, onProblem);
  }
  text.take();
  if (list === undefined) {
    stopReading(0, 'Expected an array of objects.');
  }
}

function* readItems(text: JsonReader, onProblem: OnProblem): Generator<Row, void> {
  let number = 0;
  for (let next = startOf(text); next !== ']'; next = afterPart(text, ']', 'Expected a comma or ].')) {
    const { line } = text;
    yield* toRow(text.value(), ++number, line, onProblem);
  }
  text.take();
}

/** Skips an opening bracket or a comma. Returns the next character. */
function startOf(text: JsonReader): string {
  text.take();
  return text.peek();
}

/** Skips the comma after a member or item, if there is one. Returns the next character. */
function afterPart(text: JsonReader, close: string, problem: string): string {
  const next = text.peek();
  if (next === ',') {
    return startOf(text);
  }
  return next === close ? next : stopReading(text.line, problem);
}

/** Returns whether the array at the current position starts with an object. */
function opensObjects(text: JsonReader): boolean {
  for (;;) {
    const inner = skipSpace(text.text, text.at + 1);
    if (inner < text.text.length || !text.fill('Not closed.')) {
      return text.text[inner] === '{';
    }
  }
}

/** Yields the row of a JSON text. Yields nothing if the text is not an object, and reports that. */
function* toRow(json: string, number: number, line: number, onProblem: OnProblem): Generator<Row, void> {
  const text = json[skipSpace(json, 0)] === '{' ? problemOf(json) : { template: 'Expected a JSON object.', args: [] };
  if (text === undefined) {
    yield { number, line, values: membersOf(json) };
  } else {
    onProblem({ severity: 'error', row: number, line, text });
  }
}

function demandJson(line: number, json: string): string {
  return problemOf(json) === undefined ? json : stopReading(line, 'Invalid JSON.');
}

function problemOf(json: string): RowProblem['text'] | undefined {
  try {
    JSON.parse(json);
    return undefined;
  } catch {
    // The message of the exception is not used, because it quotes the text.
    return parseJsonLine(json).problems.at(-1)?.text ?? { template: 'Not valid JSON', args: [] };
  }
}
