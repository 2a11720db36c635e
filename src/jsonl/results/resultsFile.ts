import { isUtf8 } from 'node:buffer';
import { IdTable } from '../files/idTable';
import { forEachArrivingLine, forEachLine, type LineInBuffer, type LineVisitor, type PassContext } from '../files/lineFile';
import { decodeString } from '../scanning/jsonBytes';
import { ResultsScanner } from '../scanning/resultsScanner';
import type { Arrival } from './arrival';
import { type NamedIds, resultStates } from './resultsReport';
import type { Span } from './span';

/** No place: an answer without a text, an id the input does not have. */
export const none = 0xffff_ffff;

/** Facts about results, one row each, as columns: 100,000 rows take 5 MB. The arrays may be longer than `count`. */
export interface ResultColumns {
  readonly count: number;
  /** Offset of the bytes of `result` (of the whole line in a joined file). */
  readonly offsets: Float64Array;
  readonly lengths: Uint32Array;
  /** Number of the id in the table that goes with the rows. */
  readonly ids: Uint32Array;
  /** Place in `resultStates`. */
  readonly states: Uint8Array;
  /** Numbers in the table of reasons, plus 1; 0 for none. */
  readonly stopReasons: Uint32Array;
  readonly errorTypes: Uint32Array;
  readonly inputTokens: Uint32Array;
  readonly outputTokens: Uint32Array;
  /** Read from a cache, and written to one; neither is among `inputTokens`. */
  readonly cacheReadTokens: Uint32Array;
  readonly cacheWriteTokens: Uint32Array;
  /** Where the opening quote of the answer's text or of the error's message stands, from `offsets`; `none` without one. */
  readonly texts: Uint32Array;
}

/** Columns that grow by rows. */
export class ResultRows implements ResultColumns {
  count = 0;
  offsets: Float64Array;
  lengths: Uint32Array;
  ids: Uint32Array;
  states: Uint8Array;
  stopReasons: Uint32Array;
  errorTypes: Uint32Array;
  inputTokens: Uint32Array;
  outputTokens: Uint32Array;
  cacheReadTokens: Uint32Array;
  cacheWriteTokens: Uint32Array;
  texts: Uint32Array;

  constructor(length: number) {
    this.offsets = new Float64Array(length);
    this.lengths = new Uint32Array(length);
    this.ids = new Uint32Array(length);
    this.states = new Uint8Array(length);
    this.stopReasons = new Uint32Array(length);
    this.errorTypes = new Uint32Array(length);
    this.inputTokens = new Uint32Array(length);
    this.outputTokens = new Uint32Array(length);
    this.cacheReadTokens = new Uint32Array(length);
    this.cacheWriteTokens = new Uint32Array(length);
    this.texts = new Uint32Array(length);
  }

  /** Makes room for one more row and returns its number. */
  add(): number {
    if (this.count === this.offsets.length) {
      this.grow(this.count * 2);
    }
    return this.count++;
  }

  private grow(length: number): void {
    this.offsets = larger(this.offsets, new Float64Array(length));
    this.lengths = larger(this.lengths, new Uint32Array(length));
    this.ids = larger(this.ids, new Uint32Array(length));
    this.states = larger(this.states, new Uint8Array(length));
    this.stopReasons = larger(this.stopReasons, new Uint32Array(length));
    this.errorTypes = larger(this.errorTypes, new Uint32Array(length));
    this.inputTokens = larger(this.inputTokens, new Uint32Array(length));
    this.outputTokens = larger(this.outputTokens, new Uint32Array(length));
    this.cacheReadTokens = larger(this.cacheReadTokens, new Uint32Array(length));
    this.cacheWriteTokens = larger(this.cacheWriteTokens, new Uint32Array(length));
    this.texts = larger(this.texts, new Uint32Array(length));
  }
}

function larger<T extends Float64Array | Uint32Array | Uint8Array>(from: T, into: T): T {
  into.set(from);
  return into;
}

/** What one pass over a raw results file found. Rows are in the order of the file, the first answer of each id. */
export interface RawResults {
  readonly bytes: number;
  readonly rows: ResultColumns;
  /** Ids of the rows: those of the input first, then those it does not have. */
  readonly ids: IdTable;
  /** How many of `ids` are of the input. */
  readonly expectedIds: number;
  readonly reasons: IdTable;
  /** Row that answers the id with this number; `none` when there is none. */
  readonly rowOfId: Uint32Array;
  readonly unexpected: Tally;
  readonly duplicate: Tally;
  readonly damaged: { readonly count: number; readonly firstLines: readonly number[] };
}

