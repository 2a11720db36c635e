// AssemblyScript. What is odd about a line: wrong by the schemas, or more than a look can judge. Each oddity becomes a number, of its
// kind and of its place by the schemas, and their sum stands for all of them. Of lines with the same sum and the same notes the rules
// find the same: ../rules/lineNotes.ts asks them once. So whatever a finding's rule or severity depends on must be part of the number.

/** A value of a kind that is not taken at its place. */
export const ODD_KIND: u64 = 1;
export const ODD_TEXT: u64 = 2;
export const ODD_SHORT_TEXT: u64 = 3;
export const ODD_LONG_TEXT: u64 = 4;
export const ODD_FRACTION: u64 = 5;
export const ODD_SMALL_NUMBER: u64 = 6;
export const ODD_LARGE_NUMBER: u64 = 7;
export const ODD_FEW_ITEMS: u64 = 8;
export const ODD_MANY_ITEMS: u64 = 9;
/** Required fields are not there. */
const ODD_MISSING: u64 = 10;
/** The `type` of an object is none of those it is told apart by. */
export const ODD_TYPE: u64 = 11;
/** A field that its object does not take. */
export const ODD_FIELD: u64 = 12;
/** Fields that may be slips of the names of others. */
export const ODD_SLIPS: u64 = 13;
/** What is noted once stands there once more. */
export const ODD_REPEATED: u64 = 14;
export const ODD_SYSTEM_ROLE: u64 = 15;
export const ODD_EMPTY_CONTENT: u64 = 16;
export const ODD_DOUBLED_TOOL: u64 = 17;
export const ODD_CHOSEN_TOOL: u64 = 18;
export const ODD_PERSONAL_ID: u64 = 19;
/** A value of which rules look at every part. */
export const ODD_WHOLE: u64 = 20;
export const ODD_ATTEMPTS: u64 = 21;

/** Bytes for the steps to a value: two words for each depth, the place among fields or items, and the type of the object there. */
export const STEPS_BYTES: usize = 512;

/** Types of objects that are none of a table. */
export const TYPE_UNKNOWN: usize = 1;
export const TYPE_ABSENT: usize = 2;

let steps: usize = 0;
let sum: u64 = 0;
/** Whether the outermost object has nothing of what it needs. */
let isOther: bool = false;

/** Takes the memory at `at` for the steps to the value that is read. */
export function placeSteps(at: usize): void {
  steps = at;
}

/** Forgets the oddities of the line before. */
export function clearOddities(): void {
  sum = 0;
  isOther = false;
}

/** Notes required fields of the object at `depth` that are not there: a bit for each, of all that are `required`. */
export function noteMissing(missing: u64, required: u64, fields: usize, depth: i32): void {
  isOther = isOther || (depth == 0 && missing == required);
  noteOddity(ODD_MISSING, depth, missing ^ (<u64>fields << 32));
}

/** Whether the line is an object that has nothing of what it needs. */
export function lacksEverything(): bool {
  return isOther;
}

/** All oddities of the line so far, 0 when there are none. */
@inline
export function oddities(): u64 {
  return sum;
}

/** The same with the notes of the line. */
export function odditiesWith(notes: u32): u64 {
  return sum == 0 ? 0 : mixed(sum + notes);
}

/** Says by which field, or item, the value at `depth` is reached: anything that stands for it alone. */
export function step(depth: i32, field: usize): void {
  store<u64>(steps + (<usize>depth << 3), field);
}

/** Says of which type the object at `depth` is. */
export function stepType(depth: i32, type: usize): void {
  store<u32>(steps + (<usize>depth << 3) + 4, <u32>type);
}

/** Notes an oddity of the value at `depth`; `more` is whatever else its finding depends on. */
export function noteOddity(oddity: u64, depth: i32, more: u64): void {
  let hash = mixed(oddity);
  for (let level: i32 = 1; level <= depth; level++) {
    hash = mixed(hash + load<u64>(steps + (<usize>level << 3)));
  }
  sum += mixed(hash + more);
}

/** A number of the bytes [start, end) that hardly any others have. */
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
