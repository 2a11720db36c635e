import type { Noted } from '../rules/lineNotes';
import type { RuleOptions } from '../rules/ruleOptions';
import { parseJsonLine } from '../scanning/jsonText';
import { decodeLine } from '../scanning/lineScanner';
import { type CheckedLine, checkRequestLine } from './requestRules';

/** One line of a request file as a pass comes by it. Places are offsets in `bytes` and hold until the visitor returns. */
export interface VisitedLine {
  /** Counts from 0. */
  line: number;
  kind: 'request' | 'params' | 'blank' | 'invalid';
  bytes: Uint8Array;
  /** Offset in the file of the byte at place 0 of `bytes`. */
  fileOffset: number;
  /** The line without LF. */
  start: number;
  end: number;
  /** The JSON value: the line without white space around it. */
  valueStart: number;
  valueEnd: number;
  /** The given id, when there is one: `customId`, or the bytes [idStart, idEnd). */
  idStart: number;
  idEnd: number;
  customId: string | undefined;
  /** The model: `model`, or the bytes [modelStart, modelEnd). */
  modelStart: number;
  modelEnd: number;
  model: string | undefined;
  /** What the rules said, when the line was not certainly right. */
  checked: CheckedLine | undefined;
  /** What the rules would say of a line without `checked`; `checkVisited` tells where. */
  noted: readonly Noted[];
  /** UTF-16 column from which on the bytes are not UTF-8. */
  invalidAt: number | undefined;
  /** The line is longer than any that is looked into; its bytes are not there. */
  isTooLong: boolean;
}

/** Where an id mostly stands. */
const headBytes = 512;
const idKey = '"custom_id"';
const firstId = /^[ \t]*\{[ \t]*"custom_id"[ \t]*:[ \t]*("[ !#-[\]-~]*")/;

/** All that the rules say about a visited line that is UTF-8, with places. */
export function checkVisited(line: VisitedLine, rules: RuleOptions): CheckedLine {
  return line.checked ?? checkRequestLine(decodeLine(line.bytes.subarray(line.start, line.end)).text, line.line, rules);
}

/** Where the value of `custom_id` stands in a line, in UTF-16 columns. */
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
  // Whatever stands so close to the beginning is ASCII.
  const start = offset < 16 ? offset : decodeLine(line.bytes.subarray(line.start, line.idStart - 1)).text.length;
  return [start, start + columnsIn(line.bytes, line.idStart, line.idEnd) + 2];
}

/** UTF-16 columns of the text in [start, end), mostly ASCII. */
function columnsIn(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    if ((bytes[at] ?? 0) >= 0x80) {
      return decodeLine(bytes.subarray(start, end)).text.length;
    }
  }
  return end - start;
}

/** The columns of an id that stands first in its line, in ASCII, and nowhere again, as nearly all do: they need no parse. */
function plainColumnsOfId({ bytes, start, end }: VisitedLine): readonly [start: number, end: number] | undefined {
  const line = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  const found = firstId.exec(line.toString('latin1', 0, headBytes));
  return found?.[1] === undefined || line.indexOf(idKey, found[0].length) !== -1
    ? undefined
    : [found[0].length - found[1].length, found[0].length];
}
