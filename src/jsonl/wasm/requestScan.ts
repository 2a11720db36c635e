// AssemblyScript, compiled to WebAssembly with SIMD during the build. Scans request lines in memory and classifies each: certainly valid,
// odd with a hash of its oddities, or unknown. Uses tables that ../checking/requestScanTable.ts compiles from the schemas. Odd and unknown
// lines are checked by ../checking/requestRules.ts. A line that has findings there must never be valid here.

import { plainEnd, plainStart, readKey } from './jsonPlain';
import { findLineFeed, skipSpace } from './jsonScan';
import { clearKeys } from './requestFreeValue';
import { ObjectWord, RecordWord, ScanStatus } from './requestLayout';
import { clearNotes, finishNotes, notedMaxTokens } from './requestNotes';
import { clearOddities, isOther, notes, oddities } from './requestOddities';
import { beginRecord, put, RECORD_BYTES } from './requestRecord';
import { readObject } from './requestValue';
import { lookUp } from './textTable';

let requestObject: usize = 0;
let paramsObject: usize = 0;

/** Sets the table objects for whole requests and for bare params. */
export function configure(request: usize, params: usize): void {
  requestObject = request;
  paramsObject = params;
}

/** Writes a record for each line of [from, to) to `out`, at most `most`, and returns their number. The last byte must be a LF. */
export function scan(from: usize, to: usize, out: usize, most: u32): u32 {
  let count: u32 = 0;
  let at = from;
  while (at < to && count < most) {
    begin(out);
    const start = skipSpace(at);
    let status = ScanStatus.Unknown;
    let valueEnd: usize = 0;
    let end: usize = 0;
    const first = load<u8>(start);
    if (first == 0x0a) {
      status = ScanStatus.Blank;
      end = start;
    } else if (first == 0x7b) {
      status = beginsWithRequestKey(start) ? ScanStatus.Request : ScanStatus.Params;
      valueEnd = readObject(start, status == ScanStatus.Request ? requestObject : paramsObject, 0);
      if (valueEnd == 0 && status == ScanStatus.Params) {
        // A later field may show that the line is a request.
        begin(out);
        status = ScanStatus.Request;
        valueEnd = readObject(start, requestObject, 0);
      }
      end = skipSpace(valueEnd);
      if (load<u8>(end) != 0x0a) {
        end = 0;
        status = ScanStatus.Unknown;
      } else if (isOther) {
        status = status == ScanStatus.Params ? ScanStatus.Other : ScanStatus.Unknown;
      }
    }
    if (end == 0) {
      end = findLineFeed(at);
    }
    finishNotes();
    put(RecordWord.Start, <u32>at);
    put(RecordWord.End, <u32>end);
    put(RecordWord.Status, status);
    put(RecordWord.ValueStart, <u32>start);
    put(RecordWord.ValueEnd, <u32>valueEnd);
    put(RecordWord.Notes, notes);
    put(RecordWord.Oddities, <u32>oddities);
    put(RecordWord.Oddities + 1, <u32>(oddities >> 32));
    put(RecordWord.MaxTokens, notedMaxTokens());
    out += RECORD_BYTES;
    count++;
    at = end + 1;
  }
  return count;
}

/** Clears the state of the previous line and starts the record at `out`. */
function begin(out: usize): void {
  beginRecord(out);
  clearKeys();
  clearNotes();
  clearOddities();
}

function beginsWithRequestKey(open: usize): bool {
  return readKey(skipSpace(open + 1)) != 0 && lookUp(load<u32>(requestObject + ObjectWord.Table), plainStart, plainEnd) != 0;
}
