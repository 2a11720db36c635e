// AssemblyScript. Texts and numbers of a request, against what their node allows.

import { hadEscapes, readText } from './jsonScan';
import { noteNumber } from './requestNotes';
import { noteText } from './requestRecord';
import {
  ALLOW_NUMBER,
  lookUp,
  NODE_CAPTURE,
  NODE_MAX,
  NODE_MIN,
  NODE_TEXT_KIND,
  NODE_TEXT_MAX,
  NODE_TEXT_MIN,
  NODE_TEXT_TABLE,
  TEXT_FREE,
  TEXT_IDENTIFIER,
  TEXT_LISTED,
  TEXT_SERVER_TOOL,
} from './requestTables';

/** Behind the text whose quotation mark stands at `at`, or 0 when it is not certainly right; notes where id and model stand. */
export function checkText(at: usize, node: usize): usize {
  const start = at + 1;
  const behind = readText(start);
  if (behind == 0) {
    return 0;
  }
  const end = behind - 1;
  const kind = load<u32>(node + NODE_TEXT_KIND);
  const capture = load<u32>(node + NODE_CAPTURE);
  if (kind == TEXT_FREE) {
    if (!hasRightLength(start, end, node)) {
      return 0;
    }
  } else if (hadEscapes()) {
    return 0;
  } else if (kind == TEXT_LISTED) {
    if (lookUp(load<u32>(node + NODE_TEXT_TABLE), start, end) == 0) {
      return 0;
    }
  } else if (!isIdentifier(start, end, node, kind)) {
    return 0;
  }
  if (capture != 0) {
    if (hadEscapes()) {
      return 0;
    }
    noteText(capture, start, end);
  }
  return behind;
}

/** Whether the text read last, [start, end), certainly has as many characters as its node allows. */
function hasRightLength(start: usize, end: usize, node: usize): bool {
  const bytes = <u32>(end - start);
  const escaped = hadEscapes();
  const min = load<u32>(node + NODE_TEXT_MIN);
  const max = load<u32>(node + NODE_TEXT_MAX);
  // A character is one to four bytes, escaped at most twelve.
  const least = escaped ? (bytes + 11) / 12 : (bytes + 3) / 4;
  if (least >= min && bytes <= max) {
    return true;
  }
  if (escaped || bytes > 8192) {
    return false;
  }
  const characters = countCharacters(start, end);
  return characters >= min && characters <= max;
}

/** Of text that is UTF-8. */
function countCharacters(at: usize, end: usize): u32 {
  let count: u32 = 0;
  for (; at < end; at++) {
    if ((load<u8>(at) & 0xc0) != 0x80) {
      count++;
    }
  }
  return count;
}

function isIdentifier(start: usize, end: usize, node: usize, kind: u32): bool {
  const bytes = <u32>(end - start);
  if (bytes < load<u32>(node + NODE_TEXT_MIN) || bytes > load<u32>(node + NODE_TEXT_MAX)) {
    return false;
  }
  if (kind == TEXT_SERVER_TOOL) {
    // srvtoolu_
    if (bytes < 10 || load<u64>(start) != 0x756c6f6f74767273 || load<u8>(start + 8) != 0x5f) {
      return false;
    }
    start += 9;
  }
  const hyphens = kind == TEXT_IDENTIFIER;
  for (let at = start; at < end; at++) {
    const byte = load<u8>(at);
    const lower = byte | 0x20;
    if (!((lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte == 0x5f || (hyphens && byte == 0x2d))) {
      return false;
    }
  }
  return true;
}

/** Behind a small plain number in its range, or 0; what is long or has an exponent is not known here. */
export function checkNumber(at: usize, node: usize, flags: u32): usize {
  let negative = false;
  if (load<u8>(at) == 0x2d) {
    negative = true;
    at++;
  }
  const start = at;
  let value: f64 = 0;
  let byte = load<u8>(at);
  while (byte >= 0x30 && byte <= 0x39) {
    value = value * 10 + <f64>(byte - 0x30);
    byte = load<u8>(++at);
  }
  let digits = at - start;
  if (digits == 0 || (digits > 1 && load<u8>(start) == 0x30)) {
    return 0;
  }
  if (byte == 0x2e) {
    if ((flags & ALLOW_NUMBER) == 0) {
      return 0;
    }
    let scale: f64 = 1;
    byte = load<u8>(++at);
    const fraction = at;
    while (byte >= 0x30 && byte <= 0x39) {
      value = value * 10 + <f64>(byte - 0x30);
      scale *= 10;
      byte = load<u8>(++at);
    }
    if (at == fraction) {
      return 0;
    }
    digits += at - fraction;
    value /= scale;
  }
  if (digits > 15 || byte == 0x65 || byte == 0x45) {
    return 0;
  }
  if (negative) {
    value = -value;
  }
  noteNumber(value);
  return value >= load<f64>(node + NODE_MIN) && value <= load<f64>(node + NODE_MAX) ? at : 0;
}
