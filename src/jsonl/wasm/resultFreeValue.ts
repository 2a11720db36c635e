// AssemblyScript. Skips irrelevant values of a results line.

import { readText, readWord, skipColon, skipComma, skipNumber, skipSpace } from './jsonScan';

const MOST_DEPTH: i32 = 60;

/** Skips any JSON value and returns the address after it, or 0. Accepts duplicate keys. */
export function skipAny(at: usize): usize {
  return skipNested(at, 0);
}

function skipNested(at: usize, depth: i32): usize {
  const first = load<u8>(at);
  if (first == 0x22) {
    return readText(at + 1);
  }
  if (first != 0x7b && first != 0x5b) {
    const end = readWord(at);
    return end != 0 ? end : skipNumber(at);
  }
  if (depth > MOST_DEPTH) {
    return 0;
  }
  // In ASCII, the code of a closing bracket is 2 above that of its opening one.
  const close = first + 2;
  at = skipSpace(at + 1);
  if (load<u8>(at) == close) {
    return at + 1;
  }
  while (true) {
    if (first == 0x7b) {
      at = skipKey(at);
      if (at == 0) {
        return 0;
      }
    }
    at = skipNested(at, depth + 1);
    if (at == 0) {
      return 0;
    }
    at = skipSpace(at);
    if (load<u8>(at) == close) {
      return at + 1;
    }
    at = skipComma(at);
    if (at == 0) {
      return 0;
    }
  }
}

function skipKey(at: usize): usize {
  if (load<u8>(at) != 0x22) {
    return 0;
  }
  const end = readText(at + 1);
  return end == 0 ? 0 : skipColon(end);
}
