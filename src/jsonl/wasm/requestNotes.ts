// AssemblyScript. Notes what the rules beyond the schemas check in a line, valid or not. Where only the rules can decide, calls `ask`.

import { hadEscapes, isText } from './jsonScan';
import { Node, Note, WatchKind } from './requestLayout';
import { ask, hashOf, note, noteOddity, noteOnce, notes, Odd } from './requestOddities';
import { looksPersonal, PERSONAL, PERSONAL_UNKNOWN } from './requestPersonal';
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

/** Depth of a request's budget. Deeper ones belong to its fallbacks. */
const BUDGET_DEPTH: i32 = 3;

/** Maximum number of cache markers in a request. */
const MOST_MARKERS: u32 = 4;

let maxTokens: f64 = -1;
let budget: f64 = -1;
let hasBudget: bool = false;
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
  toolCount = 0;
  markers = 0;
  isLong = false;
  hasLong = false;
  hasShort = false;
  clearTurns();
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

/** Notes an unlisted field of the object at `depth`, whose name starts at `start`. Returns false if only the rules can decide. */
export function noteUnknownField(start: usize, depth: i32): bool {
  noteOnce(Note.UnknownField, depth);
  // `__proto__` may start here, which JavaScript objects treat specially.
  return load<u8>(start) != 0x5f;
}

/** Notes a number [start, end) without a schema if JavaScript may change its value: it has more than 15 digits, or a large exponent. */
export function noteFreeNumber(start: usize, end: usize): void {
  if (end - start > 15) {
    ask();
    return;
  }
  for (let at = start; at < end; at++) {
    if ((load<u8>(at) | 0x20) == 0x65) {
      const sign = at + 1 < end ? load<u8>(at + 1) : 0;
      const digits = end - at - (sign == 0x2b || sign == 0x2d ? 2 : 1);
      // A double can hold an exponent of two digits with the few digits before it.
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
    note(budget > maxTokens ? Note.BudgetOverTokens : Note.BudgetAllTokens);
  }
  if (isForced && (toolCount == 0 || hasBudget)) {
    ask();
  }
  if (hasChosen && !hasTool(chosen)) {
    noteOddity(Odd.ChosenTool, 0, 0);
  }
  if (lastRole == ASSISTANT) {
    if (hasBudget || lastEndsWithSpace || (notes & (Note.OutputFormat | Note.ConfigFormat)) != 0) {
      ask();
    }
    note(Note.Prefill);
  }
  if (hasHalfPicture() || markers > MOST_MARKERS || (hasLong && hasShort)) {
    ask();
  }
  if (hasFallbacks) {
    // A fallback inherits `max_tokens` and the budget if it doesn't set them.
    noteOddity(Odd.Attempts, 0, reinterpret<u64>(maxTokens) * 31 + reinterpret<u64>(budget));
  }
}

/** Notes the value [start, end) of a watched node. The value can be of any kind. */
export function noteValue(watch: u32, node: usize, start: usize, end: usize, depth: i32): void {
  const first = load<u8>(start);
  if (watch == WatchKind.Message) {
    endMessage(first == 0x7b);
    return;
  }
  // null counts as missing.
  if (first == 0x6e) {
    return;
  }
  const bits = load<u32>(node + Node.Bits);
  if (watch >= <u32>WatchKind.ToolName) {
    if (first == 0x22) {
      noteWord(watch, bits, start, end);
    }
    return;
  }
  const isNumber = first == 0x2d || (first >= 0x30 && first <= 0x39);
  switch (watch) {
    case WatchKind.Set:
      note(bits);
      break;
    case WatchKind.Temperature:
      note(isNumber && lastNumber != 1 ? bits | (bits << 1) : bits);
      break;
    case WatchKind.TopP:
      note(isNumber && lastNumber < 0.99 ? bits | (bits << 1) : bits);
      break;
    case WatchKind.MaxTokens:
      if (isNumber) {
        maxTokens = lastNumber;
        note(lastNumber == 0 ? bits : 0);
      }
      break;
    case WatchKind.Budget:
      if (isNumber && depth <= BUDGET_DEPTH) {
        budget = lastNumber;
        hasBudget = true;
      }
      break;
    case WatchKind.Stream:
      note(first == 0x74 ? bits : first == 0x66 ? bits << 1 : 0);
      break;
    case WatchKind.EmptyArray:
      note(isEmptyArray(start, end) ? bits : 0);
      break;
    case WatchKind.Content:
      addContent(start, end);
      if (isEmptyArray(start, end)) {
        noteOddity(Odd.EmptyContent, 0, 0);
      }
      break;
    case WatchKind.Fallbacks:
      if (first == 0x5b) {
        hasFallbacks = true;
        noteOddity(Odd.Whole, depth, hashOf(start, end));
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
      note(first == 0x22 && end - start == 2 ? bits : 0);
      break;
    case WatchKind.Whole:
      noteOddity(Odd.Whole, depth, hashOf(start, end));
      break;
  }
}

/** Notes a watched string without escapes, whose range includes its quotes. */
function noteWord(watch: u32, bits: u32, start: usize, end: usize): void {
  if (hadEscapes) {
    ask();
  }
  switch (watch) {
    case WatchKind.ToolName:
      addTool(hashOf(start, end));
      break;
    case WatchKind.ChosenName:
      chosen = hashOf(start, end);
      hasChosen = true;
      break;
    case WatchKind.ChoiceType:
      isForced = isText(start, '"tool"') || isText(start, '"any"');
      break;
    case WatchKind.Personal: {
      const answer = looksPersonal(start + 1, end - 1);
      if (answer == PERSONAL) {
        noteOddity(Odd.PersonalId, 0, 0);
      } else if (answer == PERSONAL_UNKNOWN) {
        ask();
      }
      break;
    }
    case WatchKind.Role:
      addRole(start);
      if (isText(start, '"system"')) {
        noteOddity(Odd.SystemRole, 0, 0);
      }
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
      note(isText(start, '"fast"') ? bits : 0);
      break;
  }
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

function addTool(hash: u64): void {
  if (toolCount >= MOST_TOOLS) {
    ask();
  } else if (hasTool(hash)) {
    noteOddity(Odd.DoubledTool, 0, 0);
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
