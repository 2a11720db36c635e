// AssemblyScript. Finds base64 data that may not match its media type. ../rules/findPictures.ts decides whether there is a finding.

import { isText } from './jsonScan';
import { ask } from './requestOddities';

/** Media types, and below them the first base64 characters of their data. */
const TYPES: StaticArray<string> = ['image/jpeg', 'image/png', 'image/gif', 'application/pdf', 'image/webp'];
const STARTS: StaticArray<string> = ['/9j/', 'iVBORw0KGgo', 'R0lGOD', 'JVBERi', 'UklGR'];
const WEBP: i32 = 4;
const NONE: i32 = -1;
/** Another type, or unknown bytes. */
const OTHER: i32 = 5;

/** Indexes of the stated and the detected type of the current source, or `NONE` until they are read. */
let said: i32 = NONE;
let found: i32 = NONE;

/** Clears the sources of the previous line. */
export function clearPictures(): void {
  said = NONE;
  found = NONE;
}

/** Returns whether a source has data but no type, or a type but no data. */
export function hasHalfPicture(): bool {
  return said != NONE || found != NONE;
}

/** Reads the media type of a source, a string that starts with its opening quote at `start`. */
export function addMediaType(start: usize): void {
  if (said != NONE) {
    ask();
  }
  said = 0;
  while (said < OTHER && !(isText(start + 1, TYPES[said]) && load<u8>(start + 1 + TYPES[said].length) == 0x22)) {
    said++;
  }
  compare();
}

/** Reads the data of a source, a string that starts with its opening quote at `start`. */
export function addBase64(start: usize): void {
  // A `data:` prefix can be in upper or lower case.
  if (found != NONE || (load<u32>(start + 1) | 0x20202020) == 0x61746164) {
    ask();
  }
  found = 0;
  while (found < OTHER && !isText(start + 1, STARTS[found])) {
    found++;
  }
  if (found == WEBP && !isText(start + 13, 'RUJQ')) {
    found = OTHER;
  }
  compare();
}

function compare(): void {
  if (said != NONE && found != NONE) {
    if (said != found && said != OTHER && found != OTHER) {
      ask();
    }
    said = NONE;
    found = NONE;
  }
}
