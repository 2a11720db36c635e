// AssemblyScript. Notes what the rules beyond the schemas check in a line, valid or not. The note bits match ../rules/lineNotes.ts.
// NOTE_ASK means that only the rules can decide.

import { hadEscapes } from './jsonScan';
import {
  hashOf,
  noteOddity,
  ODD_ATTEMPTS,
  ODD_CHOSEN_TOOL,
  ODD_DOUBLED_TOOL,
  ODD_EMPTY_CONTENT,
  ODD_PERSONAL_ID,
  ODD_REPEATED,
  ODD_SYSTEM_ROLE,
  ODD_WHOLE,
} from './requestOddities';
import { addCacheMarker, addCacheTime, clearMarkers, hasUncertainMarkers } from './requestMarkers';
import { looksPersonal, PERSONAL, PERSONAL_UNKNOWN } from './requestPersonal';
import { addBase64, addMediaType, clearPictures, hasUncertainPictures } from './requestPictures';
import { NODE_BITS } from './requestTables';
import {
  addContent,
  addRole,
  addToolResult,
  addToolUse,
  clearTurns,
  endMessage,
  endsWithAssistant,
  hasUncertainTurns,
  mayEndWithSpace,
  placeTurns,
  TURNS_BYTES,
} from './requestTurns';

const NOTE_BUDGET_OVER_TOKENS: u32 = 1 << 11;
const NOTE_BUDGET_ALL_TOKENS: u32 = 1 << 12;
const NOTE_OUTPUT_FORMAT: u32 = 1 << 5;
const NOTE_CONFIG_FORMAT: u32 = 1 << 6;
const NOTE_UNKNOWN_FIELD: u32 = 1 << 14;
const NOTE_PREFILL: u32 = 1 << 15;
export const NOTE_ASK: u32 = 1 << 30;

// Kinds of watched values; see ../checking/requestWatches.ts.
const WATCH_SET: u32 = 1;
const WATCH_TEMPERATURE: u32 = 2;
const WATCH_TOP_P: u32 = 3;
const WATCH_MAX_TOKENS: u32 = 4;
const WATCH_BUDGET: u32 = 5;
const WATCH_STREAM: u32 = 6;
const WATCH_EMPTY_ARRAY: u32 = 7;
const WATCH_CONTENT: u32 = 8;
const WATCH_TOOL_NAME: u32 = 9;
const WATCH_CHOSEN_NAME: u32 = 10;
const WATCH_CHOICE_TYPE: u32 = 11;
const WATCH_PERSONAL: u32 = 12;
const WATCH_ROLE: u32 = 13;
const WATCH_FALLBACKS: u32 = 14;
const WATCH_WHOLE: u32 = 15;
const WATCH_MESSAGE: u32 = 16;
const WATCH_TOOL_USE: u32 = 17;
const WATCH_TOOL_RESULT: u32 = 18;
const WATCH_CACHE_MARKER: u32 = 19;
const WATCH_CACHE_TIME: u32 = 20;
const WATCH_MEDIA_TYPE: u32 = 21;
const WATCH_BASE64: u32 = 22;
const WATCH_EMPTY_TEXT: u32 = 23;
const WATCH_SPEED: u32 = 24;

/** Depth of a request's budget. Deeper ones belong to its fallbacks. */
const BUDGET_DEPTH: i32 = 3;

const MOST_TOOLS: u32 = 64;
const TOOLS_BYTES: usize = 64 * 8;
/** Size of the state of a line, in bytes. */
export const NOTES_BYTES: usize = TOOLS_BYTES + TURNS_BYTES;

let notes: u32 = 0;
let maxTokens: f64 = -1;
let budget: f64 = -1;
let hasBudget: bool = false;
let isForced: bool = false;
let hasChosen: bool = false;
let hasFallbacks: bool = false;
let chosen: u64 = 0;
/** Hashes of the names of tools, 8 bytes each. */
let tools: usize = 0;
let toolCount: u32 = 0;
let lastNumber: f64 = 0;

/** Uses `NOTES_BYTES` of memory at `at`. */
export function placeNotes(at: usize): void {
  tools = at;
  placeTurns(at + TOOLS_BYTES);
}

/** Clears the notes of the previous line. */
export function clearNotes(): void {
  notes = 0;
  maxTokens = -1;
  budget = -1;
  isForced = false;
  hasChosen = false;
  hasFallbacks = false;
  hasBudget = false;
  toolCount = 0;
  clearTurns();
  clearMarkers();
  clearPictures();
}

