import { kindOf } from '../../../shared/session/rows/rowKinds';
import type { EventMoment, Row } from '../../../shared/session/rows/rows';

/** An event of a replay. `is` is set if steps by message or by error stop at the event. */
export interface ReplayMark extends EventMoment {
  readonly is?: 'message' | 'error';
}

export type StepBy = 'event' | 'message' | 'error';

/** Returns a mark for each event of the rows, in order, including the events folded into them. */
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
      // A failed row counts as an error at its end.
      marks.push({ seq: end.seq, at: end.at, ...(isError ? { is: 'error' } : {}) });
    }
  }
  return marks.sort((a, b) => a.seq - b.seq);
}

function endOf(row: Row): EventMoment | undefined {
  return row.kind === 'tool' ? (row.result ?? row.ended) : row.kind === 'model' || row.kind === 'outcome' ? row.end : undefined;
}

/** Returns the sequence number of the next or previous event, message or error, or `undefined`. Marks are sorted by sequence number. */
export function stepFrom(marks: readonly ReplayMark[], seq: number, lastSeq: number, by: StepBy, direction: 1 | -1): number | undefined {
  if (by === 'event') {
    const next = seq + direction;
    return next < 0 || next > lastSeq ? undefined : next;
  }
  return direction === 1
    ? marks.find(mark => mark.seq > seq && mark.is === by)?.seq
    : marks.findLast(mark => mark.seq < seq && mark.is === by)?.seq;
}

/** Returns the time of the event at `seq`, or of the last earlier event that has a time. */
export function momentAt(marks: readonly ReplayMark[], seq: number): number | undefined {
  return marks.findLast(mark => mark.seq <= seq && mark.at !== undefined)?.at;
}

const longestPause = 2000;
const shortestPause = 20;

/** Returns the delay before the next event of a replay in milliseconds: the original time, bounded, divided by the speed. */
export function pauseBefore(marks: readonly ReplayMark[], seq: number, speed: number, minPause: number): number {
  const before = momentAt(marks, seq);
  const after = momentAt(marks, seq + 1);
  const passed = before === undefined || after === undefined ? 500 : after - before;
  return Math.max(minPause, shortestPause, Math.min(longestPause, passed / speed));
}
