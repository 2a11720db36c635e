// AssemblyScript. Finds base64 data that may not match its media type. ../rules/findPictures.ts decides.

import { hadEscapes } from './jsonScan';

const NONE: u32 = 0;
const JPEG: u32 = 1;
const PNG: u32 = 2;
const GIF: u32 = 3;
const WEBP: u32 = 4;
const PDF: u32 = 5;
/** Another type, or unknown bytes. */
const OTHER: u32 = 6;

/** Stated and detected type of the current source, `NONE` until it is read. */
let said: u32 = NONE;
let found: u32 = NONE;
let isDoubtful: bool = false;

/** Clears the sources of the previous line. */
export function clearPictures(): void {
  said = NONE;
  found = NONE;
  isDoubtful = false;
}

/** Returns whether the rules have to check the sources. Also true if a source has data but no type, or a type but no data. */
export function hasUncertainPictures(): bool {
  return isDoubtful || said != NONE || found != NONE;
}

/** Reads the media type of a source, a string [start, end) including its quotes. */
export function addMediaType(start: usize, end: usize): void {
  isDoubtful = isDoubtful || hadEscapes() || said != NONE;
  said = typeNamed(start + 1, end - 1);
  compare();
}

/** Reads the data of a source, a string [start, end) including its quotes. */
export function addBase64(start: usize, end: usize): void {
  isDoubtful = isDoubtful || hadEscapes() || found != NONE;
  found = typeOf(start + 1, end - 1);
  compare();
}

function compare(): void {
  if (said != NONE && found != NONE) {
    isDoubtful = isDoubtful || (said != found && said != OTHER && found != OTHER);
    said = NONE;
    found = NONE;
  }
}

function typeNamed(start: usize, end: usize): u32 {
  const length = end - start;
  if (length == 15) {
    // application/pdf
    return load<u64>(start) == 0x746163696c707061 && load<u32>(start + 11) == 0x6664702f ? PDF : OTHER;
  }
  // image/
  if (length < 9 || load<u32>(start) != 0x67616d69 || load<u16>(start + 4) != 0x2f65) {
    return OTHER;
  }
  const word = load<u32>(start + 6);
  if (length == 9) {
    // png, gif
    return (word & 0xffffff) == 0x676e70 ? PNG : (word & 0xffffff) == 0x666967 ? GIF : OTHER;
  }
  // jpeg, webp
  return length != 10 ? OTHER : word == 0x6765706a ? JPEG : word == 0x70626577 ? WEBP : OTHER;
}

function typeOf(start: usize, end: usize): u32 {
  if (end - start < 4) {
    return OTHER;
  }
  const first = load<u32>(start);
  // data, in upper or lower case
  if ((first | 0x20202020) == 0x61746164) {
    isDoubtful = true;
    return OTHER;
  }
  // /9j/
  if (first == 0x2f6a392f) {
    return JPEG;
  }
  if (end - start < 6) {
    return OTHER;
  }
  const next = load<u16>(start + 4);
  // R0lGOD
  if (first == 0x476c3052 && next == 0x444f) {
    return GIF;
  }
  // JVBERi
  if (first == 0x4542564a && next == 0x6952) {
    return PDF;
  }
  // iVBORw0KGgo
  if (end - start >= 11 && first == 0x4f425669 && load<u32>(start + 4) == 0x4b307752 && (load<u32>(start + 7) >> 8) == 0x6f6747) {
    return PNG;
  }
  // UklGR, and RUJQ from 12 on
  return end - start >= 16 && first == 0x476c6b55 && load<u8>(start + 4) == 0x52 && load<u32>(start + 12) == 0x514a5552 ? WEBP : OTHER;
}