/** Returns the `max_tokens` of the line, rounded up, or 0 if it has none. */
export function notedMaxTokens(): u32 {
  return maxTokens <= 0 ? 0 : maxTokens >= 4294967295.0 ? 0xffffffff : <u32>Math.ceil(maxTokens);
}

export function noteNumber(value: f64): void {
  lastNumber = value;
}

/** Returns whether an unlisted field [start, end) may be a misspelling, judged by the length of its name. */
export function mayBeSlip(start: usize, end: usize, longestSlip: u32): bool {
  if (<u32>(end - start) <= longestSlip) {
    return true;
  }
  let at = start;
  while (at < end && load<u8>(at) < 0x80) {
    at++;
  }
  // A name with non-ASCII characters has fewer characters than bytes.
  return at < end;
}

/** Sets bits of notes that may occur once. A second occurrence is an oddity of the object at `depth`. */
export function noteOnce(bits: u32, depth: i32): void {
  if ((notes & bits) != 0) {
    noteOddity(ODD_REPEATED, depth, bits);
  }
  notes |= bits;
}

/** Notes an unlisted field of the object at `depth`, whose name starts at `start`. Returns false if only the rules can decide. */
export function noteUnknownField(start: usize, depth: i32): bool {
  noteOnce(NOTE_UNKNOWN_FIELD, depth);
  // `__proto__` may start here, which JavaScript objects treat specially.
  return load<u8>(start) != 0x5f;
}

/** Notes a number [start, end) without a schema if JavaScript may change its value: it has more than 15 digits, or a large exponent. */
export function noteFreeNumber(start: usize, end: usize): void {
  if (end - start > 15) {
    notes |= NOTE_ASK;
    return;
  }
  for (let at = start; at < end; at++) {
    if ((load<u8>(at) | 0x20) == 0x65) {
      const sign = at + 1 < end ? load<u8>(at + 1) : 0;
      const digits = end - at - (sign == 0x2b || sign == 0x2d ? 2 : 1);
      // A double can hold an exponent of two digits with the few digits before it.
      if (digits > 2) {
        notes |= NOTE_ASK;
      }
      return;
    }
  }
}

/** Completes and returns the notes of a line that was read. */
export function finishNotes(): u32 {
  if (budget >= 0 && maxTokens >= 0 && budget >= maxTokens) {
    notes |= budget > maxTokens ? NOTE_BUDGET_OVER_TOKENS : NOTE_BUDGET_ALL_TOKENS;
  }
  if (isForced && toolCount == 0) {
    notes |= NOTE_ASK;
  } else if (hasChosen && !hasTool(chosen)) {
    noteOddity(ODD_CHOSEN_TOOL, 0, 0);
  }
  if (endsWithAssistant()) {
    notes |= NOTE_PREFILL;
    if (hasBudget || mayEndWithSpace() || (notes & (NOTE_OUTPUT_FORMAT | NOTE_CONFIG_FORMAT)) != 0) {
      notes |= NOTE_ASK;
    }
  }
  if ((isForced && hasBudget) || hasUncertainTurns() || hasUncertainMarkers() || hasUncertainPictures()) {
    notes |= NOTE_ASK;
  }
  if (hasFallbacks) {
    // A fallback inherits `max_tokens` and the budget if it doesn't set them.
    noteOddity(ODD_ATTEMPTS, 0, reinterpret<u64>(maxTokens) * 31 + reinterpret<u64>(budget));
  }
  return notes;
}

