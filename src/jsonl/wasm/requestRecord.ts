// AssemblyScript. Writes the record of a line, which ../checking/requestScanner.ts reads.

import { Capture, RecordWord } from './requestLayout';

/** Size of a record, in bytes. */
export const RECORD_BYTES: usize = RecordWord.Count * 4;

let record: usize = 0;

/** Starts an empty record for the next line at `at`. */
export function beginRecord(at: usize): void {
  record = at;
  memory.fill(record, 0, RECORD_BYTES);
}

/** Sets a word of the record. */
export function put(word: RecordWord, value: u32): void {
  store<u32>(record + ((<usize>word) << 2), value);
}

/** Sets the range of the id or the model, depending on `capture`. */
export function noteText(capture: Capture, start: usize, end: usize): void {
  const word = capture == Capture.Id ? RecordWord.IdStart : RecordWord.ModelStart;
  put(word, <u32>start);
  put(word + 1, <u32>end);
}
