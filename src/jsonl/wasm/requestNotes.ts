// AssemblyScript. What the rules beyond the schemas look at in a line that is right by the schemas: bits, the same as in
// ../rules/lineNotes.ts. Where a look is not enough, the bit is NOTE_ASK, and the rules look for themselves.

import { hadEscapes } from './jsonScan';
import { NODE_BITS } from './requestTables';

const NOTE_BUDGET_OVER_TOKENS: u32 = 1 << 11;
const NOTE_BUDGET_ALL_TOKENS: u32 = 1 << 12;
const NOTE_UNKNOWN_FIELD: u32 = 1 << 14;
export const NOTE_ASK: u32 = 1 << 30;

// Kinds of watched values; see ../requestWatches.ts.
const WATCH_SET: u32 = 1;
const WATCH_TEMPERATURE: u32 = 2;
const WATCH_TOP_P: u32 = 3;
const WATCH_MAX_TOKENS: u32 = 4;
const WATCH_BUDGET: u32 = 5;
const WATCH_STREAM: u32 = 6;
const WATCH_EMPTY_ARRAY: u32 = 7;
const WATCH_TOOL_NAME: u32 = 9;
const WATCH_CHOSEN_NAME: u32 = 10;
const WATCH_CHOICE_TYPE: u32 = 11;
const WATCH_PERSONAL: u32 = 12;
const WATCH_ROLE: u32 = 13;
const WATCH_ARRAY: u32 = 14;

const MOST_TOOLS: u32 = 64;

let notes: u32 = 0;
let maxTokens: f64 = -1;
let budget: f64 = -1;
let isForced: bool = false;
let hasChosen: bool = false;
let chosen: u64 = 0;
/** Hashes of the names of tools, 8 bytes each. */
let tools: usize = 0;
let toolCount: u32 = 0;
/** The number that was read last. */
let lastNumber: f64 = 0;

/** Takes 512 bytes of memory for the names of tools. */
export function placeTools(at: usize): void {
  tools = at;
}

/** Forgets what was noted of the line before. */
export function clearNotes(): void {
  notes = 0;
  maxTokens = -1;
  budget = -1;
  isForced = false;
  hasChosen = false;
  toolCount = 0;
}

export function noteNumber(value: f64): void {
  lastNumber = value;
}

/** Notes a field [start, end) that its object lets through without knowing it, unless its name is too long for a slip. */
export function noteUnlistedField(start: usize, end: usize, longestSlip: u32): void {
  if (<u32>(end - start) > longestSlip) {
    let at = start;
    while (at < end && load<u8>(at) < 0x80) {
      at++;
    }
    // Beyond ASCII a name has fewer characters than bytes.
    if (at == end) {
      return;
    }
  }
  notes |= NOTE_ASK;
}

/** Notes that something was found that is told each time: only the rules count further than one. */
export function noteOnce(bits: u32): void {
  notes |= (notes & bits) != 0 ? NOTE_ASK : bits;
}

/** Notes a field that its object does not take, from `start` on; false when only the rules can say what it is. */
export function noteUnknownField(start: usize): bool {
  noteOnce(NOTE_UNKNOWN_FIELD);
  // `__proto__` is no field like others to what reads the line.
  return load<u8>(start) != 0x5f;
}

/** Notes that a free number [start, end) may be another one for JavaScript: more than 15 digits, or a large exponent. */
export function noteFreeNumber(start: usize, end: usize): void {
  if (end - start > 15) {
    notes |= NOTE_ASK;
    return;
  }
  for (let at = start; at < end; at++) {
    if ((load<u8>(at) | 0x20) == 0x65) {
      const sign = at + 1 < end ? load<u8>(at + 1) : 0;
      const digits = end - at - (sign == 0x2b || sign == 0x2d ? 2 : 1);
      // Two are within what a double holds, with the few digits that stand before it.
      if (digits > 2) {
        notes |= NOTE_ASK;
      }
      return;
    }
  }
}

