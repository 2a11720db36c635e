// AssemblyScript. Checks texts and numbers of a request against their nodes.

import { plainEnd, plainStart, writePlain } from './jsonPlain';
import { hadEscapes, isHalf, isText, readText } from './jsonScan';
import { Allow, Capture, Node, TextKind } from './requestLayout';
import { noteNumber } from './requestNotes';
import { noteOddity, Odd } from './requestOddities';
import { noteText } from './requestRecord';
import { lookUp } from './textTable';

/** Reads the text at `at`. Notes oddities, id and model. Returns the address after it, or 0 if unknown. */
export function checkText(at: usize, node: usize, depth: i32): usize {
  const start = at + 1;
  const behind = readText(start);
  if (behind == 0) {
    return 0;
  }
  const end = behind - 1;
  const kind = load<u32>(node + Node.TextKind);
  if (kind == TextKind.Free) {
    checkLength(start, end, node, depth);
  } else if (!hadEscapes) {
    checkWord(start, end, node, kind, depth);
  } else if (writePlain(start, end)) {
    checkWord(plainStart, plainEnd, node, kind, depth);
  } else {
    return 0;
  }
  const capture = load<u32>(node + Node.Capture);
  if (capture != Capture.None) {
    if (hadEscapes) {
      return 0;
    }
    noteText(capture, start, end);
  }
  return behind;
}

function checkWord(start: usize, end: usize, node: usize, kind: u32, depth: i32): void {
  const isRight =
    kind == TextKind.Listed ? lookUp(load<u32>(node + Node.TextTable), start, end) != 0 : isIdentifier(start, end, node, kind);
  if (!isRight) {
    noteOddity(Odd.Text, depth, 0);
  }
}

/** Notes an oddity if the last text, [start, end), has fewer or more characters than its node allows. */
function checkLength(start: usize, end: usize, node: usize, depth: i32): void {
  const bytes = <u32>(end - start);
  const min = load<u32>(node + Node.TextMin);
  const max = load<u32>(node + Node.TextMax);
  // A character has one to four bytes, or up to twelve as an escape.
  const least = hadEscapes ? (bytes + 11) / 12 : (bytes + 3) / 4;
  if (least >= min && bytes <= max) {
    return;
  }
  const characters = countCharacters(start, end);
  if (characters < min) {
    noteOddity(Odd.ShortText, depth, 0);
  } else if (characters > max) {
    noteOddity(Odd.LongText, depth, 0);
  }
}

function countCharacters(at: usize, end: usize): u32 {
  let count: u32 = 0;
  while (at < end) {
    const byte = load<u8>(at);
    if (byte == 0x5c) {
      count++;
      at += load<u8>(at + 1) != 0x75 ? 2 : isHalf(at + 2) ? 12 : 6;
    } else {
      count += (byte & 0xc0) != 0x80 ? 1 : 0;
      at++;
    }
  }
  return count;
}

function isIdentifier(start: usize, end: usize, node: usize, kind: u32): bool {
  const bytes = <u32>(end - start);
  if (bytes < load<u32>(node + Node.TextMin) || bytes > load<u32>(node + Node.TextMax)) {
    return false;
  }
  if (kind == TextKind.ServerTool) {
    if (bytes < 10 || !isText(start, 'srvtoolu_')) {
      return false;
    }
    start += 9;
  }
  const hyphens = kind == TextKind.Identifier;
  for (let at = start; at < end; at++) {
    const byte = load<u8>(at);
    const lower = byte | 0x20;
    if (!((lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte == 0x5f || (hyphens && byte == 0x2d))) {
      return false;
    }
  }
  return true;
}

/** Reads a number and notes oddities. Returns the address after it, or 0 for an exponent or too many digits. */
export function checkNumber(at: usize, node: usize, flags: u32, depth: i32): usize {
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
  if ((flags & Allow.Number) == 0 && floor<f64>(value) != value) {
    noteOddity(Odd.Fraction, depth, 0);
  } else if (value < load<f64>(node + Node.Min)) {
    noteOddity(Odd.SmallNumber, depth, 0);
  } else if (value > load<f64>(node + Node.Max)) {
    noteOddity(Odd.LargeNumber, depth, 0);
  }
  return at;
}
