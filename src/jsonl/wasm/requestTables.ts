// AssemblyScript. Layout of the tables that ../checking/requestScanTable.ts compiles from the schemas.

// Words of a node, which describes the values allowed at a position.
export const NODE_FLAGS: usize = 0;
export const NODE_CAPTURE: usize = 4;
export const NODE_MIN: usize = 8;
export const NODE_MAX: usize = 16;
export const NODE_TEXT_MIN: usize = 24;
export const NODE_TEXT_MAX: usize = 28;
export const NODE_TEXT_KIND: usize = 32;
export const NODE_TEXT_TABLE: usize = 36;
export const NODE_ITEMS_MIN: usize = 40;
export const NODE_ITEMS_MAX: usize = 44;
export const NODE_ITEM: usize = 48;
export const NODE_OBJECT: usize = 52;
/** Kind of watch for rules beyond the schemas, or 0, followed by its note bits. */
export const NODE_WATCH: usize = 56;
export const NODE_BITS: usize = 60;

export const ALLOW_NULL: u32 = 1;
export const ALLOW_BOOLEAN: u32 = 2;
export const ALLOW_NUMBER: u32 = 4;
export const ALLOW_WHOLE: u32 = 8;
export const ALLOW_TEXT: u32 = 16;
export const ALLOW_ARRAY: u32 = 32;
export const ALLOW_OBJECT: u32 = 64;
export const ALLOW_ANY: u32 = 128;
/** Flag of a node whose schema may accept more values than the node. */
export const UNSURE: u32 = 256;

export const TEXT_FREE: u32 = 0;
export const TEXT_IDENTIFIER: u32 = 1;
export const TEXT_SERVER_TOOL: u32 = 2;
export const TEXT_LISTED: u32 = 3;

// Text whose range is written to the record. 0 is none.
export const CAPTURE_ID: u32 = 1;

// Words of an object, which describes its fields.
export const OBJECT_KIND: usize = 0;
export const OBJECT_TABLE: usize = 4;
export const OBJECT_REQUIRED: usize = 8;
export const OBJECT_OTHER: usize = 16;
/** Maximum length of a name that may be a misspelling, for objects that allow other fields. */
export const OBJECT_LONGEST_SLIP: usize = 20;

/** Object for unknown types of an object chosen by its type, or 0 if they are not allowed. The note bits for an unknown type follow. */
export const OBJECT_OPEN: usize = 24;
export const OBJECT_OPEN_BITS: usize = 28;

export const OBJECT_BY_TYPE: u32 = 1;
/** Object that allows other fields, which may be misspellings. */
export const OBJECT_LOOSE: u32 = 2;
/** Object whose other fields are noted as errors. */
export const OBJECT_STRICT: u32 = 3;
/** Object whose other fields are oddities. */
export const OBJECT_CLOSED: u32 = 4;

// Words of a slot in a table of 64 texts: address, length, target, bit.
const SLOT_LENGTH: usize = 4;
export const SLOT_TARGET: usize = 8;
export const SLOT_BIT: usize = 12;

/** Returns the slot of the text [start, end) in a table of texts, or 0. */
export function lookUp(table: usize, start: usize, end: usize): usize {
  const length = <u32>(end - start);
  if (length == 0) {
    return 0;
  }
  let index = (length * 31 + <u32>load<u8>(start) * 7 + <u32>load<u8>(end - 1) * 13) & 63;
  while (true) {
    const slot = table + (index << 4);
    const text = <usize>load<u32>(slot);
    if (text == 0) {
      return 0;
    }
    if (load<u32>(slot + SLOT_LENGTH) == length && areSame(text, start, length)) {
      return slot;
    }
    index = (index + 1) & 63;
  }
}

function areSame(a: usize, b: usize, length: u32): bool {
  while (length >= 8) {
    if (load<u64>(a) != load<u64>(b)) {
      return false;
    }
    a += 8;
    b += 8;
    length -= 8;
  }
  while (length > 0) {
    if (load<u8>(a) != load<u8>(b)) {
      return false;
    }
    a++;
    b++;
    length--;
  }
  return true;
}
