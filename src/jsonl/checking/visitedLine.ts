import { derivedId } from '../files/derivedIds';
import type { Noted } from '../rules/lineNotes';
import type { CheckedLine, LineKind } from './requestRules';

/** Text in UTF-8: the bytes [start, end). */
export interface ByteRange {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** One line of a request file during a pass. Positions are offsets in `bytes`. They are valid until the visitor returns. */
export interface VisitedLine extends ByteRange {
  /** 0-based line number. */
  readonly line: number;
  readonly kind: LineKind;
  /** Offset in the file of the first byte of `bytes`. */
  readonly fileOffset: number;
  /** Range of the JSON value: the line without surrounding white space. */
  readonly valueStart: number;
  readonly valueEnd: number;
  /** The given id and the model, if they are strings. */
  readonly id: ByteRange | undefined;
  readonly model: ByteRange | undefined;
  /** Result of the rules, unless the line is certainly valid. */
  readonly checked: CheckedLine | undefined;
  /** Findings of the rules, without ranges. `checkRequestLine` returns them with ranges. */
  readonly noted: readonly Noted[];
  /** UTF-16 column of the first byte that is not UTF-8. */
  readonly invalidAt: number | undefined;
  /** True if the line is too long to be checked. Its bytes are not available. */
  readonly isTooLong: boolean;
}

const encoder = new TextEncoder();
const noBytes = new Uint8Array(0);

/** Encodes a text. */
export function toByteRange(text: string): ByteRange {
  const bytes = encoder.encode(text);
  return { bytes, start: 0, end: bytes.length };
}

/** Returns the id that is sent for a line: the given one, or the one derived for bare params. It is empty if the line has no id. */
export function sentIdOf({ kind, line, id }: VisitedLine): ByteRange {
  return kind === 'params' ? toByteRange(derivedId(line)) : (id ?? { bytes: noBytes, start: 0, end: 0 });
}

/** Decodes a text. */
export function textOf({ bytes, start, end }: ByteRange): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}
