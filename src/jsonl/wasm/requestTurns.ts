// AssemblyScript. Checks the turns of a request: whether each tool call has its result, and how the last message ends. Only recognizes
// correct turns. ../rules/findTools.ts and ../rules/findPrefill.ts check all other turns.

import { isText } from './jsonScan';
import { ask } from './requestOddities';

const USER: u32 = 1;
export const ASSISTANT: u32 = 2;
const OTHER: u32 = 3;

/** Maximum number of calls in a request, and of results in a message. Requests above these limits are left to the rules. */
const MOST_CALLS: u32 = 64;

/** Hashes of the ids of all calls, and of the calls that the current message answers, 8 bytes each. */
const calls: usize = memory.data(64 * 8);
const results: usize = memory.data(64 * 8);
let callCount: u32 = 0;
/** Index of the first call without a result. */
let answered: u32 = 0;
/** Number of calls in the current message. */
let callsHere: u32 = 0;
let resultCount: u32 = 0;
let role: u32 = 0;
let endsWithSpace: bool = false;
/** Role of the last message, or 0 if the message has no role. */
export let lastRole: u32 = 0;
/** True if the last message may end with white space. Always true for content that is not a plain string. */
export let lastEndsWithSpace: bool = false;

/** Clears the turns of the previous line. */
export function clearTurns(): void {
  callCount = 0;
  answered = 0;
  lastRole = 0;
  clearMessage();
}

function clearMessage(): void {
  callsHere = 0;
  resultCount = 0;
  role = 0;
  endsWithSpace = false;
}

/** Reads the role of the current message, a string that starts with its opening quote at `start`. */
export function addRole(start: usize): void {
  role = isText(start, '"user"') ? USER : isText(start, '"assistant"') ? ASSISTANT : OTHER;
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
  // After a backslash, n, r and t are white space. A \u escape may be white space.
  const isEscape = load<u8>(last - 1) == 0x5c && (byte == 0x6e || byte == 0x72 || byte == 0x74);
  const isCode = last - start > 5 && isText(last - 5, '\\u');
  endsWithSpace = byte == 0x20 || isEscape || isCode;
}

/** Adds a call with the hash of its id. */
export function addToolUse(id: u64): void {
  if (callCount >= MOST_CALLS || indexOfCall(id, 0) != callCount) {
    ask();
    return;
  }
  store<u64>(calls + callCount * 8, id);
  callCount++;
  callsHere++;
}

/** Adds a result with the hash of the id that it names. */
export function addToolResult(id: u64): void {
  if (resultCount >= MOST_CALLS) {
    ask();
    return;
  }
  store<u64>(results + resultCount * 8, id);
  resultCount++;
}

/** Completes the current message. Must be called after each item of the messages. */
export function endMessage(isObject: bool): void {
  if ((role != ASSISTANT && callsHere > 0) || (role != USER && resultCount > 0)) {
    ask();
  }
  if (role == USER) {
    takeResults();
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
      ask();
      return;
    }
    open |= bit;
  }
  if (resultCount != callCount - answered) {
    ask();
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
