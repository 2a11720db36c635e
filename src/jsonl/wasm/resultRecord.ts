// AssemblyScript. Writes the record of a line, which ../results/resultsScanner.ts reads. It has words of 32 bits. Two words are the range
// of a part of the line, 0 if it is missing.

const RECORD_START: usize = 0;
const RECORD_END: usize = 4;
const RECORD_KNOWN: usize = 8;
export const RECORD_ID: usize = 12;
export const RECORD_RESULT: usize = 20;
export const RECORD_TYPE: usize = 28;
export const RECORD_STOP: usize = 36;
export const RECORD_TEXT: usize = 44;
export const RECORD_ERROR_TYPE: usize = 52;
export const RECORD_ERROR_MESSAGE: usize = 60;
export const RECORD_MODEL: usize = 68;
export const RECORD_INPUT: usize = 76;
export const RECORD_OUTPUT: usize = 80;
export const RECORD_CACHE_READ: usize = 84;
export const RECORD_CACHE_WRITE: usize = 88;
export const RECORD_CACHE_WRITE_5M: usize = 92;
export const RECORD_CACHE_WRITE_1H: usize = 96;
/** 1 if the line has input tokens, followed by the same for output tokens. */
export const RECORD_HAS_INPUT: usize = 100;
export const RECORD_HAS_OUTPUT: usize = 104;

/** Size of a record, in bytes. */
export const RECORD_BYTES: usize = 108;

let record: usize = 0;

/** Starts an empty record for the next line at `at`. */
export function beginRecord(at: usize): void {
  record = at;
  memory.fill(record, 0, RECORD_BYTES);
}

/** Sets the range of the part `word` to [start, end), including quotes or brackets. */
export function notePart(word: usize, start: usize, end: usize): void {
  store<u32>(record + word, <u32>start);
  store<u32>(record + word + 4, <u32>end);
}

/** Stores a token count at the offset `word` of the record. */
export function noteCount(word: usize, count: u32): void {
  store<u32>(record + word, count);
}

/** Returns whether the part `word` is set. */
export function hasPart(word: usize): bool {
  return load<u32>(record + word) != 0;
}

/** Sets the range of the line and whether its parts are known. */
export function endRecord(start: usize, end: usize, known: bool): void {
  store<u32>(record + RECORD_START, <u32>start);
  store<u32>(record + RECORD_END, <u32>end);
  store<u32>(record + RECORD_KNOWN, known ? 1 : 0);
}