/** Notes the value [start, end) of a watched node. The value can be of any kind. */
export function noteValue(watch: u32, node: usize, start: usize, end: usize, depth: i32): void {
  const first = load<u8>(start);
  if (watch == WATCH_MESSAGE) {
    endMessage(first == 0x7b);
    return;
  }
  // null counts as missing.
  if (first == 0x6e) {
    return;
  }
  const bits = load<u32>(node + NODE_BITS);
  const isText = first == 0x22;
  const isNumber = first == 0x2d || (first >= 0x30 && first <= 0x39);
  switch (watch) {
    case WATCH_SET:
      notes |= bits;
      break;
    case WATCH_TEMPERATURE:
      notes |= isNumber && lastNumber != 1 ? bits | (bits << 1) : bits;
      break;
    case WATCH_TOP_P:
      notes |= isNumber && lastNumber < 0.99 ? bits | (bits << 1) : bits;
      break;
    case WATCH_MAX_TOKENS:
      if (isNumber) {
        maxTokens = lastNumber;
        notes |= lastNumber == 0 ? bits : 0;
      }
      break;
    case WATCH_BUDGET:
      if (isNumber && depth <= BUDGET_DEPTH) {
        budget = lastNumber;
        hasBudget = true;
      }
      break;
    case WATCH_STREAM:
      notes |= first == 0x74 ? bits : first == 0x66 ? bits << 1 : 0;
      break;
    case WATCH_EMPTY_ARRAY:
      if (first == 0x5b && isEmptyArray(start, end)) {
        notes |= bits;
      }
      break;
    case WATCH_CONTENT:
      addContent(start, end);
      if (first == 0x5b && isEmptyArray(start, end)) {
        noteOddity(ODD_EMPTY_CONTENT, 0, 0);
      }
      break;
    case WATCH_TOOL_NAME:
      if (isText) {
        addTool(start, end);
      }
      break;
    case WATCH_CHOSEN_NAME:
      if (isText) {
        if (hadEscapes()) {
          notes |= NOTE_ASK;
        }
        chosen = hashOf(start, end);
        hasChosen = true;
      }
      break;
    case WATCH_CHOICE_TYPE:
      if (hadEscapes()) {
        notes |= NOTE_ASK;
      }
      // `any` or `tool`, not `auto` or `none`.
      isForced = load<u8>(start + 1) == 0x74 || load<u16>(start + 1) == 0x6e61;
      break;
    case WATCH_PERSONAL:
      if (isText) {
        notePersonal(start + 1, end - 1);
      }
      break;
    case WATCH_ROLE:
      if (isText) {
        addRole(start + 1, end - 1);
        noteRole(start + 1, end - 1);
      }
      break;
    case WATCH_FALLBACKS:
      if (first == 0x5b) {
        hasFallbacks = true;
        noteOddity(ODD_WHOLE, depth, hashOf(start, end));
      }
      break;
    case WATCH_TOOL_USE:
      if (isText) {
        addToolUse(start, end);
      }
      break;
    case WATCH_TOOL_RESULT:
      if (isText) {
        addToolResult(start, end);
      }
      break;
    case WATCH_CACHE_MARKER:
      if (first == 0x7b) {
        addCacheMarker();
      }
      break;
    case WATCH_CACHE_TIME:
      if (isText) {
        addCacheTime(start, end);
      }
      break;
    case WATCH_MEDIA_TYPE:
      if (isText) {
        addMediaType(start, end);
      }
      break;
    case WATCH_BASE64:
      if (isText) {
        addBase64(start, end);
      }
      break;
    case WATCH_EMPTY_TEXT:
      notes |= end - start == 2 && isText ? bits : 0;
      break;
    case WATCH_SPEED:
      // fast, possibly hidden by escapes.
      notes |= isText && hadEscapes() ? NOTE_ASK : isText && load<u8>(start + 1) == 0x66 ? bits : 0;
      break;
    case WATCH_WHOLE:
      noteOddity(ODD_WHOLE, depth, hashOf(start, end));
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

function notePersonal(start: usize, end: usize): void {
  if (hadEscapes()) {
    notes |= NOTE_ASK;
    return;
  }
  const answer = looksPersonal(start, end);
  if (answer == PERSONAL) {
    noteOddity(ODD_PERSONAL_ID, 0, 0);
  } else if (answer == PERSONAL_UNKNOWN) {
    notes |= NOTE_ASK;
  }
}

function noteRole(start: usize, end: usize): void {
  if (hadEscapes()) {
    notes |= NOTE_ASK;
  } else if (end - start == 6 && load<u32>(start) == 0x74737973 && load<u16>(start + 4) == 0x6d65) {
    // system
    noteOddity(ODD_SYSTEM_ROLE, 0, 0);
  }
}

function addTool(start: usize, end: usize): void {
  const hash = hashOf(start, end);
  if (hadEscapes() || toolCount >= MOST_TOOLS) {
    notes |= NOTE_ASK;
    return;
  }
  if (hasTool(hash)) {
    noteOddity(ODD_DOUBLED_TOOL, 0, 0);
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
