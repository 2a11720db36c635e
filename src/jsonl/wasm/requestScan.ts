// AssemblyScript, compiled to WebAssembly with SIMD when the project is built. Reads request lines in memory and answers for
// each: certainly right, or not known. The tables it follows are compiled from the schemas by ../requestScanTable.ts; what is
// not known here is decided by ../requestRules.ts. Nothing here may accept what those refuse.

// Words of a node. A node says which values may stand at a place.
const NODE_FLAGS: usize = 0;
const NODE_CAPTURE: usize = 4;
const NODE_MIN: usize = 8;
const NODE_MAX: usize = 16;
const NODE_TEXT_MIN: usize = 24;
const NODE_TEXT_MAX: usize = 28;
const NODE_TEXT_KIND: usize = 32;
const NODE_TEXT_TABLE: usize = 36;
const NODE_ITEMS_MIN: usize = 40;
const NODE_ITEMS_MAX: usize = 44;
const NODE_ITEM: usize = 48;
const NODE_OBJECT: usize = 52;

const ALLOW_NULL: u32 = 1;
const ALLOW_BOOLEAN: u32 = 2;
const ALLOW_NUMBER: u32 = 4;
const ALLOW_WHOLE: u32 = 8;
const ALLOW_TEXT: u32 = 16;
const ALLOW_ARRAY: u32 = 32;
const ALLOW_OBJECT: u32 = 64;
const ALLOW_ANY: u32 = 128;

const TEXT_FREE: u32 = 0;
const TEXT_IDENTIFIER: u32 = 1;
const TEXT_SERVER_TOOL: u32 = 2;
const TEXT_LISTED: u32 = 3;

// Words of an object: how its fields are told apart.
const OBJECT_KIND: usize = 0;
const OBJECT_TABLE: usize = 4;
const OBJECT_REQUIRED: usize = 8;
const OBJECT_OTHER: usize = 16;

const OBJECT_FIELDS: u32 = 0;
const OBJECT_BY_TYPE: u32 = 1;

// A table of texts: 64 slots of address, length, target, bit.
const SLOT_LENGTH: usize = 4;
const SLOT_TARGET: usize = 8;
const SLOT_BIT: usize = 12;

// Words of a line's record.
const RECORD_START: usize = 0;
const RECORD_END: usize = 4;
const RECORD_STATUS: usize = 8;
const RECORD_ID_START: usize = 12;
const RECORD_ID_END: usize = 16;
const RECORD_MODEL_START: usize = 20;
const RECORD_MODEL_END: usize = 24;
const RECORD_VALUE_START: usize = 28;
const RECORD_VALUE_END: usize = 32;
const RECORD_BYTES: usize = 36;

const STATUS_UNKNOWN: u32 = 0;
const STATUS_REQUEST: u32 = 1;
const STATUS_PARAMS: u32 = 2;
const STATUS_BLANK: u32 = 3;

const MOST_DEPTH: i32 = 60;
const MOST_FREE_KEYS: usize = 128;

let requestObject: usize = 0;
let paramsObject: usize = 0;
let typeKey: usize = 0;
/** Hashes of the free-form keys of the objects that are open. */
let keyStack: usize = 0;
let keyTop: usize = 0;

let idStart: usize = 0;
let idEnd: usize = 0;
let modelStart: usize = 0;
let modelEnd: usize = 0;
/** Whether the text read last had escapes. */
let escaped: bool = false;
/** Where the scan stopped: the start of the first line that is not whole. */
let consumed: usize = 0;

export function configure(request: usize, params: usize, type: usize, keys: usize): void {
  requestObject = request;
  paramsObject = params;
  typeKey = type;
  keyStack = keys;
}

export function consumedTo(): usize {
  return consumed;
}

/**
 * Writes a record for each line of [from, to) to `out`, `most` at most, and returns their number. A last line without LF
 * counts only when `isLast`. At least 16 bytes behind `to` must be LF.
 */
