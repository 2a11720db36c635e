import type { Noted } from '../rules/lineNotes';
import type { RuleOptions } from '../rules/ruleOptions';
import { parseJsonLine } from '../scanning/jsonText';
import { decodeLine } from '../scanning/lineText';
import { type CheckedLine, checkRequestLine } from './requestRules';

/** One line of a request file during a pass. Positions are offsets in `bytes`, valid until the visitor returns. */
export interface VisitedLine {
  /** 0-based line number. */
  line: number;
  kind: 'request' | 'params' | 'blank' | 'invalid';
  bytes: Uint8Array;
  /** Offset in the file of the first byte of `bytes`. */
  fileOffset: number;
  /** Range of the line without LF. */
  start: number;
  end: number;
  /** Range of the JSON value: the line without surrounding white space. */
  valueStart: number;
  valueEnd: number;
  /** The given id, if any: `customId`, or the bytes [idStart, idEnd). */
  idStart: number;
  idEnd: number;
  customId: string | undefined;
  /** The model, if any: `model`, or the bytes [modelStart, modelEnd). */
  modelStart: number;
  modelEnd: number;
  model: string | undefined;
  /** Result of the rules, unless the line is certainly valid. */
  checked: CheckedLine | undefined;
  /** Findings that the rules would report for a line without `checked`. `checkVisited` returns their ranges. */
  noted: readonly Noted[];
  /** UTF-16 column of the first byte that is not UTF-8. */
  invalidAt: number | undefined;
  /** True if the line is too long to be checked. Its bytes are not available. */
  isTooLong: boolean;
}

/** Number of bytes at the start of a line that usually contain the id. */
const headBytes = 512;
const idKey = '"custom_id"';
const firstId = /^[ \t]*\{[ \t]*"custom_id"[ \t]*:[ \t]*("[ !#-[\]-~]*")/;

/** Returns all findings of the rules with ranges. The line must be UTF-8. */
export function checkVisited(line: VisitedLine, rules: RuleOptions): CheckedLine {
  return line.checked ?? checkRequestLine(decodeLine(line.bytes.subarray(line.start, line.end)).text, line.line, rules);
}

/** Returns the range of the `custom_id` value in a line, in UTF-16 columns. */
export function columnsOfId(line: VisitedLine): readonly [start: number, end: number] {
  if (line.customId !== undefined) {
    const plain = plainColumnsOfId(line);
    if (plain !== undefined) {
      return plain;
    }
    const { text } = decodeLine(line.bytes.subarray(line.start, line.end));
    const node = parseJsonLine(text, true).root?.children?.get('custom_id');
    return [node?.start ?? 0, node?.end ?? 0];
  }
  const offset = line.idStart - 1 - line.start;
  // Anything this close to the start of the line is ASCII.
  const start = offset < 16 ? offset : decodeLine(line.bytes.subarray(line.start, line.idStart - 1)).text.length;
  return [start, start + columnsIn(line.bytes, line.idStart, line.idEnd) + 2];
}

/** Counts the UTF-16 columns of the text in [start, end), which is mostly ASCII. */
function columnsIn(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    if ((bytes[at] ?? 0) >= 0x80) {
      return decodeLine(bytes.subarray(start, end)).text.length;
    }
  }
  return end - start;
}

/** Returns the columns of an ASCII id that is the first field and only `custom_id`, as in nearly all lines. Needs no parsing. */
function plainColumnsOfId({ bytes, start, end }: VisitedLine): readonly [start: number, end: number] | undefined {
  const line = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  const found = firstId.exec(line.toString('latin1', 0, headBytes));
  return found?.[1] === undefined || line.indexOf(idKey, found[0].length) !== -1
    ? undefined
    : [found[0].length - found[1].length, found[0].length];
}
