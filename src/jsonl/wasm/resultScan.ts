// AssemblyScript, compiled to WebAssembly with SIMD when the project is built. Reads lines of a results file in memory and says
// where the parts of each stand, or that it does not know: then ../resultsLine.ts decides, with the same answer for every
// line that is known here. Not known are escapes in keys, ids and reasons, keys that stand twice, halves of surrogate pairs, numbers that
// are no small counts, and nesting deeper than 60.

import { findLineFeed, hadEscapes, readText, readWord, skipNumber, skipSpace } from './jsonScan';

// Words of a line's record; a place is 0 when there is none.
const RECORD_START: usize = 0;
const RECORD_END: usize = 4;
const RECORD_KNOWN: usize = 8;
const RECORD_ID: usize = 12;
const RECORD_RESULT: usize = 20;
const RECORD_TYPE: usize = 28;
const RECORD_STOP: usize = 36;
const RECORD_TEXT: usize = 44;
const RECORD_ERROR_TYPE: usize = 52;
const RECORD_ERROR_MESSAGE: usize = 60;
const RECORD_INPUT: usize = 68;
const RECORD_OUTPUT: usize = 72;
const RECORD_BYTES: usize = 76;

// Objects whose keys matter.
const LINE: u32 = 1;
const RESULT: u32 = 2;
const MESSAGE: u32 = 3;
const USAGE: u32 = 4;
const BLOCK: u32 = 5;
const ERROR: u32 = 6;
const INNER: u32 = 7;

// What a key leads to; numbers are bits of what an object had already.
const F_ID: u32 = 1;
const F_RESULT: u32 = 2;
const F_TYPE: u32 = 3;
const F_MESSAGE: u32 = 4;
const F_STOP: u32 = 5;
const F_USAGE: u32 = 6;
const F_INPUT: u32 = 7;
const F_OUTPUT: u32 = 8;
const F_CONTENT: u32 = 9;
const F_TEXT: u32 = 10;
const F_ERROR: u32 = 11;

const MOST_DEPTH: i32 = 60;

/** The record of the line that is read. */
let record: usize = 0;
/** Where the text that the current block has stands. */
let blockStart: usize = 0;
let blockEnd: usize = 0;
let hasInner: bool = false;

/**
 * Writes a record for each line of [from, to), `most` at most, and returns their number. `to` is behind a LF; at least 16 bytes
 * behind it can be read.
 */
export function scan(from: usize, to: usize, out: usize, most: u32): u32 {
  let count: u32 = 0;
  let at = from;
  while (at < to && count < most) {
    memory.fill(out, 0, RECORD_BYTES);
    record = out;
    hasInner = false;
    let end = readLine(at);
    store<u32>(out + RECORD_KNOWN, end != 0 ? 1 : 0);
    if (end == 0) {
      end = findLineFeed(at);
    }
    store<u32>(out + RECORD_START, <u32>at);
    store<u32>(out + RECORD_END, <u32>end);
    out += RECORD_BYTES;
    count++;
    at = end + 1;
  }
  return count;
}

