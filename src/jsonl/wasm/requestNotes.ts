// AssemblyScript. Notes what the rules beyond the schemas check in a line, valid or not. Where only the rules can decide, calls `ask`.

import { hadEscapes, isText } from './jsonScan';
import { WatchKind } from './requestLayout';
import { ask, hashOf, noteOddity, Odd } from './requestOddities';
import { addBase64, addMediaType, clearPictures, hasHalfPicture } from './requestPictures';
import {
  addContent,
  addRole,
  addToolResult,
  addToolUse,
  ASSISTANT,
  clearTurns,
  endMessage,
  lastEndsWithSpace,
  lastRole,
} from './requestTurns';

/** Stands in for the hash of an e-mail address. */
const MAIL: u64 = 1;
/** Depth of a request's budget. Deeper budgets belong to the fallbacks of the request. */
const BUDGET_DEPTH: i32 = 3;

/** Maximum number of cache markers in a request. */
const MOST_MARKERS: u32 = 4;

let maxTokens: f64 = -1;
let budget: f64 = -1;
let hasBudget: bool = false;
let hasFormat: bool = false;
let isForced: bool = false;
let hasChosen: bool = false;
let hasFallbacks: bool = false;
let chosen: u64 = 0;

const MOST_TOOLS: u32 = 64;
/** Hashes of the names of tools, 8 bytes each. */
const tools: usize = memory.data(64 * 8);
let toolCount: u32 = 0;
let markers: u32 = 0;
/** True if the current cache marker lasts an hour. */
let isLong: bool = false;
let hasLong: bool = false;
let hasShort: bool = false;
let lastNumber: f64 = 0;

/** Clears the state of the previous line. */
export function clearNotes(): void {
  maxTokens = -1;
  budget = -1;
  isForced = false;
  hasChosen = false;
  hasFallbacks = false;
  hasBudget = false;
  hasFormat = false;
  toolCount = 0;
  markers = 0;
  isLong = false;
  hasLong = false;
  hasShort = false;
  clearTurns();
  clearPictures();
}

/** Returns the `max_tokens` of the line, rounded up, or 0 if the line has no `max_tokens`. */
export function notedMaxTokens(): u32 {
  return maxTokens <= 0 ? 0 : maxTokens >= 4294967295.0 ? 0xffffffff : <u32>Math.ceil(maxTokens);
}

/** Stores the number that was read last. `noteValue` uses it. */
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

/** Notes a number [start, end) without a schema if JavaScript may change its value. It then has over 15 digits or a large exponent. */
export function noteFreeNumber(start: usize, end: usize): void {
  if (end - start > 15) {
    ask();
    return;
  }
  for (let at = start; at < end; at++) {
    if ((load<u8>(at) | 0x20) == 0x65) {
      const sign = at + 1 < end ? load<u8>(at + 1) : 0;
      const digits = end - at - (sign == 0x2b || sign == 0x2d ? 2 : 1);
      // A double can represent a number with few digits and an exponent of two digits.
      if (digits > 2) {
        ask();
      }
      return;
    }
  }
}

/** Completes the notes of a line that was read. */
export function finishNotes(): void {
  if (budget >= 0 && maxTokens >= 0 && budget >= maxTokens) {
    noteOddity(Odd.Budget, 0, budget > maxTokens);
  }
  if (isForced && (toolCount == 0 || hasBudget)) {
    ask();
  }
  if (hasChosen && !hasTool(chosen)) {
    noteOddity(Odd.ChosenTool, 0, 0);
  }
  if (lastRole == ASSISTANT) {
    if (hasBudget || hasFormat || lastEndsWithSpace) {
      ask();
    }
    noteOddity(Odd.Prefill, 0, 0);
  }
  if (hasHalfPicture() || markers > MOST_MARKERS || (hasLong && hasShort)) {
    ask();
  }
  if (hasFallbacks) {
    // A fallback inherits `max_tokens` and the budget if it doesn't set them.
    noteOddity(Odd.Attempts, 0, reinterpret<u64>(maxTokens) * 31 + reinterpret<u64>(budget));
  }
}

