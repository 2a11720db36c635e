// AssemblyScript. Checks the values of a request against their nodes. A function that reads a value returns the address after the value, or
// 0 if only the rules can decide. Definite violations are noted as oddities and skipped.

import { plainEnd, plainStart, readKey } from './jsonPlain';
import { isText, readWord, skipColon, skipComma, skipSpace } from './jsonScan';
import { closeKeys, MOST_DEPTH, openKeys, pushKey, skipAny } from './requestFreeValue';
import { Allow, Node, ObjectKind, ObjectWord } from './requestLayout';
import { mayBeSlip, noteValue } from './requestNotes';
import { hashOf, noteMissing, noteOddity, noteUnknownField, Odd, oddities, step, stepType, TYPE_ABSENT, TYPE_UNKNOWN } from './requestOddities';
import { checkNumber, checkText } from './requestScalar';
import { lookUp, SLOT_BIT, SLOT_TARGET } from './textTable';

/** Result for an object that matches no variant. The mismatch is noted as an oddity. */
const NO_VARIANT: usize = 1;

/**
 * Reads the object that opens at `open` and has the fields of the table's `object`. Returns the address after the object, or 0 if only the
 * rules can decide. `depth` is the depth of the object.
 */
export function readObject(open: usize, object: usize, depth: i32): usize {
  let fields = object;
  if (load<u32>(object + ObjectWord.Kind) == ObjectKind.ByType) {
    fields = variantOf(open, object, depth);
    if (fields == 0) {
      return 0;
    }
    if (fields == NO_VARIANT) {
      return skipAny(open, depth);
    }
  }
  return readFields(open, fields, depth);
}

/** Returns the fields of the variant that `type` names, `NO_VARIANT` if there is none, or 0 for the rules. */
function variantOf(open: usize, object: usize, depth: i32): usize {
  let at = skipSpace(open + 1);
  if (load<u8>(at) == 0x7d) {
    return variantWithout(object, 0, depth);
  }
  while (true) {
    at = skipColon(readKey(at));
    if (at != 0 && plainEnd - plainStart == 4 && isText(plainStart, 'type')) {
      return variantNamed(at, object, depth);
    }
    at = skipSpace(skipAny(at, depth + 1));
    if (load<u8>(at) == 0x7d) {
      return variantWithout(object, 0, depth);
    }
    at = skipComma(at);
    if (at == 0) {
      return 0;
    }
  }
}

function variantNamed(at: usize, object: usize, depth: i32): usize {
  const first = load<u8>(at);
  const open = <usize>load<u32>(object + ObjectWord.Open);
  if (first == 0x6e) {
    return variantWithout(object, first, depth);
  }
  if (first == 0x22) {
    if (readKey(at) == 0) {
      return 0;
    }
    const slot = lookUp(load<u32>(object + ObjectWord.Table), plainStart, plainEnd);
    if (slot != 0) {
      stepType(depth, slot);
      return load<u32>(slot + SLOT_TARGET);
    }
    if (open != 0) {
      stepType(depth, TYPE_UNKNOWN);
      noteOddity(Odd.Type, depth, 0);
      return open;
    }
  } else if (open != 0) {
    // The rules check the content of an object without a known type.
    return 0;
  }
  noteOddity(Odd.Type, depth, first);
  return NO_VARIANT;
}

/** Returns the fields of an object without a usable `type`. `first` is the first character of the value of `type`, or 0 without it. */
function variantWithout(object: usize, first: u8, depth: i32): usize {
  const other = <usize>load<u32>(object + ObjectWord.Other);
  if (other != 0) {
    stepType(depth, TYPE_ABSENT);
    return other;
  }
  noteOddity(Odd.Type, depth, first);
  return NO_VARIANT;
}

