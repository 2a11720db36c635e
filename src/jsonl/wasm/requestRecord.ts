// AssemblyScript. The record that the scan writes for each line and ../requestScanner.ts reads: words of 32 bits.

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

/** How far the record of the next line stands behind that of a line. */
export const RECORD_BYTES: usize = 56;

// What the scan says about a line.
export const STATUS_UNKNOWN: u32 = 0;
export const STATUS_REQUEST: u32 = 1;
export const STATUS_PARAMS: u32 = 2;
export const STATUS_BLANK: u32 = 3;
/** An object that is neither a request nor params. */
export const STATUS_OTHER: u32 = 4;

/** The record of the line that is read. */
let record: usize = 0;

/** Takes the record at `at` for the line that is read next, with no text noted yet. */
export function beginRecord(at: usize): void {
  record = at;
  store<u64>(record + RECORD_ID, 0);
  store<u64>(record + RECORD_MODEL, 0);
}

/** Notes where the text stands that `capture` names: the id or the model. */
export function noteText(capture: u32, start: usize, end: usize): void {
  const word = record + (capture == CAPTURE_ID ? RECORD_ID : RECORD_MODEL);
  store<u32>(word, <u32>start);
  store<u32>(word + 4, <u32>end);
}

/** Writes the record of the line [start, end): its value, notes, oddities and `max_tokens`. */
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
