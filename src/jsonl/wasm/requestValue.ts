// AssemblyScript. The values of a request, matched against their nodes. A function that reads something gives the place behind it,
// or 0 when it is not certainly right.

import { endOfPlainText, readWord, skipColon, skipComma, skipSpace } from './jsonScan';
import { closeKeys, MOST_DEPTH, openKeys, pushKey, skipAny } from './requestFreeValue';
import { noteOnce, noteUnknownField, noteUnlistedField, noteValue } from './requestNotes';
import { checkNumber, checkText } from './requestScalar';
import {
  ALLOW_ANY,
  ALLOW_ARRAY,
  ALLOW_BOOLEAN,
  ALLOW_NULL,
  ALLOW_NUMBER,
  ALLOW_OBJECT,
  ALLOW_TEXT,
  ALLOW_WHOLE,
  lookUp,
  NODE_FLAGS,
  NODE_ITEM,
  NODE_ITEMS_MAX,
  NODE_ITEMS_MIN,
  NODE_OBJECT,
  NODE_WATCH,
  OBJECT_BY_TYPE,
  OBJECT_KIND,
  OBJECT_LONGEST_SLIP,
  OBJECT_LOOSE,
  OBJECT_OPEN,
  OBJECT_OPEN_BITS,
  OBJECT_OTHER,
  OBJECT_REQUIRED,
  OBJECT_STRICT,
  OBJECT_TABLE,
  SLOT_BIT,
  SLOT_TARGET,
} from './requestTables';

/** Behind the object that opens at `open` and has the fields of the table's `object`, or 0. `depth` is that of the object. */
export function readObject(open: usize, object: usize, depth: i32): usize {
  let fields = object;
  if (load<u32>(object + OBJECT_KIND) == OBJECT_BY_TYPE) {
    fields = variantOf(open, object, depth);
    if (fields == 0) {
      return 0;
    }
  }
  return readFields(open, fields, depth);
}

/** The fields of the variant that an object's `type` names, or 0 when it is not known. */
function variantOf(open: usize, object: usize, depth: i32): usize {
  let at = skipSpace(open + 1);
  if (load<u8>(at) == 0x7d) {
    return load<u32>(object + OBJECT_OTHER);
  }
  while (true) {
    if (load<u8>(at) != 0x22) {
      return 0;
    }
    const keyEnd = endOfPlainText(at + 1);
    if (keyEnd == 0) {
      return 0;
    }
    // type
    const isType = keyEnd - at == 5 && load<u32>(at + 1) == 0x65707974;
    at = skipColon(keyEnd + 1);
    if (at == 0) {
      return 0;
    }
    if (isType) {
      return variantNamed(at, object);
    }
    at = skipAny(at, depth + 1);
    if (at == 0) {
      return 0;
    }
    at = skipSpace(at);
    if (load<u8>(at) == 0x7d) {
      return load<u32>(object + OBJECT_OTHER);
    }
    at = skipComma(at);
    if (at == 0) {
      return 0;
    }
  }
}

function variantNamed(at: usize, object: usize): usize {
  const first = load<u8>(at);
  if (first == 0x6e) {
    return load<u32>(object + OBJECT_OTHER);
  }
  const end: usize = first == 0x22 ? endOfPlainText(at + 1) : 0;
  if (end == 0) {
    return 0;
  }
  const slot = lookUp(load<u32>(object + OBJECT_TABLE), at + 1, end);
  if (slot != 0) {
    return load<u32>(slot + SLOT_TARGET);
  }
  noteOnce(load<u32>(object + OBJECT_OPEN_BITS));
  return load<u32>(object + OBJECT_OPEN);
}

