// AssemblyScript. Recognizes the relevant keys of a results line.

// Objects with relevant keys.
export const LINE: u32 = 1;
export const RESULT: u32 = 2;
export const MESSAGE: u32 = 3;
export const USAGE: u32 = 4;
export const BLOCK: u32 = 5;
export const ERROR: u32 = 6;
export const INNER: u32 = 7;
export const CACHE: u32 = 8;

// Relevant fields. The numbers are also bit positions for duplicates.
export const F_ID: u32 = 1;
export const F_RESULT: u32 = 2;
export const F_TYPE: u32 = 3;
export const F_MESSAGE: u32 = 4;
export const F_STOP: u32 = 5;
export const F_USAGE: u32 = 6;
export const F_INPUT: u32 = 7;
export const F_OUTPUT: u32 = 8;
export const F_CONTENT: u32 = 9;
export const F_TEXT: u32 = 10;
export const F_ERROR: u32 = 11;
export const F_CACHE_READ: u32 = 12;
export const F_CACHE_WRITE: u32 = 13;
export const F_MODEL: u32 = 14;
export const F_CACHE: u32 = 15;
export const F_CACHE_WRITE_5M: u32 = 16;
export const F_CACHE_WRITE_1H: u32 = 17;

/** Returns the field for a key of `length` bytes at `at`, without escapes, in an object of the kind `place`. 0 if it is irrelevant. */
export function fieldOf(place: u32, at: usize, length: u32): u32 {
  switch (place) {
    case LINE:
      if (length == 9 && load<u64>(at) == 0x695f6d6f74737563 && load<u8>(at + 8) == 0x64) {
        return F_ID;
      }
      return length == 6 && load<u32>(at) == 0x75736572 && load<u16>(at + 4) == 0x746c ? F_RESULT : 0;
    case RESULT:
    case ERROR:
      return isType(at, length) ? F_TYPE : isMessage(at, length) ? F_MESSAGE : isError(at, length) ? F_ERROR : 0;
    case MESSAGE:
      if (length == 7) {
        return load<u32>(at) == 0x746e6f63 && load<u32>(at + 3) == 0x746e6574 ? F_CONTENT : 0;
      }
      if (length == 5) {
        if (load<u32>(at) == 0x65646f6d) {
          return load<u8>(at + 4) == 0x6c ? F_MODEL : 0;
        }
        return load<u32>(at) == 0x67617375 && load<u8>(at + 4) == 0x65 ? F_USAGE : 0;
      }
      return length == 11 && load<u64>(at) == 0x6165725f706f7473 && load<u32>(at + 7) == 0x6e6f7361 ? F_STOP : 0;
    case USAGE:
      if (length == 12) {
        return load<u64>(at) == 0x6f745f7475706e69 && load<u32>(at + 8) == 0x736e656b ? F_INPUT : 0;
      }
      if (length == 13) {
        return load<u64>(at) == 0x745f74757074756f && load<u64>(at + 5) == 0x736e656b6f745f74 ? F_OUTPUT : 0;
      }
      if (length == 14) {
        return load<u64>(at) == 0x72635f6568636163 && load<u64>(at + 6) == 0x6e6f697461657263 ? F_CACHE : 0;
      }
      return isCacheRead(at, length) ? F_CACHE_READ : isCacheWrite(at, length) ? F_CACHE_WRITE : 0;
    case CACHE:
      return cacheWriteOf(at, length);
    case BLOCK:
      return length == 4 && load<u32>(at) == 0x74786574 ? F_TEXT : 0;
    default:
      return isType(at, length) ? F_TYPE : isMessage(at, length) ? F_MESSAGE : 0;
  }
}

/** Matches `ephemeral_5m_input_tokens` and `ephemeral_1h_input_tokens`. */
function cacheWriteOf(at: usize, length: u32): u32 {
  if (
    length != 25 ||
    load<u64>(at) != 0x6172656d65687065 ||
    load<u8>(at + 16) != 0x75 ||
    load<u64>(at + 17) != 0x736e656b6f745f74
  ) {
    return 0;
  }
  const lasting = load<u64>(at + 8);
  return lasting == 0x706e695f6d355f6c ? F_CACHE_WRITE_5M : lasting == 0x706e695f68315f6c ? F_CACHE_WRITE_1H : 0;
}

function isType(at: usize, length: u32): bool {
  return length == 4 && load<u32>(at) == 0x65707974;
}

function isMessage(at: usize, length: u32): bool {
  return length == 7 && load<u32>(at) == 0x7373656d && load<u32>(at + 3) == 0x65676173;
}

function isError(at: usize, length: u32): bool {
  return length == 5 && load<u32>(at) == 0x6f727265 && load<u8>(at + 4) == 0x72;
}

/** Matches `cache_read_input_tokens`. */
function isCacheRead(at: usize, length: u32): bool {
  return (
    length == 23 &&
    load<u64>(at) == 0x65725f6568636163 &&
    load<u64>(at + 8) == 0x7475706e695f6461 &&
    load<u64>(at + 15) == 0x736e656b6f745f74
  );
}

/** Matches `cache_creation_input_tokens`. */
function isCacheWrite(at: usize, length: u32): bool {
  return (
    length == 27 &&
    load<u64>(at) == 0x72635f6568636163 &&
    load<u64>(at + 8) == 0x695f6e6f69746165 &&
    load<u64>(at + 16) == 0x6b6f745f7475706e &&
    load<u64>(at + 19) == 0x736e656b6f745f74
  );
}
