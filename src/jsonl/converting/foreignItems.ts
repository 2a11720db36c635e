import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { ProblemText } from '../../contract/problem';
import { forEachWholeLine, maxRequestLineBytes, type PassContext, toOnRead } from '../files/lineFile';
import { JsonReader } from '../reading/jsonReader';
import { TextError, TextFile } from '../reading/textFile';
import { isJson, isSpace } from '../scanning/jsonMembers';
import { byteOrderMarkLength } from '../scanning/lineText';

export interface ItemPosition {
  /** Line number, 0-based. */
  readonly line: number;
  /** UTF-16 column. 0 for an item that is a whole line. */
  readonly column: number;
  /** Number of the item, 0-based. */
  readonly number: number;
}

/** Layout of the items in a file: one per line, multi-line values, or elements of an array. */
export type ItemLayout = 'lines' | 'values' | 'elements';

/** Item without surrounding white space. */
export interface ForeignItem extends ItemPosition {
  /** Valid until the visitor returns. Empty if the item could not be read. */
  readonly bytes: Buffer;
  readonly problem?: ProblemText;
}

const headBytes = 1 << 20;
/** Maximum number of lines to read for detecting the layout. */
const maxLayoutLines = 20;

/** Detects the layout of the items in a file from its start. */
export function layoutOf(path: string): ItemLayout {
  const head = readHead(path);
  const text = head.toString('utf8', byteOrderMarkLength(head)).trimStart();
  if (text.startsWith('[') || /^\{\s*"requests"\s*:\s*\[/.test(text)) {
    return 'elements';
  }
  const lines = text.split('\n', maxLayoutLines);
  const first = tryParse(lines[0] ?? '');
  if (typeof first === 'object' && first !== null && Array.isArray((first as { requests?: unknown }).requests)) {
    return 'elements';
  }
  if (first === undefined && lines.length === 1) {
    return wrapper.test(text) ? 'elements' : 'lines';
  }
  if (first !== undefined || !text.startsWith('{')) {
    return 'lines';
  }
  // If a later line is a complete object, the file has one item per line and only its first item is damaged.
  if (lines.slice(1).some(line => line.startsWith('{') && tryParse(line) !== undefined)) {
    return 'lines';
  }
  const isOpen = /^\{\s*(?:"[^"]*"\s*:(?:\s*[[{]|.*,))?$/.test((lines[0] ?? '').trimEnd());
  return !isOpen ? 'lines' : wrapper.test(text) ? 'elements' : 'values';
}

const wrapper = /^\{[^{}[\]]*"requests"\s*:\s*\[/;

function tryParse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function readHead(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(headBytes);
    return head.subarray(0, readSync(file, head, 0, headBytes, 0));
  } finally {
    closeSync(file);
  }
}

/**
 * Visits the items of a file in order. Holds one item of at most 64 MiB in memory. Invalid JSON is visited too, as an item that ends before
 * the next possible start of an item. Blocks the thread, so only for workers.
 */
export function forEachItem(path: string, layout: ItemLayout, visit: (item: ForeignItem) => void, context: PassContext): void {
  if (layout === 'lines') {
    forEachLineItem(path, visit, context);
  } else {
    forEachValue(path, layout, visit, context);
  }
}

function forEachLineItem(path: string, visit: (item: ForeignItem) => void, context: PassContext): void {
  const problem = { template: 'This line is longer than {0} bytes.', args: [maxRequestLineBytes] };
  let number = 0;
  const visitLine = (whole: Buffer | undefined, line: number) => {
    const bytes = whole === undefined ? Buffer.alloc(0) : trimmed(whole);
    if (whole === undefined) {
      visit({ bytes, line, column: 0, number: number++, problem });
    } else if (bytes.length > 0) {
      visit({ bytes, line, column: 0, number: number++ });
    }
  };
  forEachWholeLine(path, visitLine, toOnRead(context, statSync(path).size), maxRequestLineBytes);
}

function trimmed(bytes: Buffer): Buffer {
  let start = 0;
  let end = bytes.length;
  while (start < end && isSpace(bytes[start])) {
    start++;
  }
  while (end > start && isSpace(bytes[end - 1])) {
    end--;
  }
  return bytes.subarray(start, end);
}

function forEachValue(path: string, layout: 'values' | 'elements', visit: (item: ForeignItem) => void, context: PassContext): void {
  const file = new TextFile(path, context);
  let number = 0;
  try {
    const text = new JsonReader(file);
    if (layout === 'values' || findElements(text)) {
      const close = layout === 'values' ? '' : ']';
      for (let next = text.peek(); next !== close && next !== ''; next = text.peek()) {
        if (next === ',') {
          text.take();
        } else {
          const { line, column } = text;
          visit({ bytes: Buffer.from(takeItem(text)), line, column, number: number++ });
        }
      }
    }
  } catch (error) {
    if (!(error instanceof TextError)) {
      throw error;
    }
    const { line, text } = error.problem;
    visit({ bytes: Buffer.alloc(0), line, column: 0, number, problem: text });
  } finally {
    file.close();
  }
}

/** Moves into the array of items, which is the whole file or the member `requests` of an object. Returns `false` if there is none. */
function findElements(text: JsonReader): boolean {
  let key = text.peek() === '[' ? requestsKey : '';
  for (let next = text.peek(); next !== ''; next = text.peek()) {
    if (next === '[' && key === requestsKey) {
      text.take();
      return true;
    }
    if ('{:,}'.includes(next) && (next !== '{' || key === '')) {
      text.take();
    } else {
      key = text.value();
    }
  }
  return false;
}

const requestsKey = '"requests"';

/** Reads an item. If its brackets or quotes don't match, the item ends before the next line that starts like an item. */
function takeItem(text: JsonReader): string {
  const end = text.endOfValue();
  let item = text.text.slice(text.at, end === -1 ? text.text.length : Math.max(end, text.at + 1));
  if (item.includes('\n') && !isJson(item)) {
    item = item.slice(0, nextItem(item, text.column));
  }
  text.moveTo(text.at + item.length);
  return item.trimEnd();
}

/** Returns the offset of the line break before the next line that starts with a brace in this column, if any. */
function nextItem(text: string, column: number): number | undefined {
  for (let feed = text.indexOf('\n'); feed !== -1; feed = text.indexOf('\n', feed + 1)) {
    const start = feed + 1 + column;
    if (text[start] === '{' && text.slice(feed, start).trim() === '') {
      return feed;
    }
  }
  return undefined;
}