/** A count, and the first 100 of what was counted. */
export class Tally implements NamedIds {
  count = 0;
  readonly first: string[] = [];

  add(name: () => string): void {
    if (this.count++ < listed) {
      this.first.push(name());
    }
  }

  /** Without the methods, as it travels between threads. */
  named(): NamedIds {
    return { count: this.count, first: this.first };
  }
}

/** How many ids or lines a report names. */
export const listed = 100;

/**
 * Reads a raw results file of any size in one pass with a buffer of its own and finds what each line answers. `input` holds the
 * ids of the input; those it does not have are added to it. Without it no id is unexpected. With `arrival` the file may still be
 * on its way and is read as it comes.
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

const otherState = resultStates.indexOf('other');
const erroredState = resultStates.indexOf('errored');

class ResultsVisitor implements LineVisitor {
  private readonly rows: ResultRows;
  private readonly reasons = new IdTable();
  private readonly ids: IdTable;
  private readonly expectedIds: number;
  private readonly unexpected = new Tally();
  private readonly duplicate = new Tally();
  private readonly damagedLines: number[] = [];
  private damagedCount = 0;
  private lastState = 0;
  private lastReason = 0;
  private rowOfId: Uint32Array;
  private readonly line = new ResultsScanner();
  private readonly states = new IdTable();
  private bytes: Uint8Array = new Uint8Array();

  constructor(private readonly input: IdTable | undefined) {
    this.ids = input ?? new IdTable();
    this.expectedIds = this.ids.size;
    this.rows = new ResultRows(Math.max(this.expectedIds, 1024));
    this.rowOfId = new Uint32Array(Math.max(this.expectedIds, 64)).fill(none);
    for (const state of resultStates.slice(0, -1)) {
      this.states.add(Buffer.from(state), 0, state.length);
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
    const row = rows.add();
    this.rowOfId[id] = row;
    const state = this.stateOf(line.type);
    const text = state === erroredState ? line.errorMessage : line.text;
    rows.ids[row] = id;
    rows.offsets[row] = offset + line.result.start - start;
    rows.lengths[row] = line.result.end - line.result.start;
    rows.states[row] = state;
    rows.stopReasons[row] = this.reasonOf(line.stopReason);
    rows.errorTypes[row] = this.reasonOf(line.errorType);
    rows.inputTokens[row] = line.inputTokens;
    rows.outputTokens[row] = line.outputTokens;
    rows.cacheReadTokens[row] = line.cacheReadTokens;
    rows.cacheWriteTokens[row] = line.cacheWriteTokens;
    rows.texts[row] = text.present ? text.start - line.result.start : none;
    return end;
  }

  reject(found: LineInBuffer | undefined, line: number): void {
    if (found !== undefined && isBlank(found)) {
      return;
    }
    if (this.damagedCount++ < listed) {
      this.damagedLines.push(line);
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
      damaged: { count: this.damagedCount, firstLines: this.damagedLines },
    };
  }

  private idOf(span: Span): number {
    const id = this.add(this.ids, span);
    if (id >= this.rowOfId.length) {
      this.rowOfId = larger(this.rowOfId, new Uint32Array(id * 2).fill(none));
    }
    return id;
  }

  private stateOf(span: Span): number {
    if (!span.present) {
      return otherState;
    }
    // Most lines are like the one before.
    if (!span.escaped && this.states.matches(this.lastState, this.bytes, span.start + 1, span.end - 1)) {
      return this.lastState;
    }
    const text = this.decoded(span) ?? this.bytes.subarray(span.start + 1, span.end - 1);
    const state = this.states.find(text, 0, text.length);
    if (state < 0) {
      return otherState;
    }
    this.lastState = state;
    return state;
  }

  private reasonOf(span: Span): number {
    if (!span.present) {
      return 0;
    }
    const { reasons, lastReason } = this;
    if (!span.escaped && lastReason < reasons.size && reasons.matches(lastReason, this.bytes, span.start + 1, span.end - 1)) {
      return lastReason + 1;
    }
    this.lastReason = this.add(reasons, span);
    return this.lastReason + 1;
  }

  private add(table: IdTable, span: Span): number {
    const text = this.decoded(span);
    return text === undefined ? table.add(this.bytes, span.start + 1, span.end - 1) : table.add(text, 0, text.length);
  }

  /** The bytes of a string that is written with escapes. */
  private decoded(span: Span): Uint8Array | undefined {
    return span.escaped ? Buffer.from(decodeString(this.bytes, span.start, span.end)) : undefined;
  }
}

function isBlank({ bytes, start, end }: LineInBuffer): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) {
      return false;
    }
  }
  return true;
}
