// AssemblyScript. Collects the oddities of a line: violations of the schemas, and anything that only the rules can check. Each oddity is
// hashed with its kind and its position in the schemas, and the hashes are added up. Lines with equal sums and notes have the same
// findings, so ../rules/lineNotes.ts runs the rules only once for them. Therefore the hash must include everything that a finding's rule or
// severity depends on.

/** Value of a kind that is not allowed at its position. */
export const ODD_KIND: u64 = 1;
export const ODD_TEXT: u64 = 2;
export const ODD_SHORT_TEXT: u64 = 3;
export const ODD_LONG_TEXT: u64 = 4;
export const ODD_FRACTION: u64 = 5;
export const ODD_SMALL_NUMBER: u64 = 6;
export const ODD_LARGE_NUMBER: u64 = 7;
export const ODD_FEW_ITEMS: u64 = 8;
export const ODD_MANY_ITEMS: u64 = 9;
const ODD_MISSING: u64 = 10;
/** Object whose `type` is none of its variants. */
export const ODD_TYPE: u64 = 11;
export const ODD_FIELD: u64 = 12;
/** Fields that may be misspellings of listed ones. */
export const ODD_SLIPS: u64 = 13;
/** Second occurrence of a note that may occur once. */
export const ODD_REPEATED: u64 = 14;
export const ODD_SYSTEM_ROLE: u64 = 15;
export const ODD_EMPTY_CONTENT: u64 = 16;
export const ODD_DOUBLED_TOOL: u64 = 17;
export const ODD_CHOSEN_TOOL: u64 = 18;
export const ODD_PERSONAL_ID: u64 = 19;
export const ODD_WHOLE: u64 = 20;
export const ODD_ATTEMPTS: u64 = 21;

/** Size of the steps to a value, in bytes. Each depth has two words: the field or item, and the type of the object there. */
export const STEPS_BYTES: usize = 512;

/** Types of objects that are not in a table. */
export const TYPE_UNKNOWN: usize = 1;
export const TYPE_ABSENT: usize = 2;

let steps: usize = 0;
let sum: u64 = 0;
/** True if the outermost object has none of its required fields. */
let isOther: bool = false;

/** Uses the memory at `at` for the steps to the current value. */
export function placeSteps(at: usize): void {
  steps = at;
}

/** Clears the oddities of the previous line. */
export function clearOddities(): void {
  sum = 0;
  isOther = false;
}

/** Notes missing required fields of the object at `depth`. `missing` has a bit for each, a subset of `required`. */
export function noteMissing(missing: u64, required: u64, fields: usize, depth: i32): void {
  isOther = isOther || (depth == 0 && missing == required);
  noteOddity(ODD_MISSING, depth, missing ^ (<u64>fields << 32));
}

/** Returns whether the line is an object without any of its required fields. */
export function lacksEverything(): bool {
  return isOther;
}

/** Returns the sum of all oddities of the line so far, 0 if there are none. */
@inline
export function oddities(): u64 {
  return sum;
}

/** Returns the sum of all oddities and the notes of the line, 0 if there are no oddities. */
export function odditiesWith(notes: u32): u64 {
  return sum == 0 ? 0 : mixed(sum + notes);
}

/** Sets the field or item through which the value at `depth` is reached. `field` can be any unique number. */
export function step(depth: i32, field: usize): void {
  store<u64>(steps + (<usize>depth << 3), field);
}

/** Sets the type of the object at `depth`. */
export function stepType(depth: i32, type: usize): void {
  store<u32>(steps + (<usize>depth << 3) + 4, <u32>type);
}

/** Notes an oddity of the value at `depth`. `more` is anything else that its finding depends on. */
export function noteOddity(oddity: u64, depth: i32, more: u64): void {
  let hash = mixed(oddity);
  for (let level: i32 = 1; level <= depth; level++) {
    hash = mixed(hash + load<u64>(steps + (<usize>level << 3)));
  }
  sum += mixed(hash + more);
}

/** Returns a hash of the bytes [start, end). */
export function hashOf(start: usize, end: usize): u64 {
  let hash: u64 = 0xcbf29ce484222325;
  for (let at = start; at < end; at++) {
    hash = (hash ^ load<u8>(at)) * 0x100000001b3;
  }
  return hash;
}

function mixed(value: u64): u64 {
  value = (value + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 31)) * 0x94d049bb133111eb;
  return value ^ (value >> 29);
}
