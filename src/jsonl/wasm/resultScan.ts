// AssemblyScript, compiled to WebAssembly with SIMD during the build. Scans lines of a results file in memory and locates the parts of
// each. Leaves unknown lines to ../results/resultLineScanner.ts, which gives the same result for known ones. A line is unknown if it has
// escapes in keys, ids or reasons, duplicate keys, numbers that are not small counts, unpaired surrogate escapes, or nesting deeper than
// 60.

import { findLineFeed } from './jsonScan';
import { readLine } from './resultParts';
import { beginRecord, endRecord, RECORD_BYTES } from './resultRecord';

/**
 * Writes a record for each line of [from, to), at most `most`, and returns their number. `to` is after a LF. At least 16 bytes after it
 * must be readable.
 */
export function scan(from: usize, to: usize, out: usize, most: u32): u32 {
  let count: u32 = 0;
  let at = from;
  while (at < to && count < most) {
    beginRecord(out);
    let end = readLine(at);
    const known = end != 0;
    if (!known) {
      end = findLineFeed(at);
    }
    endRecord(at, end, known);
    out += RECORD_BYTES;
    count++;
    at = end + 1;
  }
  return count;
}