/** Notes the value [start, end) of a watched node at `depth`. The value can be of any kind. */
export function noteValue(watch: u32, start: usize, end: usize, depth: i32): void {
  const first = load<u8>(start);
  if (watch == WatchKind.Message) {
    endMessage(first == 0x7b);
    return;
  }
  // null counts as missing.
  if (first == 0x6e) {
    return;
  }
  if (watch >= <u32>WatchKind.ToolName) {
    if (first == 0x22) {
      noteWord(watch, start, end, depth);
    }
    return;
  }
  const isNumber = first == 0x2d || (first >= 0x30 && first <= 0x39);
  switch (watch) {
    case WatchKind.Set:
      noteOddity(Odd.Watched, depth, 0);
      break;
    case WatchKind.Ask:
      ask();
      break;
    case WatchKind.Format:
      hasFormat = true;
      noteOddity(Odd.Watched, depth, 0);
      break;
    case WatchKind.Temperature:
      noteOddity(Odd.Watched, depth, isNumber && lastNumber != 1);
      break;
    case WatchKind.TopP:
      noteOddity(Odd.Watched, depth, isNumber && lastNumber < 0.99);
      break;
    case WatchKind.MaxTokens:
      if (isNumber) {
        maxTokens = lastNumber;
        noteIf(lastNumber == 0, depth);
      }
      break;
    case WatchKind.Budget:
      if (isNumber && depth <= BUDGET_DEPTH) {
        budget = lastNumber;
        hasBudget = true;
      }
      break;
    case WatchKind.Stream:
      noteOddity(Odd.Watched, depth, first);
      break;
    case WatchKind.EmptyArray:
      noteIf(isEmptyArray(start, end), depth);
      break;
    case WatchKind.Content:
      addContent(start, end);
      noteIf(isEmptyArray(start, end), depth);
      break;
    case WatchKind.Fallbacks:
      if (first == 0x5b) {
        hasFallbacks = true;
        noteOddity(Odd.Watched, depth, hashOf(start, end));
      }
      break;
    case WatchKind.CacheMarker:
      if (first == 0x7b) {
        markers++;
        hasLong = hasLong || isLong;
        hasShort = hasShort || !isLong;
        isLong = false;
      }
      break;
    case WatchKind.EmptyText:
      if (first == 0x22 && end - start == 2) {
        ask();
      }
      break;
    case WatchKind.Whole:
      noteOddity(Odd.Watched, depth, hashOf(start, end));
      break;
  }
}

/** Notes a watched string without escapes, whose range includes its quotes. */
function noteWord(watch: u32, start: usize, end: usize, depth: i32): void {
  if (hadEscapes) {
    ask();
  }
  switch (watch) {
    case WatchKind.ToolName:
      addTool(hashOf(start, end), depth);
      break;
    case WatchKind.ChosenName:
      chosen = hashOf(start, end);
      hasChosen = true;
      break;
    case WatchKind.ChoiceType:
      isForced = isText(start, '"tool"') || isText(start, '"any"');
      break;
    case WatchKind.Personal:
      if (mayBePersonal(start + 1, end - 1)) {
        // Every e-mail address has the same finding, so that the rules check only the first one.
        noteOddity(Odd.Watched, depth, isMail(start + 1, end - 1) ? MAIL : hashOf(start, end));
      }
      break;
    case WatchKind.Role:
      addRole(start);
      noteIf(isText(start, '"system"'), depth);
      break;
    case WatchKind.ToolUse:
      addToolUse(hashOf(start, end));
      break;
    case WatchKind.ToolResult:
      addToolResult(hashOf(start, end));
      break;
    case WatchKind.CacheTime:
      isLong = isText(start, '"1h"');
      break;
    case WatchKind.MediaType:
      addMediaType(start);
      break;
    case WatchKind.Base64:
      addBase64(start);
      break;
    case WatchKind.Speed:
      noteIf(isText(start, '"fast"'), depth);
      break;
  }
}

function noteIf(isReported: bool, depth: i32): void {
  if (isReported) {
    noteOddity(Odd.Watched, depth, 0);
  }
}

/** Returns whether an id [start, end) has an @ or starts with a plus, as e-mail addresses and phone numbers do. */
function mayBePersonal(start: usize, end: usize): bool {
  let at = start;
  while (at < end && load<u8>(at) != 0x40) {
    at++;
  }
  return at < end || load<u8>(start) == 0x2b;
}

/** Returns whether an id [start, end) is a plain e-mail address in ASCII: one @, then a dot before the last label, which is a word. */
function isMail(start: usize, end: usize): bool {
  let sign: usize = 0;
  let dot: usize = 0;
  for (let at = start; at < end; at++) {
    const byte = load<u8>(at);
    if (byte <= 0x20 || byte >= 0x7f || byte == 0x5c || (byte == 0x40 && sign != 0)) {
      return false;
    }
    sign = byte == 0x40 ? at : sign;
    dot = byte == 0x2e ? at : dot;
  }
  for (let at = dot + 1; at < end; at++) {
    const letter = load<u8>(at) | 0x20;
    if (letter < 0x61 || letter > 0x7a) {
      return false;
    }
  }
  return sign > start && dot > sign + 1 && end - dot > 2;
}

function isEmptyArray(start: usize, end: usize): bool {
  if (load<u8>(start) != 0x5b) {
    return false;
  }
  for (let at = start + 1; at < end - 1; at++) {
    if (load<u8>(at) > 0x20) {
      return false;
    }
  }
  return true;
}

function addTool(hash: u64, depth: i32): void {
  if (toolCount >= MOST_TOOLS) {
    ask();
  } else if (hasTool(hash)) {
    noteOddity(Odd.Watched, depth, 0);
  } else {
    store<u64>(tools + toolCount * 8, hash);
    toolCount++;
  }
}

function hasTool(hash: u64): bool {
  for (let index: u32 = 0; index < toolCount; index++) {
    if (load<u64>(tools + index * 8) == hash) {
      return true;
    }
  }
  return false;
}
