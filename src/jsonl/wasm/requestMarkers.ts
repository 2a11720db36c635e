// AssemblyScript. The cache markers of a request, wherever they stand. Whether too many or out of order is for
// ../rules/findCacheMarkers.ts to say.

import { hadEscapes } from './jsonScan';

const MOST_MARKERS: u32 = 4;

let count: u32 = 0;
let isLong: bool = false;
let hasLong: bool = false;
let hasShort: bool = false;
let isDoubtful: bool = false;

/** Forgets the markers of the line before. */
export function clearMarkers(): void {
  count = 0;
  isLong = false;
  hasLong = false;
  hasShort = false;
  isDoubtful = false;
}

/** Whether the rules have to judge the markers. */
export function hasDoubtfulMarkers(): bool {
  return isDoubtful || count > MOST_MARKERS || (hasLong && hasShort);
}

/** The `ttl` of the marker that is read, a text [start, end) with quotation marks. */
export function addCacheTime(start: usize, end: usize): void {
  isDoubtful = isDoubtful || hadEscapes();
  // "1h"
  isLong = end - start == 4 && load<u16>(start + 1) == 0x6831;
}

/** Called behind each marker. */
export function addCacheMarker(): void {
  count++;
  hasLong = hasLong || isLong;
  hasShort = hasShort || !isLong;
  isLong = false;
}
