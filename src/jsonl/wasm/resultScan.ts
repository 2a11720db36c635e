// AssemblyScript, compiled to WebAssembly with SIMD when the project is built. Reads lines of a results file in memory and says
// where the parts of each stand, or that it does not know: then ../results/resultLineScanner.ts decides, with the same answer for every
// line that is known here. Not known are escapes in keys, ids and reasons, keys that stand twice, numbers that are no small
// counts, escapes of half a surrogate pair, and nesting deeper than 60.

import { findLineFeed } from './jsonScan';
import { readLine } from './resultParts';
import { beginRecord, endRecord, RECORD_BYTES } from './resultRecord';

/**
 * Writes a record for each line of [from, to), `most` at most, and returns their number. `to` is behind a LF; at least 16 bytes
 * behind it can be read.
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
