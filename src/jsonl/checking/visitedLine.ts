import { derivedId } from '../files/derivedIds';
import type { Noted } from '../rules/lineNotes';
import type { RuleOptions } from '../rules/ruleOptions';
import { parseJsonLine } from '../scanning/jsonText';
import { decodeLine } from '../scanning/lineText';
import { type CheckedLine, checkRequestLine, type LineKind } from './requestRules';

/** Text in UTF-8: the bytes [start, end). */
export interface ByteRange {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** One line of a request file during a pass. Positions are offsets in `bytes`, valid until the visitor returns. */
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
  /** Findings of the rules, without ranges. `checkVisited` returns these. */
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

/** Returns the id with which a line is sent: the given one, or the one derived for bare params. It is empty if the line has none. */
export function sentIdOf({ kind, line, id }: VisitedLine): ByteRange {
  return kind === 'params' ? toByteRange(derivedId(line)) : (id ?? { bytes: noBytes, start: 0, end: 0 });
}

/** Decodes a text. */
export function textOf({ bytes, start, end }: ByteRange): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}

/** Returns all findings of the rules with ranges. The line must be UTF-8. */
export function checkVisited(line: VisitedLine, rules: RuleOptions): CheckedLine {
  return line.checked ?? checkRequestLine(textOf(line), line.line, rules);
}

/** Returns the range of the `custom_id` value in a line, in UTF-16 columns. */
export function columnsOfId(line: VisitedLine, id: ByteRange): readonly [start: number, end: number] {
  if (line.checked !== undefined) {
    const node = parseJsonLine(decodeLine(line.bytes.subarray(line.start, line.end)).text).root?.children?.get('custom_id');
    return [node?.start ?? 0, node?.end ?? 0];
  }
  const offset = id.start - 1 - line.start;
  // Anything this close to the start of the line is ASCII.
  const start = offset < 16 ? offset : columnsIn(line.bytes, line.start, id.start - 1);
  return [start, start + columnsIn(line.bytes, id.start, id.end) + 2];
}

/** Counts the UTF-16 columns of the text in [start, end), which is mostly ASCII. */
function columnsIn(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    if ((bytes[at] ?? 0) >= 0x80) {
      return textOf({ bytes, start, end }).length;
    }
  }
  return end - start;
}
