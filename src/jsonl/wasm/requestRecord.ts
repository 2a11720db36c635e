// AssemblyScript. Writes the record of a line, which ../checking/requestScanner.ts reads. It has words of 32 bits.

import { CAPTURE_ID } from './requestTables';

const RECORD_START: usize = 0;
const RECORD_END: usize = 4;
const RECORD_STATUS: usize = 8;
const RECORD_ID: usize = 12;
const RECORD_MODEL: usize = 20;
const RECORD_VALUE_START: usize = 28;
const RECORD_VALUE_END: usize = 32;
const RECORD_NOTES: usize = 36;
const RECORD_ODDITIES: usize = 40;
const RECORD_MAX_TOKENS: usize = 48;

/** Size of a record, in bytes. */
export const RECORD_BYTES: usize = 56;

// Result of the scan for a line.
export const STATUS_UNKNOWN: u32 = 0;
export const STATUS_REQUEST: u32 = 1;
export const STATUS_PARAMS: u32 = 2;
export const STATUS_BLANK: u32 = 3;
export const STATUS_OTHER: u32 = 4;

let record: usize = 0;

/** Starts the record of the next line at `at`, without id and model. */
export function beginRecord(at: usize): void {
  record = at;
  store<u64>(record + RECORD_ID, 0);
  store<u64>(record + RECORD_MODEL, 0);
}

/** Sets the range of the id or the model, depending on `capture`. */
export function noteText(capture: u32, start: usize, end: usize): void {
  const word = record + (capture == CAPTURE_ID ? RECORD_ID : RECORD_MODEL);
  store<u32>(word, <u32>start);
  store<u32>(word + 4, <u32>end);
}

/** Completes the record of the line [start, end). */
export function endRecord(
  start: usize,
  end: usize,
  status: u32,
  valueStart: usize,
  valueEnd: usize,
  notes: u32,
  oddities: u64,
  maxTokens: u32,
): void {
  store<u32>(record + RECORD_START, <u32>start);
  store<u32>(record + RECORD_END, <u32>end);
  store<u32>(record + RECORD_STATUS, status);
  store<u32>(record + RECORD_VALUE_START, <u32>valueStart);
  store<u32>(record + RECORD_VALUE_END, <u32>valueEnd);
  store<u32>(record + RECORD_NOTES, notes);
  store<u64>(record + RECORD_ODDITIES, oddities);
  store<u32>(record + RECORD_MAX_TOKENS, maxTokens);
}