/** Where the LF behind a line stands, or 0. */
function readLine(start: usize): usize {
  let at = skipSpace(start);
  if (load<u8>(at) != 0x7b) {
    return 0;
  }
  at = readObject(at, LINE);
  if (at == 0 || load<u32>(record + RECORD_ID) == 0 || load<u32>(record + RECORD_RESULT) == 0) {
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
    at = skipSpace(at);
    if (load<u8>(at) != 0x3a) {
      return 0;
    }
    at = skipSpace(at + 1);
    if (field == 0) {
      at = skipAny(at, 0);
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
    const next = load<u8>(at);
    if (next == 0x7d) {
      return at + 1;
    }
    if (next != 0x2c) {
      return 0;
    }
    at = skipSpace(at + 1);
  }
}

function fieldOf(place: u32, at: usize, length: u32): u32 {
  switch (place) {
    case LINE:
      if (length == 9 && load<u64>(at) == 0x695f6d6f74737563 && load<u8>(at + 8) == 0x64) {
        return F_ID;
      }
      return length == 6 && load<u32>(at) == 0x75736572 && load<u16>(at + 4) == 0x746c ? F_RESULT : 0;
    case RESULT:
      return isType(at, length) ? F_TYPE : isMessage(at, length) ? F_MESSAGE : isError(at, length) ? F_ERROR : 0;
    case MESSAGE:
      if (length == 7) {
        return load<u32>(at) == 0x746e6f63 && load<u32>(at + 3) == 0x746e6574 ? F_CONTENT : 0;
      }
      if (length == 5) {
        return load<u32>(at) == 0x67617375 && load<u8>(at + 4) == 0x65 ? F_USAGE : 0;
      }
      return length == 11 && load<u64>(at) == 0x6165725f706f7473 && load<u32>(at + 7) == 0x6e6f7361 ? F_STOP : 0;
    case USAGE:
      if (length == 12) {
        return load<u64>(at) == 0x6f745f7475706e69 && load<u32>(at + 8) == 0x736e656b ? F_INPUT : 0;
      }
      return length == 13 && load<u64>(at) == 0x745f74757074756f && load<u64>(at + 5) == 0x736e656b6f745f74 ? F_OUTPUT : 0;
    case BLOCK:
      return length == 4 && load<u32>(at) == 0x74786574 ? F_TEXT : 0;
    case ERROR:
      return isType(at, length) ? F_TYPE : isMessage(at, length) ? F_MESSAGE : isError(at, length) ? F_ERROR : 0;
    default:
      return isType(at, length) ? F_TYPE : isMessage(at, length) ? F_MESSAGE : 0;
  }
}

function isType(at: usize, length: u32): bool {
  return length == 4 && load<u32>(at) == 0x65707974;
}

function isMessage(at: usize, length: u32): bool {
  return length == 7 && load<u32>(at) == 0x7373656d && load<u32>(at + 3) == 0x65676173;
}

function isError(at: usize, length: u32): bool {
  return length == 5 && load<u32>(at) == 0x6f727265 && load<u8>(at + 4) == 0x72;
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
      store<u32>(record + RECORD_RESULT, <u32>at);
      store<u32>(record + RECORD_RESULT + 4, <u32>end);
      return end;
    }
    case F_TYPE:
      if (place == RESULT) {
        return readSpan(at, RECORD_TYPE, false);
      }
      return readErrorPart(at, place, RECORD_ERROR_TYPE, false);
    case F_MESSAGE:
      if (place == RESULT) {
        return load<u8>(at) == 0x7b ? readObject(at, MESSAGE) : skipAny(at, 0);
      }
      return readErrorPart(at, place, RECORD_ERROR_MESSAGE, true);
    case F_STOP:
      return readSpan(at, RECORD_STOP, false);
    case F_USAGE:
      return load<u8>(at) == 0x7b ? readObject(at, USAGE) : skipAny(at, 0);
    case F_INPUT:
      return readCount(at, RECORD_INPUT);
    case F_OUTPUT:
      return readCount(at, RECORD_OUTPUT);
    case F_CONTENT:
      return load<u8>(at) == 0x5b ? readContent(at) : skipAny(at, 0);
    case F_TEXT: {
      if (load<u8>(at) != 0x22) {
        return skipAny(at, 0);
      }
      const end = readText(at + 1);
      blockStart = at;
      blockEnd = end;
      return end;
    }
    default: {
      if (load<u8>(at) != 0x7b) {
        return skipAny(at, 0);
      }
      if (place == RESULT) {
        return readObject(at, ERROR);
      }
      // What stands further in counts, also against what came before.
      hasInner = true;
      memory.fill(record + RECORD_ERROR_TYPE, 0, 16);
      return readObject(at, INNER);
    }
  }
}

function readErrorPart(at: usize, place: u32, word: usize, escapes: bool): usize {
  return place == ERROR && hasInner ? skipAny(at, 0) : readSpan(at, word, escapes);
}

/** Notes where a text stands; what is no text is passed over. */
function readSpan(at: usize, word: usize, escapes: bool): usize {
  if (load<u8>(at) != 0x22) {
    return skipAny(at, 0);
  }
  const end = readText(at + 1);
  if (hadEscapes() && !escapes) {
    return 0;
  }
  store<u32>(record + word, <u32>at);
  store<u32>(record + word + 4, <u32>end);
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
  store<u32>(record + word, value);
  return at;
}

function readContent(open: usize): usize {
  let at = skipSpace(open + 1);
  if (load<u8>(at) == 0x5d) {
    return at + 1;
  }
  while (true) {
    if (load<u8>(at) == 0x7b && load<u32>(record + RECORD_TEXT) == 0) {
      blockStart = 0;
      at = readObject(at, BLOCK);
      if (at != 0 && blockStart != 0) {
        store<u32>(record + RECORD_TEXT, <u32>blockStart);
        store<u32>(record + RECORD_TEXT + 4, <u32>blockEnd);
      }
    } else {
      at = skipAny(at, 0);
    }
    if (at == 0) {
      return 0;
    }
    at = skipSpace(at);
    const next = load<u8>(at);
    if (next == 0x5d) {
      return at + 1;
    }
    if (next != 0x2c) {
      return 0;
    }
    at = skipSpace(at + 1);
  }
}

/** Behind any JSON value, or 0. */
function skipAny(at: usize, depth: i32): usize {
  const first = load<u8>(at);
  if (first == 0x22) {
    return readText(at + 1);
  }
  if (first != 0x7b && first != 0x5b) {
    return skipScalar(at);
  }
  if (depth > MOST_DEPTH) {
    return 0;
  }
  // In ASCII each closing bracket stands two after its opening one.
  const close = first + 2;
  at = skipSpace(at + 1);
  if (load<u8>(at) == close) {
    return at + 1;
  }
  while (true) {
    if (first == 0x7b) {
      if (load<u8>(at) != 0x22) {
        return 0;
      }
      at = readText(at + 1);
      if (at == 0) {
        return 0;
      }
      at = skipSpace(at);
      if (load<u8>(at) != 0x3a) {
        return 0;
      }
      at = skipSpace(at + 1);
    }
    at = skipAny(at, depth + 1);
    if (at == 0) {
      return 0;
    }
    at = skipSpace(at);
    const next = load<u8>(at);
    if (next == close) {
      return at + 1;
    }
    if (next != 0x2c) {
      return 0;
    }
    at = skipSpace(at + 1);
  }
}

function skipScalar(at: usize): usize {
  const end = readWord(at);
  return end != 0 ? end : skipNumber(at);
}
