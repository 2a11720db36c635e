import { derivedId } from '../files/derivedIds';
import type { Noted } from '../rules/lineNotes';
import type { CheckedLine, LineKind } from './requestRules';

/** Text in UTF-8: the bytes [start, end). */
export interface ByteRange {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** One line of a request file during a pass. Positions are offsets in `bytes`, valid until the visitor returns. */
export class VisitedLine implements ByteRange {
  kind: LineKind = 'invalid';
  /** Range of the JSON value: the line without surrounding white space. */
  valueStart: number;
  valueEnd: number;
  /** Ranges of the given id and of the model, if they are strings. */
  id: ByteRange | undefined;
  model: ByteRange | undefined;
  /** Result of the rules. `undefined` if they did not need to check the line. */
  checked: CheckedLine | undefined;
  /** Findings of the rules, without ranges. `checkRequestLine` returns them with ranges. */
  noted: readonly Noted[] = nothing;
  /** UTF-16 column of the first byte that is not UTF-8. */
  invalidAt: number | undefined;
  /** True if the line is too long to be checked. Its bytes are not available. */
  isTooLong = false;

  constructor(
    /** 0-based line number. */
    readonly line: number,
    readonly bytes: Uint8Array,
    /** Offset in the file of the first byte of `bytes`. */
    readonly fileOffset: number,
    readonly start = 0,
    readonly end = 0,
  ) {
    this.valueStart = start;
    this.valueEnd = end;
  }
}

const nothing: readonly Noted[] = [];
const encoder = new TextEncoder();
const noBytes = new Uint8Array(0);

export function toByteRange(text: string): ByteRange {
  const bytes = encoder.encode(text);
  return { bytes, start: 0, end: bytes.length };
}

/** Returns the id that is sent for a line: the given id, or the id derived for bare params. Empty if the line has no id. */
export function sentIdOf({ kind, line, id }: VisitedLine): ByteRange {
  return kind === 'params' ? toByteRange(derivedId(line)) : (id ?? { bytes: noBytes, start: 0, end: 0 });
}
