// AssemblyScript. Whether data in base64 begins as its media type says: the answers of ../rules/findPictures.ts where they are certain.

import { hadEscapes } from './jsonScan';

const NONE: u32 = 0;
const JPEG: u32 = 1;
const PNG: u32 = 2;
const GIF: u32 = 3;
const WEBP: u32 = 4;
const PDF: u32 = 5;
/** Another type, or bytes of which nothing is known. */
const OTHER: u32 = 6;

/** What was read of the source that is read; `NONE` before. */
let said: u32 = NONE;
let found: u32 = NONE;
let isDoubtful: bool = false;

/** Forgets the sources of the line before. */
export function clearPictures(): void {
  said = NONE;
  found = NONE;
  isDoubtful = false;
}

/** Whether the rules have to look, also when a source has data and no type, or a type and no data. */
export function hasDoubtfulPictures(): bool {
  return isDoubtful || said != NONE || found != NONE;
}

/** The media type of a source, a text [start, end) with quotation marks. */
export function addMediaType(start: usize, end: usize): void {
  isDoubtful = isDoubtful || hadEscapes() || said != NONE;
  said = typeNamed(start + 1, end - 1);
  compare();
}

/** The data of a source, likewise. */
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
  // data, in any case
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
