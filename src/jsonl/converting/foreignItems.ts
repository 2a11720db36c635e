import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { forEachLine, growBuffer, type PassContext, toOnRead } from '../files/lineFile';
import { LF } from '../scanning/jsonBytes';
import { isSpace } from '../scanning/jsonMembers';
import { byteOrderMarkLength } from '../scanning/lineText';
import type { ItemLayout, ItemPosition } from './convertingJobs';
import { ValueCutter } from './valueCutter';

/** Item as a span of bytes, without surrounding white space. Valid until the visitor returns. */
export interface ForeignItem extends ItemPosition {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** True if the item is longer than any request. Its bytes are then missing. */
  readonly isTooLong: boolean;
}

const headBytes = 1 << 20;
const chunkBytes = 1 << 20;
/** Maximum length of an item in bytes, as for requests in a check. */
export const maxItemBytes = 64 << 20;
/** Maximum number of lines to read for detecting the layout. */
const maxLayoutLines = 20;

/** Detects the layout of the items in a file by its start. */
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
  // If another line is a complete object, each line is an item, and only the first is damaged.
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
 * Visits the items of a file in order, with memory for one item of at most 64 MiB. Also visits invalid JSON, up to the next possible start
 * of an item. Blocks the thread, so only for workers.
 */
export function forEachItem(path: string, layout: ItemLayout, visit: (item: ForeignItem) => void, context: PassContext): void {
  const onRead = toOnRead(context, statSync(path).size);
  if (layout === 'lines') {
    forEachLineItem(path, visit, onRead);
  } else {
    forEachValue(path, new ValueCutter(layout, maxItemBytes), visit, onRead);
  }
}

function forEachLineItem(path: string, visit: (item: ForeignItem) => void, onRead: (doneBytes: number) => void): void {
  let bytes: Buffer = Buffer.alloc(0);
  let number = 0;
  forEachLine(
    path,
    {
      buffer: (size, before) => {
        bytes = growBuffer(size, before);
        return bytes;
      },
      visit: (from, line) => {
        const lineEnd = bytes.indexOf(LF, from);
        const [start, end] = trimmed(bytes, from, lineEnd);
        if (start < end) {
          visit({ bytes, start, end, line, column: 0, number: number++, isTooLong: false });
        }
        return lineEnd;
      },
      reject: (_, line) => visit({ bytes, start: 0, end: 0, line, column: 0, number: number++, isTooLong: true }),
    },
    onRead,
    maxItemBytes,
  );
}

function trimmed(bytes: Buffer, start: number, end: number): readonly [start: number, end: number] {
  while (start < end && isSpace(bytes[start])) {
    start++;
  }
  while (end > start && isSpace(bytes[end - 1])) {
    end--;
  }
  return [start, end];
}

function forEachValue(path: string, cutter: ValueCutter, visit: (item: ForeignItem) => void, onRead: (doneBytes: number) => void): void {
  const file = openSync(path, 'r');
  try {
    let buffer: Buffer = Buffer.allocUnsafeSlow(chunkBytes);
    let filled = 0;
    let number = 0;
    const columns = new ColumnCount();
    const emit = (from: number, to: number, line: number, isTooLong: boolean) => {
      const [start, end] = trimmed(buffer, from, to);
      visit({ bytes: buffer, start, end, line, column: columns.at(buffer, start), number: number++, isTooLong });
    };
    for (let total = 0; ; ) {
      const read = readSync(file, buffer, filled, buffer.length - filled, null);
      const from = total === 0 ? byteOrderMarkLength(buffer.subarray(0, read)) : 0;
      columns.skip(from);
      total += read;
      filled += read;
      onRead(total);
      const rest = cutter.cut(buffer, from, filled, read === 0, emit);
      if (read === 0) {
        return;
      }
      columns.drop(buffer, rest);
      buffer.copyWithin(0, rest, filled);
      filled -= rest;
      if (filled === buffer.length) {
        buffer = growBuffer(buffer.length * 2, buffer);
      }
    }
  } finally {
    closeSync(file);
  }
}

/** Counts UTF-16 columns in a text whose start is dropped while reading. */
class ColumnCount {
  private position = 0;
  private column = 0;

  /** Skips the bytes of a byte order mark, which counts as no column. */
  skip(bytes: number): void {
    this.position += bytes;
  }

  /** Returns the column of the byte at `position`. Returns the last column for an earlier position. */
  at(bytes: Buffer, position: number): number {
    const lineFeed = position > this.position ? bytes.subarray(this.position, position).lastIndexOf(LF) : -1;
    if (lineFeed >= 0) {
      this.position += lineFeed + 1;
      this.column = 0;
    }
    for (; this.position < position; this.position++) {
      const byte = bytes[this.position] as number;
      // Continuation bytes add nothing. A 4-byte character is a surrogate pair, so it adds two.
      this.column += (byte & 0xc0) === 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
    }
    return this.column;
  }

  /** Adjusts the position when the bytes before `start` are dropped. */
  drop(bytes: Buffer, start: number): void {
    this.at(bytes, start);
    this.position -= start;
  }
}
