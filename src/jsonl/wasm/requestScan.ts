// AssemblyScript, compiled to WebAssembly with SIMD during the build. Scans request lines in memory and classifies each: certainly valid,
// odd with a hash of its oddities, or unknown. It follows tables that ../checking/requestScanTable.ts compiles from the schemas. Odd and
// unknown lines are checked by ../checking/requestRules.ts. A line that has findings there must never be valid here.

import { MOST_PLAIN_BYTES, placePlain, plainEnd, plainStart, readPlain } from './jsonPlain';
import { findLineFeed, skipSpace } from './jsonScan';
import { clearKeys, KEYS_BYTES, placeKeys } from './requestFreeValue';
import { clearNotes, finishNotes, notedMaxTokens, placeNotes } from './requestNotes';
import { clearOddities, lacksEverything, odditiesWith, placeSteps, STEPS_BYTES } from './requestOddities';
import {
  beginRecord,
  endRecord,
  RECORD_BYTES,
  STATUS_BLANK,
  STATUS_OTHER,
  STATUS_PARAMS,
  STATUS_REQUEST,
  STATUS_UNKNOWN,
} from './requestRecord';
import { lookUp, OBJECT_TABLE } from './requestTables';
import { readObject } from './requestValue';

let requestObject: usize = 0;
let paramsObject: usize = 0;
/** End of the last scan: the start of the first incomplete line. */
let consumed: usize = 0;

/** Sets the table objects for whole requests and for bare params, and uses 64 KiB of memory at `keys`. */
export function configure(request: usize, params: usize, keys: usize): void {
  requestObject = request;
  paramsObject = params;
  placeKeys(keys);
  placeSteps(keys + KEYS_BYTES);
  placePlain(keys + KEYS_BYTES + STEPS_BYTES);
  placeNotes(keys + KEYS_BYTES + STEPS_BYTES + MOST_PLAIN_BYTES);
}

/** Returns the start of the next scan, after the last line with a record. */
export function consumedTo(): usize {
  return consumed;
}

/**
 * Writes a record for each line of [from, to) to `out`, at most `most`, and returns their number. A last line without LF counts only if
 * `isLast` is set. At least 16 bytes after `to` must be LF.
 */
export function scan(from: usize, to: usize, isLast: bool, out: usize, most: u32): u32 {
  let count: u32 = 0;
  let at = from;
  while (at < to && count < most) {
    begin(out);
    const start = skipSpace(at);
    let status = STATUS_UNKNOWN;
    let valueEnd: usize = 0;
    let end: usize = 0;
    const first = load<u8>(start);
    if (first == 0x0a) {
      status = STATUS_BLANK;
      end = start;
    } else if (first == 0x7b) {
      status = beginsWithRequestKey(start) ? STATUS_REQUEST : STATUS_PARAMS;
      valueEnd = readObject(start, status == STATUS_REQUEST ? requestObject : paramsObject, 0);
      if (valueEnd == 0 && status == STATUS_PARAMS) {
        // A later field may make it a request.
        begin(out);
        status = STATUS_REQUEST;
        valueEnd = readObject(start, requestObject, 0);
      }
      end = valueEnd == 0 ? 0 : skipSpace(valueEnd);
      if (end == 0 || load<u8>(end) != 0x0a) {
        end = 0;
        status = STATUS_UNKNOWN;
      } else if (lacksEverything()) {
        status = status == STATUS_PARAMS ? STATUS_OTHER : STATUS_UNKNOWN;
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
    const notes = finishNotes();
    endRecord(at, end, status, start, valueEnd, notes, odditiesWith(notes), notedMaxTokens());
    out += RECORD_BYTES;
    count++;
    at = end + 1;
  }
  consumed = at < to ? at : to;
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
  const at = skipSpace(open + 1);
  if (load<u8>(at) != 0x22) {
    return false;
  }
  return readPlain(at + 1) != 0 && lookUp(load<u32>(requestObject + OBJECT_TABLE), plainStart(), plainEnd()) != 0;
}
