// AssemblyScript, compiled to WebAssembly with SIMD during the build. Scans lines of a results file in memory and locates the parts of
// each. Leaves unknown lines to ../results/resultLineScanner.ts, which gives the same result for known lines. Lines are unknown if they
// have escapes in keys, ids or reasons, duplicate keys, or numbers that are not small counts. Lines with unpaired surrogate escapes or
// nesting deeper than 60 are also unknown. A function that reads a value returns the address after the value, or 0 if the line is unknown.

import { findLineFeed, hadEscapes, isText, readText, readWord, skipColon, skipComma, skipSpace } from './jsonScan';
import { clearKeys, skipAny } from './requestFreeValue';

// Offsets in the record of a line, which ../results/resultsScanner.ts reads. A part has two words of 32 bits for its range, including
// quotes or brackets. Both words are 0 if the part is missing.
const START: usize = 0;
const END: usize = 4;
const IS_KNOWN: usize = 8;
const ID: usize = 12;
const RESULT: usize = 20;
const TYPE: usize = 28;
const STOP: usize = 36;
const TEXT: usize = 44;
const ERROR_TYPE: usize = 52;
const ERROR_MESSAGE: usize = 60;
const MODEL: usize = 68;
const INPUT: usize = 76;
const OUTPUT: usize = 80;
const CACHE_READ: usize = 84;
const CACHE_WRITE: usize = 88;
const CACHE_WRITE_5M: usize = 92;
const CACHE_WRITE_1H: usize = 96;
/** 1 if the line has input tokens. The next word is 1 if the line has output tokens. */
const HAS_INPUT: usize = 100;
const HAS_OUTPUT: usize = 104;
const RECORD_BYTES: usize = 108;

/** Kinds of values to read. A field of another kind is skipped. A count of another kind makes the line unknown. */
enum Kind {
  /** String without escapes. */
  Name,
  Text,
  Count,
  Object,
  /** Array of content blocks. */
  Blocks,
  /** Error inside an error. The inner error takes precedence, even over parts of the outer error that were already read. */
  InnerError,
}

/** Field to read. `word` is the offset of its value in the record. `fields` are the fields of an object, or of each block. */
class Field {
  constructor(
    readonly name: string,
    readonly kind: Kind,
    readonly word: usize,
    readonly fields: StaticArray<Field> = [],
  ) {}
}

const innerError: StaticArray<Field> = [new Field('type', Kind.Name, ERROR_TYPE), new Field('message', Kind.Text, ERROR_MESSAGE)];
const error: StaticArray<Field> = [
  new Field('type', Kind.Name, ERROR_TYPE),
  new Field('message', Kind.Text, ERROR_MESSAGE),
  new Field('error', Kind.InnerError, 0, innerError),
];
const cacheCreation: StaticArray<Field> = [
  new Field('ephemeral_5m_input_tokens', Kind.Count, CACHE_WRITE_5M),
  new Field('ephemeral_1h_input_tokens', Kind.Count, CACHE_WRITE_1H),
];
const usage: StaticArray<Field> = [
  new Field('input_tokens', Kind.Count, INPUT),
  new Field('output_tokens', Kind.Count, OUTPUT),
  new Field('cache_read_input_tokens', Kind.Count, CACHE_READ),
  new Field('cache_creation_input_tokens', Kind.Count, CACHE_WRITE),
  new Field('cache_creation', Kind.Object, 0, cacheCreation),
];
const message: StaticArray<Field> = [
  new Field('model', Kind.Name, MODEL),
  new Field('content', Kind.Blocks, 0, [new Field('text', Kind.Text, TEXT)]),
  new Field('stop_reason', Kind.Name, STOP),
  new Field('usage', Kind.Object, 0, usage),
];
const result: StaticArray<Field> = [
  new Field('type', Kind.Name, TYPE),
  new Field('message', Kind.Object, 0, message),
  new Field('error', Kind.Object, 0, error),
];
const line: StaticArray<Field> = [new Field('custom_id', Kind.Name, ID), new Field('result', Kind.Object, RESULT, result)];

let record: usize = 0;
/** True if the line's error contains another error. */
let hasInner: bool = false;

/**
 * Writes a record for each line of [from, to), at most `most`, and returns their number. `to` is after a LF. At least 16 bytes after `to`
 * must be readable.
 */
export function scan(from: usize, to: usize, out: usize, most: u32): u32 {
  let count: u32 = 0;
  let at = from;
  while (at < to && count < most) {
    record = out;
    memory.fill(record, 0, RECORD_BYTES);
    let end = readLine(at);
    put(IS_KNOWN, end != 0 ? 1 : 0);
    if (end == 0) {
      end = findLineFeed(at);
    }
    put(START, <u32>at);
    put(END, <u32>end);
    out += RECORD_BYTES;
    count++;
    at = end + 1;
  }
  return count;
}

