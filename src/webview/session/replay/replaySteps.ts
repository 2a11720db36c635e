import type { Row } from '../../../shared/session/rows/rows';
import { kindOf } from '../../../shared/session/rows/rowKinds';

/** What a replay knows of an event: its place, its moment, and what one may look for there. */
export interface ReplayMark {
  readonly seq: number;
  readonly at: number | undefined;
  readonly is?: 'message' | 'error';
}

export type StepBy = 'event' | 'message' | 'error';

/** All events of a log as far as its rows tell of them, in their order: rows, and what is folded into them. */
export function toReplayMarks(rows: readonly Row[]): readonly ReplayMark[] {
  const marks: ReplayMark[] = [];
  for (const row of rows) {
    if (row.kind === 'gap') {
      continue;
    }
    const end = endOf(row);
    const isError = kindOf(row).isError(row);
    const isMessage = row.kind === 'user' || row.kind === 'agent' || row.kind === 'system';
    marks.push({ seq: row.seq, at: row.at, ...(isMessage ? { is: 'message' } : isError && end === undefined ? { is: 'error' } : {}) });
    if (row.kind === 'tool' && row.confirmation !== undefined) {
      marks.push({ seq: row.confirmation.seq, at: row.confirmation.at });
    }
    if (end !== undefined) {
      // What failed is seen where it ended.
      marks.push({ seq: end.seq, at: end.at, ...(isError ? { is: 'error' } : {}) });
    }
  }
  return marks.sort((a, b) => a.seq - b.seq);
}

function endOf(row: Row): { readonly seq: number; readonly at: number | undefined } | undefined {
  switch (row.kind) {
    case 'tool':
      return row.result ?? (row.endedSeq === undefined ? undefined : { seq: row.endedSeq, at: row.endedAt });
    case 'model':
      return row.endSeq === undefined ? undefined : { seq: row.endSeq, at: row.endAt };
    case 'outcome':
      return row.endSeq === undefined ? undefined : { seq: row.endSeq, at: undefined };
    default:
      return undefined;
  }
}

/**
 * The place of the next or previous event, message or error from `seq`; undefined when there is none. Marks come in order of
 * their places.
 */
export function stepFrom(marks: readonly ReplayMark[], seq: number, lastSeq: number, by: StepBy, direction: 1 | -1): number | undefined {
  if (by === 'event') {
    const next = seq + direction;
    return next < 0 || next > lastSeq ? undefined : next;
  }
  const isWanted = ({ is }: ReplayMark): boolean => is === by;
  if (direction === 1) {
    return marks.slice(firstFrom(marks, seq + 1)).find(isWanted)?.seq;
  }
  return marks.slice(0, firstFrom(marks, seq)).findLast(isWanted)?.seq;
}

/** The moment of the event at a place, or of the last one before it that tells one. */
export function momentAt(marks: readonly ReplayMark[], seq: number): number | undefined {
  for (let index = firstFrom(marks, seq + 1) - 1; index >= 0; index--) {
    const at = marks[index]?.at;
    if (at !== undefined) {
      return at;
    }
  }
  return undefined;
}

const longestPause = 2000;
const shortestPause = 20;

/** Milliseconds to wait before the next event in a replay: the time that passed, bounded, at a speed. */
export function pauseBefore(marks: readonly ReplayMark[], seq: number, speed: number, leastPause: number): number {
  const before = momentAt(marks, seq);
  const after = momentAt(marks, seq + 1);
  const passed = before === undefined || after === undefined ? 500 : after - before;
  return Math.max(leastPause, shortestPause, Math.min(longestPause, passed / speed));
}

/** Place in the list of the first mark whose event is not before `seq`. */
function firstFrom(marks: readonly ReplayMark[], seq: number): number {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((marks[middle]?.seq ?? 0) < seq) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
