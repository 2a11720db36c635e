// AssemblyScript. Reads values of any shape, whose keys must be unique in their object. Also used by the scan of results.

import { plainEnd, plainStart, readKey } from './jsonPlain';
import { readText, readWord, skipColon, skipComma, skipNumber, skipSpace } from './jsonScan';
import { noteFreeNumber } from './requestNotes';

/** Maximum nesting of arrays and objects. Lines with deeper values are unknown. */
export const MOST_DEPTH: i32 = 60;
const MOST_FREE_KEYS: usize = 128;
/** Hashes of the free keys of all open objects, innermost last. */
const keyStack: usize = memory.data(62 * 128 * 4);
let keyTop: usize = keyStack;

/** Clears the keys of all objects, including those that a line left open. */
export function clearKeys(): void {
  keyTop = keyStack;
}

/** Returns the start of the keys of a new object. Pass it to `closeKeys` at the end of the object. */
export function openKeys(): usize {
  return keyTop;
}

/** Removes the keys of the object whose keys start at `base`. */
export function closeKeys(base: usize): void {
  keyTop = base;
}

/** Adds the key [start, end) of the object whose keys start at `base`. Returns false if the key may be a duplicate. */
export function pushKey(base: usize, start: usize, end: usize): bool {
  let hash: u32 = 0x811c9dc5;
  for (let at = start; at < end; at++) {
    hash = (hash ^ load<u8>(at)) * 0x01000193;
  }
  for (let at = base; at < keyTop; at += 4) {
    if (load<u32>(at) == hash) {
      return false;
    }
  }
  if (keyTop - base >= MOST_FREE_KEYS * 4) {
    return false;
  }
  store<u32>(keyTop, hash);
  keyTop += 4;
  return true;
}

/** Reads any JSON value without duplicate keys and returns the address after it, or 0. `depth` is the depth of the value. */
export function skipAny(at: usize, depth: i32): usize {
  const first = load<u8>(at);
  if (first == 0x22) {
    return readText(at + 1);
  }
  if (first != 0x7b && first != 0x5b) {
    const end = readWord(at);
    return end != 0 ? end : skipFreeNumber(at);
  }
  if (depth > MOST_DEPTH) {
    return 0;
  }
  // In ASCII, the code of a closing bracket is 2 above the code of its opening bracket.
  const close = first + 2;
  const keys = openKeys();
  at = skipSpace(at + 1);
  if (load<u8>(at) == close) {
    return at + 1;
  }
  while (true) {
    if (first == 0x7b) {
      at = readKey(at);
      at = at != 0 && pushKey(keys, plainStart, plainEnd) ? skipColon(at) : 0;
    }
    at = skipSpace(skipAny(at, depth + 1));
    if (load<u8>(at) == close) {
      closeKeys(keys);
      return at + 1;
    }
    at = skipComma(at);
    if (at == 0) {
      return 0;
    }
  }
}

function skipFreeNumber(at: usize): usize {
  const behind = skipNumber(at);
  if (behind != 0) {
    noteFreeNumber(at, behind);
  }
  return behind;
}