export function scan(from: usize, to: usize, isLast: bool, out: usize, most: u32): u32 {
  let count: u32 = 0;
  let at = from;
  while (at < to && count < most) {
    idStart = idEnd = modelStart = modelEnd = 0;
    keyTop = keyStack;
    const start = skipSpace(at);
    let status = STATUS_UNKNOWN;
    let valueEnd: usize = 0;
    let end: usize = 0;
    const first = load<u8>(start);
    if (first == 0x0a) {
      status = STATUS_BLANK;
      end = start;
    } else if (first == 0x7b) {
      const isRequest = beginsWithRequestKey(start);
      valueEnd = readObject(start, isRequest ? requestObject : paramsObject, 0);
      if (valueEnd != 0) {
        end = skipSpace(valueEnd);
        if (load<u8>(end) == 0x0a) {
          status = isRequest ? STATUS_REQUEST : STATUS_PARAMS;
        } else {
          end = 0;
        }
      }
    }
    if (end == 0) {
      end = findLineFeed(at);
    }
    if (end >= to) {
      if (!isLast) {
        break;
      }
      end = to;
      if (status != STATUS_UNKNOWN && status != STATUS_BLANK && valueEnd > to) {
        status = STATUS_UNKNOWN;
      }
    }
    store<u32>(out + RECORD_START, <u32>at);
    store<u32>(out + RECORD_END, <u32>end);
    store<u32>(out + RECORD_STATUS, status);
    store<u32>(out + RECORD_ID_START, <u32>idStart);
    store<u32>(out + RECORD_ID_END, <u32>idEnd);
    store<u32>(out + RECORD_MODEL_START, <u32>modelStart);
    store<u32>(out + RECORD_MODEL_END, <u32>modelEnd);
    store<u32>(out + RECORD_VALUE_START, <u32>start);
    store<u32>(out + RECORD_VALUE_END, <u32>valueEnd);
    out += RECORD_BYTES;
    count++;
    at = end + 1;
  }
  consumed = at < to ? at : to;
  return count;
}

function findLineFeed(at: usize): usize {
  const lineFeeds = i8x16.splat(0x0a);
  while (true) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), lineFeeds));
    if (found != 0) {
      return at + ctz(found);
    }
    at += 16;
  }
}

function skipSpace(at: usize): usize {
  while (true) {
    const byte = load<u8>(at);
    if (byte != 0x20 && byte != 0x09 && byte != 0x0d) {
      return at;
    }
    at++;
  }
}

function beginsWithRequestKey(open: usize): bool {
  const at = skipSpace(open + 1);
  if (load<u8>(at) != 0x22) {
    return false;
  }
  const end = endOfPlainText(at + 1);
  return end != 0 && lookUp(load<u32>(requestObject + OBJECT_TABLE), at + 1, end) != 0;
}

/** Behind a text without escapes: where its closing quotation mark stands, or 0. Short texts only: keys and variants. */
function endOfPlainText(at: usize): usize {
  while (true) {
    const byte = load<u8>(at);
    if (byte == 0x22) {
      return at;
    }
    if (byte == 0x5c || byte < 0x20) {
      return 0;
    }
    at++;
  }
}

