// AssemblyScript. Counts the cache markers of a request. ../rules/findCacheMarkers.ts decides whether there are too many or they are out of
// order.

import { hadEscapes } from './jsonScan';

const MOST_MARKERS: u32 = 4;

let count: u32 = 0;
let isLong: bool = false;
let hasLong: bool = false;
let hasShort: bool = false;
let isDoubtful: bool = false;

/** Clears the markers of the previous line. */
export function clearMarkers(): void {
  count = 0;
  isLong = false;
  hasLong = false;
  hasShort = false;
  isDoubtful = false;
}

/** Returns whether the rules have to check the markers. */
export function hasUncertainMarkers(): bool {
  return isDoubtful || count > MOST_MARKERS || (hasLong && hasShort);
}

/** Reads the `ttl` of the current marker, a string [start, end) including its quotes. */
export function addCacheTime(start: usize, end: usize): void {
  isDoubtful = isDoubtful || hadEscapes();
  // "1h"
  isLong = end - start == 4 && load<u16>(start + 1) == 0x6831;
}

/** Counts the current marker. Must be called after each marker. */
export function addCacheMarker(): void {
  count++;
  hasLong = hasLong || isLong;
  hasShort = hasShort || !isLong;
  isLong = false;
}
