// AssemblyScript. What the schemas leave free in a request: keys of one's own, which may stand only once in their object, and
// values of any shape.

import { plainEnd, plainStart, readPlain } from './jsonPlain';
import { readText, readWord, skipColon, skipComma, skipNumber, skipSpace } from './jsonScan';
import { noteFreeNumber } from './requestNotes';

/** How deep arrays and objects may nest; what is deeper is not known. */
export const MOST_DEPTH: i32 = 60;
const MOST_FREE_KEYS: usize = 128;
/** Memory for the keys of all objects that may be open at once. */
export const KEYS_BYTES: usize = 62 * MOST_FREE_KEYS * 4;

/** Hashes of the free keys of the objects that are open, the innermost last. */
let keyStack: usize = 0;
let keyTop: usize = 0;

/** Takes the memory at `keys` for hashes; it must have room for 128 of 4 bytes for each object that may be open. */
export function placeKeys(keys: usize): void {
  keyStack = keys;
}

/** Forgets the keys of all objects, also of those that a line left open. */
export function clearKeys(): void {
  keyTop = keyStack;
}

/** Where the keys of an object begin that opens now; `closeKeys` takes it when the object ends. */
export function openKeys(): usize {
  return keyTop;
}

/** Forgets the keys of the object whose keys begin at `base`. */
export function closeKeys(base: usize): void {
  keyTop = base;
}

/** Remembers the key [start, end) of the object whose keys begin at `base`; false when it may stand there already. */
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

/** Behind any JSON value without duplicate keys, or 0. `depth` is that of the value. */
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