/** The slot of a text in a table, or 0. */
function lookUp(table: usize, start: usize, end: usize): usize {
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

/** Behind the closing quotation mark of the text that begins at `at`, or 0. */
function readText(at: usize): usize {
  const quotes = i8x16.splat(0x22);
  const backslashes = i8x16.splat(0x5c);
  const spaces = i8x16.splat(0x20);
  escaped = false;
  while (true) {
    const bytes = v128.load(at);
    const found = i8x16.bitmask(v128.or(v128.or(i8x16.eq(bytes, quotes), i8x16.eq(bytes, backslashes)), i8x16.lt_u(bytes, spaces)));
    if (found == 0) {
      at += 16;
      continue;
    }
    at += ctz(found);
    const byte = load<u8>(at);
    if (byte == 0x22) {
      return at + 1;
    }
    if (byte != 0x5c) {
      return 0;
    }
    escaped = true;
    at = readEscape(at);
    if (at == 0) {
      return 0;
    }
  }
}

function readEscape(at: usize): usize {
  switch (load<u8>(at + 1)) {
    case 0x22: // "
    case 0x5c: // \
    case 0x2f: // /
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return at + 2;
    case 0x75: {
      const unit = readHex(at + 2);
      if (unit < 0 || (unit >= 0xdc00 && unit <= 0xdfff)) {
        return 0;
      }
      if (unit < 0xd800 || unit > 0xdfff) {
        return at + 6;
      }
      if (load<u8>(at + 6) != 0x5c || load<u8>(at + 7) != 0x75) {
        return 0;
      }
      const low = readHex(at + 8);
      return low >= 0xdc00 && low <= 0xdfff ? at + 12 : 0;
    }
    default:
      return 0;
  }
}

function readHex(at: usize): i32 {
  let value: i32 = 0;
  for (let index: usize = 0; index < 4; index++) {
    const byte = <i32>load<u8>(at + index);
    let digit: i32;
    if (byte >= 0x30 && byte <= 0x39) {
      digit = byte - 0x30;
    } else if (byte >= 0x41 && byte <= 0x46) {
      digit = byte - 0x37;
    } else if (byte >= 0x61 && byte <= 0x66) {
      digit = byte - 0x57;
    } else {
      return -1;
    }
    value = (value << 4) | digit;
  }
  return value;
}

function readObject(open: usize, object: usize, depth: i32): usize {
  let fields = object;
  if (load<u32>(object + OBJECT_KIND) == OBJECT_BY_TYPE) {
    fields = variantOf(open, object, depth);
    if (fields == 0) {
      return 0;
    }
  }
  return readFields(open, fields, depth);
}

/** The fields of the variant that an object's `type` names; 0 when it is not known, or stands there twice. */
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
    const isType = keyEnd - at == 5 && load<u32>(at + 1) == load<u32>(typeKey);
    at = skipSpace(keyEnd + 1);
    if (load<u8>(at) != 0x3a) {
      return 0;
    }
    at = skipSpace(at + 1);
    if (isType) {
      if (load<u8>(at) == 0x6e) {
        return load<u32>(object + OBJECT_OTHER);
      }
      if (load<u8>(at) != 0x22) {
        return 0;
      }
      const end = endOfPlainText(at + 1);
      const slot: usize = end == 0 ? <usize>0 : lookUp(load<u32>(object + OBJECT_TABLE), at + 1, end);
      return slot == 0 ? <usize>0 : <usize>load<u32>(slot + SLOT_TARGET);
    }
    at = skipAny(at, depth + 1);
    if (at == 0) {
      return 0;
    }
    at = skipSpace(at);
    const next = load<u8>(at);
    if (next == 0x7d) {
      return load<u32>(object + OBJECT_OTHER);
    }
    if (next != 0x2c) {
      return 0;
    }
    at = skipSpace(at + 1);
  }
}

function readFields(open: usize, fields: usize, depth: i32): usize {
  if (depth > MOST_DEPTH) {
    return 0;
  }
  const table = <usize>load<u32>(fields + OBJECT_TABLE);
  const required = load<u64>(fields + OBJECT_REQUIRED);
  const other = <usize>load<u32>(fields + OBJECT_OTHER);
  const keyBase = keyTop;
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
    at = skipSpace(keyEnd + 1);
    if (load<u8>(at) != 0x3a) {
      return 0;
    }
    at = skipSpace(at + 1);
    const slot = lookUp(table, keyStart, keyEnd);
    let node = other;
    if (slot != 0) {
      const bit = (<u64>1) << load<u32>(slot + SLOT_BIT);
      if ((seen & bit) != 0) {
        return 0;
      }
      seen |= bit;
      node = load<u32>(slot + SLOT_TARGET);
    } else if (other == 0 || !pushKey(keyBase, keyStart, keyEnd)) {
      return 0;
    }
    at = readValue(at, node, depth + 1);
    if (at == 0) {
      return 0;
    }
    at = skipSpace(at);
    const next = load<u8>(at);
    if (next == 0x7d) {
      keyTop = keyBase;
      return (seen & required) == required ? at + 1 : 0;
    }
    if (next != 0x2c) {
      return 0;
    }
    at = skipSpace(at + 1);
  }
}

