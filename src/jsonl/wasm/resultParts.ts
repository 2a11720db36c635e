// AssemblyScript. Reads the parts of a results line that the record holds. A function that reads something returns the address after it, or
// 0 if only the slow scanner can decide.

import { hadEscapes, readText, skipColon, skipComma, skipSpace } from './jsonScan';
import {
  BLOCK,
  CACHE,
  ERROR,
  F_CACHE,
  F_CACHE_READ,
  F_CACHE_WRITE,
  F_CACHE_WRITE_1H,
  F_CACHE_WRITE_5M,
  F_CONTENT,
  F_ID,
  F_INPUT,
  F_MESSAGE,
  F_MODEL,
  F_OUTPUT,
  F_RESULT,
  F_STOP,
  F_TEXT,
  F_TYPE,
  F_USAGE,
  fieldOf,
  INNER,
  LINE,
  MESSAGE,
  RESULT,
  USAGE,
} from './resultFields';
import { skipAny } from './resultFreeValue';
import {
  hasPart,
  noteCount,
  notePart,
  RECORD_CACHE_READ,
  RECORD_CACHE_WRITE,
  RECORD_CACHE_WRITE_1H,
  RECORD_CACHE_WRITE_5M,
  RECORD_ERROR_MESSAGE,
  RECORD_ERROR_TYPE,
  RECORD_HAS_INPUT,
  RECORD_HAS_OUTPUT,
  RECORD_ID,
  RECORD_INPUT,
  RECORD_MODEL,
  RECORD_OUTPUT,
  RECORD_RESULT,
  RECORD_STOP,
  RECORD_TEXT,
  RECORD_TYPE,
} from './resultRecord';

/** Range of the text of the current content block. */
let blockStart: usize = 0;
let blockEnd: usize = 0;
/** True if the line's error contains another one. */
let hasInner: bool = false;

/** Reads the line that starts at `start` into the record. Returns the address of the LF after it, or 0. */
export function readLine(start: usize): usize {
  hasInner = false;
  let at = skipSpace(start);
  if (load<u8>(at) != 0x7b) {
    return 0;
  }
  at = readObject(at, LINE);
  if (at == 0 || !hasPart(RECORD_ID) || !hasPart(RECORD_RESULT)) {
    return 0;
  }
  at = skipSpace(at);
  return load<u8>(at) == 0x0a ? at : 0;
}

function readObject(open: usize, place: u32): usize {
  let seen: u32 = 0;
  let at = skipSpace(open + 1);
  if (load<u8>(at) == 0x7d) {
    return at + 1;
  }
  while (true) {
    if (load<u8>(at) != 0x22) {
      return 0;
    }
    const start = at + 1;
    at = readText(start);
    if (at == 0 || hadEscapes()) {
      return 0;
    }
    const field = fieldOf(place, start, <u32>(at - 1 - start));
    at = skipColon(at);
    if (at == 0) {
      return 0;
    }
    if (field == 0) {
      at = skipAny(at);
    } else {
      const bit = (<u32>1) << field;
      if ((seen & bit) != 0) {
        return 0;
      }
      seen |= bit;
      at = readValue(at, place, field);
    }
    if (at == 0) {
      return 0;
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

function readValue(at: usize, place: u32, field: u32): usize {
  switch (field) {
    case F_ID:
      return readSpan(at, RECORD_ID, false);
    case F_RESULT: {
      if (load<u8>(at) != 0x7b) {
        return 0;
      }
      const end = readObject(at, RESULT);
      notePart(RECORD_RESULT, at, end);
      return end;
    }
    case F_TYPE:
      if (place == RESULT) {
        return readSpan(at, RECORD_TYPE, false);
      }
      return readErrorPart(at, place, RECORD_ERROR_TYPE, false);
    case F_MESSAGE:
      if (place == RESULT) {
        return load<u8>(at) == 0x7b ? readObject(at, MESSAGE) : skipAny(at);
      }
      return readErrorPart(at, place, RECORD_ERROR_MESSAGE, true);
    case F_MODEL:
      return readSpan(at, RECORD_MODEL, false);
    case F_STOP:
      return readSpan(at, RECORD_STOP, false);
    case F_USAGE:
      return load<u8>(at) == 0x7b ? readObject(at, USAGE) : skipAny(at);
    case F_INPUT:
      noteCount(RECORD_HAS_INPUT, 1);
      return readCount(at, RECORD_INPUT);
    case F_OUTPUT:
      noteCount(RECORD_HAS_OUTPUT, 1);
      return readCount(at, RECORD_OUTPUT);
    case F_CACHE_READ:
      return readCountOrNull(at, RECORD_CACHE_READ);
    case F_CACHE_WRITE:
      return readCountOrNull(at, RECORD_CACHE_WRITE);
    case F_CACHE:
      return load<u8>(at) == 0x7b ? readObject(at, CACHE) : skipAny(at);
    case F_CACHE_WRITE_5M:
      return readCountOrNull(at, RECORD_CACHE_WRITE_5M);
    case F_CACHE_WRITE_1H:
      return readCountOrNull(at, RECORD_CACHE_WRITE_1H);
    case F_CONTENT:
      return load<u8>(at) == 0x5b ? readContent(at) : skipAny(at);
    case F_TEXT: {
      if (load<u8>(at) != 0x22) {
        return skipAny(at);
      }
      const end = readText(at + 1);
      blockStart = at;
      blockEnd = end;
      return end;
    }
    default: {
      if (load<u8>(at) != 0x7b) {
        return skipAny(at);
      }
      if (place == RESULT) {
        return readObject(at, ERROR);
      }
      // An inner error takes precedence, even over parts of the outer one that were already read.
      hasInner = true;
      notePart(RECORD_ERROR_TYPE, 0, 0);
      notePart(RECORD_ERROR_MESSAGE, 0, 0);
      return readObject(at, INNER);
    }
  }
}

function readErrorPart(at: usize, place: u32, word: usize, escapes: bool): usize {
  return place == ERROR && hasInner ? skipAny(at) : readSpan(at, word, escapes);
}

function readSpan(at: usize, word: usize, escapes: bool): usize {
  if (load<u8>(at) != 0x22) {
    return skipAny(at);
  }
  const end = readText(at + 1);
  if (hadEscapes() && !escapes) {
    return 0;
  }
  notePart(word, at, end);
  return end;
}

function readCount(at: usize, word: usize): usize {
  const start = at;
  let value: u32 = 0;
  let byte = load<u8>(at);
  while (byte >= 0x30 && byte <= 0x39) {
    value = value * 10 + (byte - 0x30);
    byte = load<u8>(++at);
  }
  const digits = at - start;
  if (digits == 0 || digits > 9 || (digits > 1 && load<u8>(start) == 0x30) || byte == 0x2e || byte == 0x65 || byte == 0x45) {
    return 0;
  }
  noteCount(word, value);
  return at;
}

/** Reads a count or null. Services use null for counts that they don't provide. */
function readCountOrNull(at: usize, word: usize): usize {
  return load<u8>(at) == 0x6e ? skipAny(at) : readCount(at, word);
}

function readContent(open: usize): usize {
  let at = skipSpace(open + 1);
  if (load<u8>(at) == 0x5d) {
    return at + 1;
  }
  while (true) {
    if (load<u8>(at) == 0x7b && !hasPart(RECORD_TEXT)) {
      blockStart = 0;
      at = readObject(at, BLOCK);
      if (at != 0 && blockStart != 0) {
        notePart(RECORD_TEXT, blockStart, blockEnd);
      }
    } else {
      at = skipAny(at);
    }
    if (at == 0) {
      return 0;
    }
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