/** Everything noted of the line, when it has been read. */
export function finishNotes(): u32 {
  if (budget >= 0 && maxTokens >= 0 && budget >= maxTokens) {
    notes |= budget > maxTokens ? NOTE_BUDGET_OVER_TOKENS : NOTE_BUDGET_ALL_TOKENS;
  }
  if ((isForced && toolCount == 0) || (hasChosen && !hasTool(chosen))) {
    notes |= NOTE_ASK;
  }
  return notes;
}

/** Looks at the value [start, end) of a watched node. */
export function noteValue(watch: u32, node: usize, start: usize, end: usize): void {
  const first = load<u8>(start);
  // null is as good as nothing.
  if (first == 0x6e) {
    return;
  }
  const bits = load<u32>(node + NODE_BITS);
  switch (watch) {
    case WATCH_SET:
      notes |= bits;
      break;
    case WATCH_TEMPERATURE:
      notes |= lastNumber != 1 ? bits | (bits << 1) : bits;
      break;
    case WATCH_TOP_P:
      notes |= lastNumber < 0.99 ? bits | (bits << 1) : bits;
      break;
    case WATCH_MAX_TOKENS:
      maxTokens = lastNumber;
      if (lastNumber == 0) {
        notes |= bits;
      }
      break;
    case WATCH_BUDGET:
      budget = lastNumber;
      break;
    case WATCH_STREAM:
      notes |= first == 0x74 ? bits : bits << 1;
      break;
    case WATCH_EMPTY_ARRAY:
      if (first == 0x5b && isEmptyArray(start, end)) {
        notes |= bits;
      }
      break;
    case WATCH_TOOL_NAME:
      addTool(start, end);
      break;
    case WATCH_CHOSEN_NAME:
      if (hadEscapes()) {
        notes |= NOTE_ASK;
      }
      chosen = hashOf(start, end);
      hasChosen = true;
      break;
    case WATCH_CHOICE_TYPE:
      // `any` and `tool`, not `auto` and `none`.
      isForced = load<u8>(start + 1) == 0x74 || load<u16>(start + 1) == 0x6e61;
      break;
    case WATCH_PERSONAL:
      if (hadEscapes() || mayBePersonal(start + 1, end - 1)) {
        notes |= bits;
      }
      break;
    case WATCH_ROLE:
      if (load<u8>(start + 1) == 0x73) {
        notes |= bits;
      }
      break;
    case WATCH_ARRAY:
      if (first == 0x5b) {
        notes |= bits;
      }
      break;
  }
}

function isEmptyArray(start: usize, end: usize): bool {
  for (let at = start + 1; at < end - 1; at++) {
    if (load<u8>(at) > 0x20) {
      return false;
    }
  }
  return true;
}

/** Whether a text has an @, or no letter and something else than digits: less can be no address and no phone number. */
function mayBePersonal(start: usize, end: usize): bool {
  let hasLetter = false;
  let hasOther = false;
  for (let at = start; at < end; at++) {
    const byte = load<u8>(at);
    const lower = byte | 0x20;
    if (byte == 0x40) {
      return true;
    }
    if (lower >= 0x61 && lower <= 0x7a) {
      hasLetter = true;
    } else if (byte < 0x30 || byte > 0x39) {
      hasOther = true;
    }
  }
  return hasOther && !hasLetter;
}

function addTool(start: usize, end: usize): void {
  const hash = hashOf(start, end);
  if (hadEscapes() || toolCount >= MOST_TOOLS || hasTool(hash)) {
    notes |= NOTE_ASK;
    return;
  }
  store<u64>(tools + toolCount * 8, hash);
  toolCount++;
}

function hasTool(hash: u64): bool {
  for (let index: u32 = 0; index < toolCount; index++) {
    if (load<u64>(tools + index * 8) == hash) {
      return true;
    }
  }
  return false;
}

function hashOf(start: usize, end: usize): u64 {
  let hash: u64 = 0xcbf29ce484222325;
  for (let at = start; at < end; at++) {
    hash = (hash ^ load<u8>(at)) * 0x100000001b3;
  }
  return hash;
}