/** Remembers a free-form key of the object whose keys begin at `base`; false when it may stand there already. */
function pushKey(base: usize, start: usize, end: usize): bool {
  let hash: u32 = 0x811c9dc5;
  for (let at = start; at < end; at++) {
    hash = (hash ^ load<u8>(at)) * 0x01000193;
  }
  for (let at = base; at < keyTop; at += 4) {
    if (load<u32>(at) == hash) {
      return false;
    }
  }
  if (keyTop - base >= MOST_FREE_KEYS * 4) {
    return false;
  }
  store<u32>(keyTop, hash);
  keyTop += 4;
  return true;
}

function readValue(at: usize, node: usize, depth: i32): usize {
  const flags = load<u32>(node + NODE_FLAGS);
  if ((flags & ALLOW_ANY) != 0) {
    return skipAny(at, depth);
  }
  const byte = load<u8>(at);
  switch (byte) {
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
    const next = load<u8>(at);
    if (next == 0x5d) {
      return count >= least && count <= most ? at + 1 : 0;
    }
    if (next != 0x2c) {
      return 0;
    }
    at = skipSpace(at + 1);
  }
}

function checkText(at: usize, node: usize): usize {
  const end = readText(at + 1);
  if (end == 0) {
    return 0;
  }
  const start = at + 1;
  const bytes = <u32>(end - 1 - start);
  const kind = load<u32>(node + NODE_TEXT_KIND);
  if (kind == TEXT_FREE) {
    // A character is one to four bytes, escaped at most twelve.
    let least = escaped ? (bytes + 11) / 12 : (bytes + 3) / 4;
    let most = bytes;
    const min = load<u32>(node + NODE_TEXT_MIN);
    const max = load<u32>(node + NODE_TEXT_MAX);
    if (least < min || most > max) {
      if (escaped || bytes > 8192) {
        return 0;
      }
      least = most = countCharacters(start, end - 1);
      if (least < min || most > max) {
        return 0;
      }
    }
  } else if (escaped) {
    return 0;
  } else if (kind == TEXT_LISTED) {
    if (lookUp(load<u32>(node + NODE_TEXT_TABLE), start, end - 1) == 0) {
      return 0;
    }
  } else {
    if (bytes < load<u32>(node + NODE_TEXT_MIN) || bytes > load<u32>(node + NODE_TEXT_MAX)) {
      return 0;
    }
    let from = start;
    if (kind == TEXT_SERVER_TOOL) {
      // srvtoolu_
      if (bytes < 10 || load<u64>(start) != 0x756c6f6f74767273 || load<u8>(start + 8) != 0x5f) {
        return 0;
      }
      from += 9;
    }
    if (!isIdentifier(from, end - 1, kind == TEXT_IDENTIFIER)) {
      return 0;
    }
  }
  const capture = load<u32>(node + NODE_CAPTURE);
  if (capture != 0) {
    if (escaped) {
      return 0;
    }
    if (capture == 1) {
      idStart = start;
      idEnd = end - 1;
    } else {
      modelStart = start;
      modelEnd = end - 1;
    }
  }
  return end;
}

/** Of text that is UTF-8. */
function countCharacters(at: usize, end: usize): u32 {
  let count: u32 = 0;
  for (; at < end; at++) {
    if ((load<u8>(at) & 0xc0) != 0x80) {
      count++;
    }
  }
  return count;
}

