import type { Row } from '../../../shared/session/rows';

/** What a replay knows of an event: its place, its moment, and what kind of row shows it. */
export type ReplayMark = Pick<Row, 'seq' | 'at' | 'kind'>;

export type StepBy = 'event' | 'message' | 'error';

/**
 * The place of the next or previous event, message or error from `seq`; undefined when there is none. Marks come in order of
 * their places. Place -1 is before the first event.
 */
export function stepFrom(marks: readonly ReplayMark[], seq: number, lastSeq: number, by: StepBy, direction: 1 | -1): number | undefined {
  if (by === 'event') {
    const next = seq + direction;
    return next < 0 || next > lastSeq ? undefined : next;
  }
  const isWanted = ({ kind }: ReplayMark): boolean =>
    by === 'error' ? kind === 'error' : kind === 'user' || kind === 'agent' || kind === 'system';
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
