// AssemblyScript. Reads parts of a request that the schemas leave free: custom keys, which must be unique in their object, and values of
// any shape.

import { plainEnd, plainStart, readPlain } from './jsonPlain';
import { readText, readWord, skipColon, skipComma, skipNumber, skipSpace } from './jsonScan';
import { noteFreeNumber } from './requestNotes';

/** Maximum nesting of arrays and objects. Lines with deeper values are unknown. */
export const MOST_DEPTH: i32 = 60;
const MOST_FREE_KEYS: usize = 128;
/** Size of the memory for the keys of all open objects, in bytes. */
export const KEYS_BYTES: usize = 62 * MOST_FREE_KEYS * 4;

/** Hashes of the free keys of all open objects, innermost last. */
let keyStack: usize = 0;
let keyTop: usize = 0;

/** Uses the memory at `keys` for hashes. It must have room for 128 hashes of 4 bytes per open object. */
export function placeKeys(keys: usize): void {
  keyStack = keys;
}

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

/** Adds the key [start, end) of the object whose keys start at `base`. Returns false if it may be a duplicate. */
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
  switch (load<u8>(at)) {
    case 0x22:
      return readText(at + 1);
    case 0x7b:
      return skipAnyObject(at, depth);
    case 0x5b:
      return skipAnyArray(at, depth);
    case 0x6e:
    case 0x74:
    case 0x66:
      return readWord(at);
    default:
      return skipFreeNumber(at);
  }
}

function skipFreeNumber(at: usize): usize {
  const behind = skipNumber(at);
  if (behind != 0) {
    noteFreeNumber(at, behind);
  }
  return behind;
}

function skipAnyObject(open: usize, depth: i32): usize {
  if (depth > MOST_DEPTH) {
    return 0;
  }
  const keys = openKeys();
  let at = skipSpace(open + 1);
  if (load<u8>(at) == 0x7d) {
    return at + 1;
  }
  while (true) {
    if (load<u8>(at) != 0x22) {
      return 0;
    }
    at = readPlain(at + 1);
    if (at == 0 || !pushKey(keys, plainStart(), plainEnd())) {
      return 0;
    }
    at = skipColon(at);
    if (at == 0) {
      return 0;
    }
    at = skipAny(at, depth + 1);
    if (at == 0) {
      return 0;
    }
    at = skipSpace(at);
    if (load<u8>(at) == 0x7d) {
      closeKeys(keys);
      return at + 1;
    }
    at = skipComma(at);
    if (at == 0) {
      return 0;
    }
  }
}

function skipAnyArray(open: usize, depth: i32): usize {
  if (depth > MOST_DEPTH) {
    return 0;
  }
  let at = skipSpace(open + 1);
  if (load<u8>(at) == 0x5d) {
    return at + 1;
  }
  while (true) {
    at = skipAny(at, depth + 1);
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