function isIdentifier(at: usize, end: usize, hyphens: bool): bool {
  for (; at < end; at++) {
    const byte = load<u8>(at);
    const lower = byte | 0x20;
    if (!((lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte == 0x5f || (hyphens && byte == 0x2d))) {
      return false;
    }
  }
  return true;
}

/** Small plain numbers only; what is long, has an exponent or is out of range is not known here. */
function checkNumber(at: usize, node: usize, flags: u32): usize {
  let negative = false;
  if (load<u8>(at) == 0x2d) {
    negative = true;
    at++;
  }
  const start = at;
  let value: f64 = 0;
  let byte = load<u8>(at);
  while (byte >= 0x30 && byte <= 0x39) {
    value = value * 10 + <f64>(byte - 0x30);
    byte = load<u8>(++at);
  }
  let digits = at - start;
  if (digits == 0 || (digits > 1 && load<u8>(start) == 0x30)) {
    return 0;
  }
  if (byte == 0x2e) {
    if ((flags & ALLOW_NUMBER) == 0) {
      return 0;
    }
    let scale: f64 = 1;
    byte = load<u8>(++at);
    const fraction = at;
    while (byte >= 0x30 && byte <= 0x39) {
      value = value * 10 + <f64>(byte - 0x30);
      scale *= 10;
      byte = load<u8>(++at);
    }
    if (at == fraction) {
      return 0;
    }
    digits += at - fraction;
    value /= scale;
  }
  if (digits > 15 || byte == 0x65 || byte == 0x45) {
    return 0;
  }
  if (negative) {
    value = -value;
  }
  return value >= load<f64>(node + NODE_MIN) && value <= load<f64>(node + NODE_MAX) ? at : 0;
}

/** Behind `null`, `true` or `false`, or 0. */
function readWord(at: usize): usize {
  const word = load<u32>(at);
  if (word == 0x6c6c756e || word == 0x65757274) {
    return at + 4;
  }
  return word == 0x736c6166 && load<u8>(at + 4) == 0x65 ? at + 5 : 0;
}

/** Behind any JSON value without duplicate keys, or 0. */
function skipAny(at: usize, depth: i32): usize {
  switch (load<u8>(at)) {
    case 0x22:
      return readText(at + 1);
    case 0x7b:
      return skipAnyObject(at, depth);
    case 0x5b:
      return skipAnyArray(at, depth);
    case 0x6e:
    case 0x74:
    case 0x66:
      return readWord(at);
    default:
      return skipNumber(at);
  }
}

function skipAnyObject(open: usize, depth: i32): usize {
  if (depth > MOST_DEPTH) {
    return 0;
  }
  const keyBase = keyTop;
  let at = skipSpace(open + 1);
  if (load<u8>(at) == 0x7d) {
    return at + 1;
  }
  while (true) {
    if (load<u8>(at) != 0x22) {
      return 0;
    }
    const keyStart = at + 1;
    const keyEnd = endOfPlainText(keyStart);
    if (keyEnd == 0 || !pushKey(keyBase, keyStart, keyEnd)) {
      return 0;
    }
    at = skipSpace(keyEnd + 1);
    if (load<u8>(at) != 0x3a) {
      return 0;
    }
    at = skipAny(skipSpace(at + 1), depth + 1);
    if (at == 0) {
      return 0;
    }
    at = skipSpace(at);
    const next = load<u8>(at);
    if (next == 0x7d) {
      keyTop = keyBase;
      return at + 1;
    }
    if (next != 0x2c) {
      return 0;
    }
    at = skipSpace(at + 1);
  }
}

function skipAnyArray(open: usize, depth: i32): usize {
  if (depth > MOST_DEPTH) {
    return 0;
  }
  let at = skipSpace(open + 1);
  if (load<u8>(at) == 0x5d) {
    return at + 1;
  }
  while (true) {
    at = skipAny(at, depth + 1);
    if (at == 0) {
      return 0;
    }
    at = skipSpace(at);
    const next = load<u8>(at);
    if (next == 0x5d) {
      return at + 1;
    }
    if (next != 0x2c) {
      return 0;
    }
    at = skipSpace(at + 1);
  }
}

function skipNumber(at: usize): usize {
  if (load<u8>(at) == 0x2d) {
    at++;
  }
  let start = at;
  at = skipDigits(at);
  if (at == start || (at - start > 1 && load<u8>(start) == 0x30)) {
    return 0;
  }
  if (load<u8>(at) == 0x2e) {
    start = ++at;
    at = skipDigits(at);
    if (at == start) {
      return 0;
    }
  }
  if ((load<u8>(at) | 0x20) == 0x65) {
    const sign = load<u8>(++at);
    if (sign == 0x2b || sign == 0x2d) {
      at++;
    }
    start = at;
    at = skipDigits(at);
    if (at == start) {
      return 0;
    }
  }
  return at;
}

function skipDigits(at: usize): usize {
  while (true) {
    const byte = load<u8>(at);
    if (byte < 0x30 || byte > 0x39) {
      return at;
    }
    at++;
  }
}