/** Reads the line that starts at `start` into the record. Returns the address of the LF after the line, or 0 if the line is unknown. */
function readLine(start: usize): usize {
  hasInner = false;
  clearKeys();
  const open = skipSpace(start);
  const close = load<u8>(open) == 0x7b ? readObject(open, line) : 0;
  const end = skipSpace(close);
  return load<u8>(end) == 0x0a && has(ID) && has(RESULT) ? end : 0;
}

function readObject(open: usize, fields: StaticArray<Field>): usize {
  let seen: u32 = 0;
  let at = skipSpace(open + 1);
  if (load<u8>(at) == 0x7d) {
    return at + 1;
  }
  while (true) {
    const start = at + 1;
    at = load<u8>(at) == 0x22 ? readText(start) : 0;
    if (at == 0 || hadEscapes) {
      return 0;
    }
    const index = indexOf(fields, start, <i32>(at - 1 - start));
    at = skipColon(at);
    if (index < 0) {
      at = skipAny(at, 0);
    } else {
      const bit = 1 << <u32>index;
      at = (seen & bit) == 0 ? readField(at, fields, unchecked(fields[index])) : 0;
      seen |= bit;
    }
    at = skipSpace(at);
    if (load<u8>(at) == 0x7d) {
      return at + 1;
    }
    at = skipComma(at);
    if (at == 0) {
      return 0;
    }
  }
}

/** Returns the index of the field whose name is at `start`, or -1. */
function indexOf(fields: StaticArray<Field>, start: usize, length: i32): i32 {
  for (let index = 0; index < fields.length; index++) {
    const name = unchecked(fields[index]).name;
    if (name.length == length && isText(start, name)) {
      return index;
    }
  }
  return -1;
}

function readField(at: usize, siblings: StaticArray<Field>, field: Field): usize {
  const first = load<u8>(at);
  const word = field.word;
  switch (field.kind) {
    case Kind.Count:
      return readCount(at, word);
    case Kind.Blocks:
      return first == 0x5b ? readBlocks(at, field.fields) : skipAny(at, 0);
    case Kind.Object:
    case Kind.InnerError: {
      if (first != 0x7b) {
        return skipAny(at, 0);
      }
      if (field.kind == Kind.InnerError) {
        hasInner = true;
        putRange(ERROR_TYPE, 0, 0);
        putRange(ERROR_MESSAGE, 0, 0);
      }
      const end = readObject(at, field.fields);
      if (word != 0) {
        putRange(word, at, end);
      }
      return end;
    }
    default: {
      if (first != 0x22 || (hasInner && siblings == error)) {
        return skipAny(at, 0);
      }
      const end = readText(at + 1);
      if (hadEscapes && field.kind == Kind.Name) {
        return 0;
      }
      putRange(word, at, end);
      return end;
    }
  }
}

/** Reads a count or null. Services use null for counts that they don't provide. */
function readCount(at: usize, word: usize): usize {
  const start = at;
  let value: u32 = 0;
  let byte = load<u8>(at);
  while (byte >= 0x30 && byte <= 0x39) {
    value = value * 10 + (byte - 0x30);
    byte = load<u8>(++at);
  }
  const digits = at - start;
  if (digits == 0) {
    return byte == 0x6e && word != INPUT && word != OUTPUT ? readWord(at) : 0;
  }
  if (digits > 9 || (digits > 1 && load<u8>(start) == 0x30) || byte == 0x2e || byte == 0x65 || byte == 0x45) {
    return 0;
  }
  put(word, value);
  if (word == INPUT || word == OUTPUT) {
    put(word == INPUT ? HAS_INPUT : HAS_OUTPUT, 1);
  }
  return at;
}

/** Reads content blocks up to the first one with a text. Skips all others. */
function readBlocks(open: usize, fields: StaticArray<Field>): usize {
  let at = skipSpace(open + 1);
  if (load<u8>(at) == 0x5d) {
    return at + 1;
  }
  while (true) {
    at = load<u8>(at) == 0x7b && !has(TEXT) ? readObject(at, fields) : skipAny(at, 0);
    at = skipSpace(at);
    if (load<u8>(at) == 0x5d) {
      return at + 1;
    }
    at = skipComma(at);
    if (at == 0) {
      return 0;
    }
  }
}

function put(word: usize, value: u32): void {
  store<u32>(record + word, value);
}

function putRange(word: usize, start: usize, end: usize): void {
  put(word, <u32>start);
  put(word + 4, <u32>end);
}

/** Returns whether the record has the part `word`. */
function has(word: usize): bool {
  return load<u32>(record + word) != 0;
}