function readFields(open: usize, fields: usize, depth: i32): usize {
  if (depth > MOST_DEPTH) {
    return 0;
  }
  const table = <usize>load<u32>(fields + OBJECT_TABLE);
  const required = load<u64>(fields + OBJECT_REQUIRED);
  const other = <usize>load<u32>(fields + OBJECT_OTHER);
  const keys = openKeys();
  let seen: u64 = 0;
  let at = skipSpace(open + 1);
  if (load<u8>(at) == 0x7d) {
    return required == 0 ? at + 1 : 0;
  }
  while (true) {
    if (load<u8>(at) != 0x22) {
      return 0;
    }
    const keyStart = at + 1;
    const keyEnd = endOfPlainText(keyStart);
    if (keyEnd == 0) {
      return 0;
    }
    at = skipColon(keyEnd + 1);
    if (at == 0) {
      return 0;
    }
    const slot = lookUp(table, keyStart, keyEnd);
    let node = other;
    if (slot != 0) {
      const bit = (<u64>1) << load<u32>(slot + SLOT_BIT);
      if ((seen & bit) != 0) {
        return 0;
      }
      seen |= bit;
      node = load<u32>(slot + SLOT_TARGET);
    } else if (other == 0 || !pushKey(keys, keyStart, keyEnd)) {
      return 0;
    } else if (!noteOther(fields, keyStart, keyEnd)) {
      return 0;
    }
    at = readValue(at, node, depth + 1);
    if (at == 0) {
      return 0;
    }
    at = skipSpace(at);
    if (load<u8>(at) == 0x7d) {
      closeKeys(keys);
      return (seen & required) == required ? at + 1 : 0;
    }
    at = skipComma(at);
    if (at == 0) {
      return 0;
    }
  }
}

/** Notes a field that is not listed, as the kind of its object wants; false when only the rules can say what it is. */
function noteOther(fields: usize, start: usize, end: usize): bool {
  const kind = load<u32>(fields + OBJECT_KIND);
  if (kind == OBJECT_STRICT) {
    return noteUnknownField(start);
  }
  if (kind == OBJECT_LOOSE) {
    noteUnlistedField(start, end, load<u32>(fields + OBJECT_LONGEST_SLIP));
  }
  return true;
}

function readValue(at: usize, node: usize, depth: i32): usize {
  const behind = readByKind(at, node, depth);
  const watch = load<u32>(node + NODE_WATCH);
  if (watch != 0 && behind != 0) {
    noteValue(watch, node, at, behind);
  }
  return behind;
}

function readByKind(at: usize, node: usize, depth: i32): usize {
  const flags = load<u32>(node + NODE_FLAGS);
  if ((flags & ALLOW_ANY) != 0) {
    return skipAny(at, depth);
  }
  switch (load<u8>(at)) {
    case 0x22:
      return (flags & ALLOW_TEXT) != 0 ? checkText(at, node) : 0;
    case 0x7b:
      return (flags & ALLOW_OBJECT) != 0 ? readObject(at, load<u32>(node + NODE_OBJECT), depth) : 0;
    case 0x5b:
      return (flags & ALLOW_ARRAY) != 0 ? readArray(at, node, depth) : 0;
    case 0x6e:
      return (flags & ALLOW_NULL) != 0 ? readWord(at) : 0;
    case 0x74:
    case 0x66:
      return (flags & ALLOW_BOOLEAN) != 0 ? readWord(at) : 0;
    default:
      return (flags & (ALLOW_NUMBER | ALLOW_WHOLE)) != 0 ? checkNumber(at, node, flags) : 0;
  }
}

function readArray(open: usize, node: usize, depth: i32): usize {
  if (depth > MOST_DEPTH) {
    return 0;
  }
  const item = <usize>load<u32>(node + NODE_ITEM);
  const least = load<u32>(node + NODE_ITEMS_MIN);
  const most = load<u32>(node + NODE_ITEMS_MAX);
  let count: u32 = 0;
  let at = skipSpace(open + 1);
  if (load<u8>(at) == 0x5d) {
    return least == 0 ? at + 1 : 0;
  }
  while (true) {
    at = readValue(at, item, depth + 1);
    if (at == 0) {
      return 0;
    }
    count++;
    at = skipSpace(at);
    if (load<u8>(at) == 0x5d) {
      return count >= least && count <= most ? at + 1 : 0;
    }
    at = skipComma(at);
    if (at == 0) {
      return 0;
    }
  }
}
