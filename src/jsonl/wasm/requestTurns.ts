// AssemblyScript. Checks the turns of a request: whether each tool call has its result, and how the last message ends. It only recognizes
// correct turns. ../rules/findTools.ts and ../rules/findPrefill.ts check the others.

import { hadEscapes } from './jsonScan';
import { hashOf } from './requestOddities';

const USER: u32 = 1;
const ASSISTANT: u32 = 2;
const OTHER: u32 = 3;

/** Maximum number of calls in a request, and of results in a message. Requests with more are left to the rules. */
const MOST_CALLS: u32 = 64;
/** Size of the hashes of call ids, and of the result ids of one message, in bytes. */
export const TURNS_BYTES: usize = 2 * 64 * 8;

let calls: usize = 0;
let callCount: u32 = 0;
/** Index of the first call without a result. */
let answered: u32 = 0;
/** Number of calls in the current message. */
let callsHere: u32 = 0;
let results: usize = 0;
let resultCount: u32 = 0;
let role: u32 = 0;
let lastRole: u32 = 0;
let endsWithSpace: bool = false;
let lastEndsWithSpace: bool = false;
let isDoubtful: bool = false;

/** Uses `TURNS_BYTES` of memory at `at`. */
export function placeTurns(at: usize): void {
  calls = at;
  results = at + MOST_CALLS * 8;
}

/** Clears the turns of the previous line. */
export function clearTurns(): void {
  callCount = 0;
  answered = 0;
  lastRole = 0;
  isDoubtful = false;
  clearMessage();
}

function clearMessage(): void {
  callsHere = 0;
  resultCount = 0;
  role = 0;
  endsWithSpace = false;
}

/** Returns whether the rules have to check calls and results. */
export function hasUncertainTurns(): bool {
  return isDoubtful;
}

export function endsWithAssistant(): bool {
  return lastRole == ASSISTANT;
}

/** Returns whether the last message may end with white space. Always true for content that is not a plain string. */
export function mayEndWithSpace(): bool {
  return lastEndsWithSpace;
}

/** Reads the role of the current message, a string [start, end) without its quotes. */
export function addRole(start: usize, end: usize): void {
  if (end - start == 4 && load<u32>(start) == 0x72657375) {
    // user
    role = USER;
  } else if (end - start == 9 && load<u64>(start) == 0x6e61747369737361 && load<u8>(start + 8) == 0x74) {
    // assistant
    role = ASSISTANT;
  } else {
    role = OTHER;
  }
}

/** Reads the content of the current message: a string including its quotes, or any other value. */
export function addContent(start: usize, end: usize): void {
  if (load<u8>(start) != 0x22) {
    endsWithSpace = true;
    return;
  }
  const last = end - 2;
  if (last <= start) {
    return;
  }
  const byte = load<u8>(last);
  // After a backslash, n, r and t are white space, and a \u escape may be.
  const isEscape = load<u8>(last - 1) == 0x5c && (byte == 0x6e || byte == 0x72 || byte == 0x74);
  const isCode = last - start > 5 && load<u16>(last - 5) == 0x755c;
  endsWithSpace = byte == 0x20 || isEscape || isCode;
}

/** Reads the id of a call, a string [start, end). */
export function addToolUse(start: usize, end: usize): void {
  const id = hashOf(start, end);
  if (hadEscapes() || callCount >= MOST_CALLS || indexOfCall(id, 0) != callCount) {
    isDoubtful = true;
    return;
  }
  store<u64>(calls + callCount * 8, id);
  callCount++;
  callsHere++;
}

/** Reads the id that a result names, a string [start, end). */
export function addToolResult(start: usize, end: usize): void {
  if (hadEscapes() || resultCount >= MOST_CALLS) {
    isDoubtful = true;
    return;
  }
  store<u64>(results + resultCount * 8, hashOf(start, end));
  resultCount++;
}

/** Completes the current message. Must be called after each item of the messages. */
export function endMessage(isObject: bool): void {
  if (role != ASSISTANT && callsHere > 0) {
    isDoubtful = true;
  }
  if (role == USER) {
    takeResults();
  } else if (resultCount > 0) {
    isDoubtful = true;
  }
  lastRole = isObject ? role : 0;
  lastEndsWithSpace = endsWithSpace;
  clearMessage();
}

/** Matches results, in any order, with the calls that have no result yet. */
function takeResults(): void {
  let open: u64 = 0;
  for (let index: u32 = 0; index < resultCount; index++) {
    const call = indexOfCall(load<u64>(results + index * 8), answered);
    const bit = (<u64>1) << call;
    if (call == callCount || (open & bit) != 0) {
      isDoubtful = true;
      return;
    }
    open |= bit;
  }
  if (resultCount != callCount - answered) {
    isDoubtful = true;
  }
  answered = callCount;
}

/** Returns the index of a call, searching from `first` on, or `callCount` if there is none. */
function indexOfCall(id: u64, first: u32): u32 {
  for (let index = first; index < callCount; index++) {
    if (load<u64>(calls + index * 8) == id) {
      return index;
    }
  }
  return callCount;
}
