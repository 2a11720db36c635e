// AssemblyScript. Collects the oddities of a line: violations of the schemas, and values that a rule beyond them may report. Each oddity is
// hashed with its kind and its position in the schemas, and the hashes are added up. Lines of a model with equal sums have the same
// findings, so ../rules/lineNotes.ts runs the rules only once for them. Therefore the hash must include everything that a finding's rule or
// severity depends on.

import { Note } from './requestLayout';

/** Kinds of oddities. */
export enum Odd {
  /** Value of a kind that is not allowed at its position. */
  Kind = 1,
  Text,
  ShortText,
  LongText,
  Fraction,
  SmallNumber,
  LargeNumber,
  FewItems,
  ManyItems,
  Missing,
  /** Object whose `type` is none of its variants. */
  Type,
  Field,
  /** Fields that may be misspellings of listed fields. */
  Slips,
  /** Unknown field of the request or its params. */
  UnknownField,
  /** Value that a rule beyond the schemas may report. */
  Watched,
  ChosenTool,
  Budget,
  Prefill,
  Attempts,
}

/** Types of objects that are not in a table. */
export const TYPE_UNKNOWN: usize = 1;
export const TYPE_ABSENT: usize = 2;

/** Steps to the current value. Each depth has two words: the field or item, and the type of the object there. */
const steps: usize = memory.data(512);
/** Sum of all oddities of the line so far. 0 if there are no oddities. */
export let oddities: u64 = 0;
/** True if the outermost object has none of its required fields. */
export let isOther: bool = false;
/** Bits of `Note`. */
export let notes: u32 = 0;

/** Clears the oddities and notes of the previous line. */
export function clearOddities(): void {
  notes = 0;
  oddities = 0;
  isOther = false;
}

/** Notes missing required fields of the object at `depth`. `missing` has a bit for each missing field and is a subset of `required`. */
export function noteMissing(missing: u64, required: u64, fields: usize, depth: i32): void {
  isOther = isOther || (depth == 0 && missing == required);
  noteOddity(Odd.Missing, depth, missing ^ (<u64>fields << 32));
}

/** Leaves the line to the rules. */
export function ask(): void {
  notes |= Note.Ask;
}

/** Notes an unknown field of the object at `depth`, which is the request or its params. */
export function noteUnknownField(depth: i32): void {
  notes |= Note.UnknownField;
  noteOddity(Odd.UnknownField, depth, 0);
}

/** Sets the field or item through which the value at `depth` is reached. `field` can be any unique number. */
export function step(depth: i32, field: usize): void {
  store<u64>(steps + (<usize>depth << 3), field);
}

/** Sets the type of the object at `depth`. */
export function stepType(depth: i32, type: usize): void {
  store<u32>(steps + (<usize>depth << 3) + 4, <u32>type);
}

/** Notes an oddity of the value at `depth`. `more` is a number for all other facts that the finding depends on. */
export function noteOddity(oddity: Odd, depth: i32, more: u64): void {
  let hash = mixed(<u64>oddity);
  for (let level: i32 = 1; level <= depth; level++) {
    hash = mixed(hash + load<u64>(steps + (<usize>level << 3)));
  }
  oddities += mixed(hash + more);
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