function readFields(open: usize, fields: usize, depth: i32): usize {
  if (depth > MOST_DEPTH) {
    return 0;
  }
  const table = <usize>load<u32>(fields + ObjectWord.Table);
  const required = load<u64>(fields + ObjectWord.Required);
  const other = <usize>load<u32>(fields + ObjectWord.Other);
  const keys = openKeys();
  let seen: u64 = 0;
  let slips: u64 = 0;
  let at = skipSpace(open + 1);
  while (load<u8>(at) != 0x7d) {
    at = readKey(at);
    if (at == 0) {
      return 0;
    }
    const nameStart = plainStart;
    const nameEnd = plainEnd;
    const slot = lookUp(table, nameStart, nameEnd);
    let node = other;
    if (slot != 0) {
      const bit = (<u64>1) << load<u32>(slot + SLOT_BIT);
      if ((seen & bit) != 0) {
        return 0;
      }
      seen |= bit;
      node = load<u32>(slot + SLOT_TARGET);
    } else if (other == 0 || !pushKey(keys, nameStart, nameEnd)) {
      return 0;
    } else {
      const kind = load<u32>(fields + ObjectWord.Kind);
      if (kind == ObjectKind.Loose) {
        slips += mayBeSlip(nameStart, nameEnd, load<u32>(fields + ObjectWord.LongestSlip)) ? hashOf(nameStart, nameEnd) : 0;
      } else if (kind == ObjectKind.Closed) {
        // The severity can depend on the kind of the value.
        noteOddity(Odd.Field, depth, hashOf(nameStart, nameEnd) + load<u8>(skipColon(at)));
      } else if (kind == ObjectKind.Strict) {
        // `__proto__` may start with this underscore, which JavaScript objects treat specially.
        if (load<u8>(nameStart) == 0x5f) {
          return 0;
        }
        noteUnknownField(depth);
      }
    }
    step(depth + 1, slot);
    at = skipSpace(readValue(skipColon(at), node, depth + 1));
    if (load<u8>(at) == 0x7d) {
      break;
    }
    at = skipComma(at);
    // A trailing comma is invalid.
    if (load<u8>(at) == 0x7d) {
      return 0;
    }
  }
  closeKeys(keys);
  if (slips != 0) {
    // The suggestion depends on which fields the object already has.
    noteOddity(Odd.Slips, depth, slips ^ (seen * 0x9e3779b97f4a7c15));
  }
  if ((seen & required) != required) {
    noteMissing(required & ~seen, required, fields, depth);
  }
  return at + 1;
}

function readValue(at: usize, node: usize, depth: i32): usize {
  const flags = load<u32>(node + Node.Flags);
  const behind = (flags & Allow.Unsure) == 0 ? readByKind(at, node, flags, depth) : readUnsure(at, node, flags, depth);
  const watch = load<u32>(node + Node.Watch);
  if (watch != 0 && behind != 0) {
    noteValue(watch, at, behind, depth);
  }
  return behind;
}

/** Reads a value whose node is unsure. Any oddity makes the result unknown, because the value may be valid. */
function readUnsure(at: usize, node: usize, flags: u32, depth: i32): usize {
  const before = oddities;
  const behind = readByKind(at, node, flags, depth);
  return oddities == before ? behind : 0;
}

function readByKind(at: usize, node: usize, flags: u32, depth: i32): usize {
  if ((flags & Allow.Any) != 0) {
    return skipAny(at, depth);
  }
  const first = load<u8>(at);
  switch (first) {
    case 0x22:
      return (flags & Allow.Text) != 0 ? checkText(at, node, depth) : skipOdd(at, first, depth);
    case 0x7b:
      return (flags & Allow.Object) != 0 ? readObject(at, load<u32>(node + Node.Object), depth) : skipOdd(at, first, depth);
    case 0x5b:
      return (flags & Allow.Array) != 0 ? readArray(at, node, depth) : skipOdd(at, first, depth);
    case 0x6e:
      return (flags & Allow.Null) != 0 ? readWord(at) : skipOdd(at, first, depth);
    case 0x74:
    case 0x66:
      return (flags & Allow.Boolean) != 0 ? readWord(at) : skipOdd(at, 0x74, depth);
    default:
      return (flags & (Allow.Number | Allow.Whole)) != 0 ? checkNumber(at, node, flags, depth) : skipOdd(at, 0x30, depth);
  }
}

/** Notes and skips a value of a kind that its node does not allow. `kind` is a character that represents the kind. */
function skipOdd(at: usize, kind: u8, depth: i32): usize {
  noteOddity(Odd.Kind, depth, kind);
  return skipAny(at, depth);
}

function readArray(open: usize, node: usize, depth: i32): usize {
  if (depth > MOST_DEPTH) {
    return 0;
  }
  const item = <usize>load<u32>(node + Node.Item);
  let count: u32 = 0;
  let at = skipSpace(open + 1);
  while (load<u8>(at) != 0x5d) {
    step(depth + 1, item);
    at = skipSpace(readValue(at, item, depth + 1));
    count++;
    if (load<u8>(at) != 0x5d) {
      at = skipComma(at);
      if (at == 0 || load<u8>(at) == 0x5d) {
        return 0;
      }
    }
  }
  if (count < load<u32>(node + Node.ItemsMin)) {
    noteOddity(Odd.FewItems, depth, 0);
  } else if (count > load<u32>(node + Node.ItemsMax)) {
    noteOddity(Odd.ManyItems, depth, 0);
  }
  return at + 1;
}
