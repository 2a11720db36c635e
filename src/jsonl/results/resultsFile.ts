import { isUtf8 } from 'node:buffer';
import type { Arrival } from '../files/arrival';
import { IdTable } from '../files/idTable';
import { forEachArrivingLine, forEachLine, type LineInBuffer, type LineVisitor, type PassContext } from '../files/lineFile';
import { textOf } from '../files/spanReader';
import { Tally } from '../files/tally';
import { grown } from '../files/typedArrays';
import { BACKSLASH, decodeString, QUOTE } from '../scanning/jsonBytes';
import { isSpace } from '../scanning/jsonMembers';
import type { Span } from './resultLineScanner';
import { isEmptyContent, statusOf, storedAnswers, toStored } from './resultStatus';
import { ResultsScanner } from './resultsScanner';

/** Marks a missing value: an answer without a text, or an id without an answer. */
export const none = 0xffff_ffff;

export const wordColumns = [
  // Length of the row in bytes, and index of its id in the id table.
  ...(['lengths', 'ids'] as const),
  // Index in the table of reasons, plus 1. 0 if there is no reason.
  ...(['stopReasons', 'errorTypes', 'models'] as const),
  // See `TokenCounts`.
  ...(['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'cacheWrite5mTokens', 'cacheWrite1hTokens'] as const),
  // 1 for an answer without input or output token counts.
  'uncounted',
  // Offset of the opening quote of the answer's text or the error message, from the start of the row, or `none`.
  'texts',
] as const;

export type WordColumns = Record<(typeof wordColumns)[number], Uint32Array>;

/** Facts about results in columns, one row per result: 100,000 rows take 6 MB. The arrays may be longer than `count`. */
export interface ResultColumns extends Readonly<WordColumns> {
  readonly count: number;
  /** Offset of the bytes of `result`. In a joined file, offset of the whole line. */
  readonly offsets: Float64Array;
  /** Positions in `storedStatuses`. */
  readonly statuses: Uint8Array;
}

/** Growable columns. */
type ResultRows = { -readonly [K in keyof ResultColumns]: ResultColumns[K] };

/** Creates empty columns with capacity for `length` rows. */
export function createRows(length: number): ResultRows {
  const words = wordColumns.map(name => [name, new Uint32Array(length)] as const);
  const columns = Object.fromEntries(words) as WordColumns;
  return { count: 0, offsets: new Float64Array(length), statuses: new Uint8Array(length), ...columns };
}

export function addRow(rows: ResultRows): number {
  if (rows.count === rows.offsets.length) {
    const length = rows.count * 2;
    rows.offsets = grown(rows.offsets, new Float64Array(length));
    rows.statuses = grown(rows.statuses, new Uint8Array(length));
    for (const name of wordColumns) {
      rows[name] = grown(rows[name], new Uint32Array(length));
    }
  }
  return rows.count++;
}

/** Results found in one pass over a raw results file. Rows are in file order, with only the first answer of each id. */
export interface RawResults {
  readonly bytes: number;
  readonly rows: ResultColumns;
  /** Ids of the input first, then ids of results that are not in the input. */
  readonly ids: IdTable;
  /** Number of ids in `ids` that are in the input. */
  readonly expectedIds: number;
  readonly reasons: IdTable;
  /** Row of the answer by id number. `none` if there is no answer. */
  readonly rowOfId: Uint32Array;
  readonly unexpected: Tally<string>;
  readonly duplicate: Tally<string>;
  readonly damaged: Tally<number>;
}

/** Maximum number of ids or lines that a report lists. */
export const listed = 100;

/**
 * Scans a raw results file of any size in one pass. `input` contains the ids of the input. Unexpected ids are added to `input`. Without
 * `input`, no id is unexpected. With `arrival`, the file may still be downloading and is read as it grows.
 */
export async function scanResults(
  path: string,
  input: IdTable | undefined,
  context: PassContext,
  arrival: Arrival | undefined,
  onRead: (doneBytes: number) => void,
): Promise<RawResults> {
  const visitor = new ResultsVisitor(input);
  const bytes =
    arrival === undefined
      ? forEachLine(path, visitor, onRead)
      : await forEachArrivingLine(path, arrival, visitor, onRead, () => context.throwIfAborted());
  return visitor.results(bytes);
}

/** Result types of the contract, numbered from 1. 0 means that there is no type. A higher number means an unknown type. */
const resultTypes = ['succeeded', 'errored', 'canceled', 'expired'];
const erroredType = resultTypes.indexOf('errored') + 1;

class ResultsVisitor implements LineVisitor {
  private readonly rows: ResultRows;
  private readonly reasons = new IdTable();
  private readonly ids: IdTable;
  private readonly expectedIds: number;
  private readonly unexpected = new Tally<string>(listed);
  private readonly duplicate = new Tally<string>(listed);
  private readonly damaged = new Tally<number>(listed);
  private lastType = 0;
  private lastReason = 0;
  private lastModel = 0;
  /** Decoded texts of `reasons`. */
  private readonly reasonTexts: string[] = [];
  private rowOfId: Uint32Array;
  private readonly line = new ResultsScanner();
  private readonly types = new IdTable();
  private bytes: Uint8Array = new Uint8Array();

  constructor(private readonly input: IdTable | undefined) {
    this.ids = input ?? new IdTable();
    this.expectedIds = this.ids.size;
    this.rows = createRows(Math.max(this.expectedIds, 1024));
    this.rowOfId = new Uint32Array(Math.max(this.expectedIds, 64)).fill(none);
    for (const type of resultTypes) {
      this.types.addText(type);
    }
  }

  buffer(bytes: number): Buffer {
    const buffer = this.line.buffer(bytes);
    this.bytes = buffer;
    return buffer;
  }

  region(end: number): void {
    this.line.region(end);
  }

  visit(start: number, _line: number, offset: number, hasInvalidUtf8: boolean): number {
    const line = this.line;
    const end = line.scan(start);
    if (end < 0 || (hasInvalidUtf8 && !isUtf8(this.bytes.subarray(start, end)))) {
      return -1;
    }
    const id = this.idOf(line.customId);
    if ((this.rowOfId[id] as number) !== none) {
      this.duplicate.add(() => this.ids.text(id));
      return end;
    }
    if (this.input !== undefined && id >= this.expectedIds) {
      this.unexpected.add(() => this.ids.text(id));
    }
    const rows = this.rows;
    const row = addRow(rows);
    this.rowOfId[id] = row;
    this.lastType = this.numberOf(this.types, line.type, this.lastType);
    this.lastReason = this.numberOf(this.reasons, line.stopReason, this.lastReason);
    this.lastModel = this.numberOf(this.reasons, line.model, this.lastModel);
    const text = this.lastType === erroredType ? line.errorMessage : line.text;
    rows.ids[row] = id;
    rows.offsets[row] = offset + line.result.start - start;
    rows.lengths[row] = line.result.end - line.result.start;
    rows.statuses[row] = this.statusOf(this.lastType, this.lastReason);
    rows.stopReasons[row] = this.lastReason;
    rows.errorTypes[row] = this.numberOf(this.reasons, line.errorType, 0);
    rows.models[row] = this.lastModel;
    rows.uncounted[row] = line.isCounted || storedAnswers[rows.statuses[row] as number] !== true ? 0 : 1;
    rows.inputTokens[row] = line.inputTokens;
    rows.outputTokens[row] = line.outputTokens;
    rows.cacheReadTokens[row] = line.cacheReadTokens;
    rows.cacheWriteTokens[row] = Math.max(line.cacheWriteTokens, line.cacheWrite5mTokens + line.cacheWrite1hTokens);
    rows.cacheWrite5mTokens[row] = line.cacheWrite5mTokens;
    rows.cacheWrite1hTokens[row] = line.cacheWrite1hTokens;
    rows.texts[row] = text.present ? text.start - line.result.start : none;
    return end;
  }

  reject(found: LineInBuffer | undefined, line: number): void {
    if (found === undefined || !found.bytes.subarray(found.start, found.end).every(isSpace)) {
      this.damaged.add(() => line);
    }
  }

  results(bytes: number): RawResults {
    return {
      bytes,
      rows: this.rows,
      ids: this.ids,
      expectedIds: this.expectedIds,
      reasons: this.reasons,
      rowOfId: this.rowOfId.subarray(0, this.ids.size),
      unexpected: this.unexpected,
      duplicate: this.duplicate,
      damaged: this.damaged,
    };
  }

  private idOf(span: Span): number {
    const id = this.add(this.ids, span);
    if (id >= this.rowOfId.length) {
      this.rowOfId = grown(this.rowOfId, new Uint32Array(id * 2).fill(none));
    }
    return id;
  }

  private statusOf(type: number, reason: number): number {
    if (reason > 0) {
      this.reasonTexts[reason] ??= this.reasons.text(reason - 1);
    }
    return toStored(statusOf(resultTypes[type - 1], this.reasonTexts[reason], this.isEmpty));
  }

  /** Returns whether the answer of the line is empty. Parses only lines whose first text may be blank. */
  private readonly isEmpty = (): boolean => {
    const { text, result } = this.line;
    if (text.present && hasVisible(this.bytes, text.start + 1)) {
      return false;
    }
    const { message } = JSON.parse(textOf({ bytes: this.bytes, start: result.start, end: result.end }));
    return isEmptyContent((message as { readonly content?: unknown } | null | undefined)?.content);
  };

  /** Returns the index of a text in a table, plus 1, or 0 without a text. Tries `last` first: most lines repeat it. */
  private numberOf(table: IdTable, span: Span, last: number): number {
    if (!span.present) {
      return 0;
    }
    const isSame = last > 0 && !span.escaped && table.matches(last - 1, this.bytes, span.start + 1, span.end - 1);
    return isSame ? last : (table === this.types ? this.find(table, span) : this.add(table, span)) + 1;
  }

  /** Returns the index of a text, or -1. Types are only looked up, because a foreign file can have as many types as lines. */
  private find(table: IdTable, span: Span): number {
    const text = this.decoded(span) ?? this.bytes.subarray(span.start + 1, span.end - 1);
    return table.find(text, 0, text.length);
  }

  private add(table: IdTable, span: Span): number {
    const text = this.decoded(span);
    return text === undefined ? table.add(this.bytes, span.start + 1, span.end - 1) : table.add(text, 0, text.length);
  }

  /** Returns the decoded UTF-8 bytes of a string, or `undefined` for a string without escapes. */
  private decoded(span: Span): Uint8Array | undefined {
    return span.escaped ? Buffer.from(decodeString(this.bytes, span.start, span.end)) : undefined;
  }
}

/** The second byte of an escaped line end, tab or form feed. */
const escapedSpace: readonly number[] = Array.from('nrtf', letter => letter.charCodeAt(0));
const LOWER_U = 0x75;

/** Returns whether a JSON string starts with a visible character, after white space. Returns false if only a parser can tell. */
function hasVisible(bytes: Uint8Array, start: number): boolean {
  let at = start;
  let first = bytes[at] as number;
  while (first === 0x20 || (first === BACKSLASH && escapedSpace.includes(bytes[at + 1] as number))) {
    at += first === BACKSLASH ? 2 : 1;
    first = bytes[at] as number;
  }
  if (first === BACKSLASH) {
    return bytes[at + 1] !== LOWER_U;
  }
  if (first < 0x80) {
    return first > 0x20 && first !== QUOTE;
  }
  // All white space beyond ASCII starts with one of these bytes.
  return (
    ![0xc2, 0xe1, 0xe2, 0xe3, 0xef].includes(first) ||
    Buffer.from(bytes.subarray(at, at + 3))
      .toString('utf8')
      .trim() !== ''
  );
}
