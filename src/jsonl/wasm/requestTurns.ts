// AssemblyScript. The messages of a request as turns: whether each tool call has its result, and how the last one ends. Certain only of
// what is right; where that is in doubt, ../rules/findToolPairs.ts and ../rules/findPrefill.ts look for themselves.

import { hadEscapes } from './jsonScan';
import { hashOf } from './requestOddities';

const USER: u32 = 1;
const ASSISTANT: u32 = 2;
const OTHER: u32 = 3;

/** More calls in one request, or results in one message, are left to the rules. */
const MOST_CALLS: u32 = 64;
/** Bytes for hashes of the ids of calls, and of the results of one message. */
export const TURNS_BYTES: usize = 2 * 64 * 8;

let calls: usize = 0;
let callCount: u32 = 0;
/** Calls before this one have their results. */
let answered: u32 = 0;
/** Calls of the message that is read. */
let callsHere: u32 = 0;
let results: usize = 0;
let resultCount: u32 = 0;
let role: u32 = 0;
let lastRole: u32 = 0;
let endsWithSpace: bool = false;
let lastEndsWithSpace: bool = false;
let isDoubtful: bool = false;

/** Takes `TURNS_BYTES` of memory. */
export function placeTurns(at: usize): void {
  calls = at;
  results = at + MOST_CALLS * 8;
}

/** Forgets the turns of the line before. */
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

/** Whether the rules have to judge calls and results. */
export function hasDoubtfulTurns(): bool {
  return isDoubtful;
}

export function endsWithAssistant(): bool {
  return lastRole == ASSISTANT;
}

/** Whether the last message may end with white space: certain only of plain texts. */
export function mayEndWithSpace(): bool {
  return lastEndsWithSpace;
}

/** The role of the message that is read, a text [start, end) without quotation marks. */
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

/** The content of the message that is read: a text with its quotation marks, or anything else. */
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
  // Behind a backslash n, r and t are white space, and so may be what \u names.
  const isEscape = load<u8>(last - 1) == 0x5c && (byte == 0x6e || byte == 0x72 || byte == 0x74);
  const isCode = last - start > 5 && load<u16>(last - 5) == 0x755c;
  endsWithSpace = byte == 0x20 || isEscape || isCode;
}

/** The id of a call, a text [start, end). */
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

/** The id that a result names, a text [start, end). */
export function addToolResult(start: usize, end: usize): void {
  if (hadEscapes() || resultCount >= MOST_CALLS) {
    isDoubtful = true;
    return;
  }
  store<u64>(results + resultCount * 8, hashOf(start, end));
  resultCount++;
}

/** Called behind each item of the messages. */
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

/** Results in any order, one for each call that has none. */
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

/** The place of a call from `first` on; `callCount` when there is none. */
function indexOfCall(id: u64, first: u32): u32 {
  for (let index = first; index < callCount; index++) {
    if (load<u64>(calls + index * 8) == id) {
      return index;
    }
  }
  return callCount;
}
