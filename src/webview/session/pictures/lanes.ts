import type { EventMoment, Row } from '../../../shared/session/rows/rows';
import type { ThreadView } from '../../../shared/session/threadViews';

/** An activity of a thread between two positions on the axis. `key` is the row to go to. */
export interface LaneSegment {
  readonly kind: 'running' | 'idle' | 'waiting' | 'model' | 'tool';
  readonly from: number;
  readonly to: number;
  readonly key: string;
}

/**
 * One thread. `states` don't overlap. `work` is drawn on top, in row order: model requests, tools, and single calls that wait for the user.
 */
export interface Lane {
  readonly thread: string;
  readonly name: string;
  readonly states: readonly LaneSegment[];
  readonly work: readonly LaneSegment[];
}

/**
 * Lanes on one axis. `time` is in milliseconds since 1970. `order` counts events. `order` is used if times are missing (`noTimes`), or if
 * several things happened in the same whole second (`wholeSeconds`).
 */
export interface Lanes {
  readonly axis: 'time' | 'order';
  readonly reason?: 'noTimes' | 'wholeSeconds';
  readonly from: number;
  readonly to: number;
  readonly lanes: readonly Lane[];
}

export interface LaneOptions {
  /** Axis to use. Defaults to time if the times are precise enough. */
  readonly axis?: Lanes['axis'];
  /** True if only the given threads get a lane: a workflow run can have a thousand. */
  readonly isComplete?: boolean;
}

/** Returns the position of a moment on the axis, if known. */
type PositionOf = (moment: EventMoment) => number | undefined;

/** Returns the lanes of a session's log, one per thread. Takes linear time in the number of rows. */
export function toLanes(rows: readonly Row[], threads: readonly ThreadView[], options: LaneOptions = {}): Lanes {
  const { axis, reason } = options.axis === undefined ? chooseAxis(rows) : { axis: options.axis, reason: undefined };
  const positionOf: PositionOf = ({ at, seq }) => (axis === 'time' ? at : seq);
  const [from, to] = extentOf(rows, positionOf);
  const primary = threads.find(({ isPrimary }) => isPrimary)?.id ?? '';
  const names = new Map(threads.map(({ id, name }) => [id, name]));
  const rowsOf = new Map<string, Row[]>(threads.map(({ id }) => [id, []]));
  for (const row of rows) {
    const own = rowsOf.get(row.thread ?? primary);
    if (own !== undefined) {
      own.push(row);
    } else if (row.thread === undefined || options.isComplete !== true) {
      rowsOf.set(row.thread ?? primary, [row]);
    }
  }
  const lanes = [...rowsOf].map(([thread, own]) => ({
    thread,
    name: names.get(thread) ?? thread,
    states: toStates(own, positionOf, to),
    work: own.flatMap(row => toWork(row, positionOf, to)),
  }));
  return { axis, ...(reason === undefined ? {} : { reason }), from, to, lanes };
}

/** Returns the states of a thread, each up to the next one or to `end`. */
function toStates(rows: readonly Row[], positionOf: PositionOf, end: number): readonly LaneSegment[] {
  const changes = rows.flatMap(row => {
    const kind = row.kind === 'status' ? stateKinds.get(row.status) : undefined;
    const from = positionOf(row);
    const isWaiting = row.kind === 'status' && row.stopReason === 'requires_action';
    return kind === undefined || from === undefined ? [] : [{ kind: isWaiting ? ('waiting' as const) : kind, from, key: row.key }];
  });
  return changes.flatMap(({ kind, from, key }, index) => {
    const to = changes[index + 1]?.from ?? end;
    return kind === 'ended' || to <= from ? [] : [{ kind, from, to, key }];
  });
}

function toWork(row: Row, positionOf: PositionOf, end: number): readonly LaneSegment[] {
  const segment = (kind: LaneSegment['kind'], start: EventMoment, stop: EventMoment | undefined): readonly LaneSegment[] => {
    const from = positionOf(start);
    const to = stop === undefined ? end : positionOf(stop);
    return from === undefined || to === undefined ? [] : [{ kind, from, to: Math.max(from, to), key: row.key }];
  };
  if (row.kind === 'model') {
    return segment('model', row, row.end);
  }
  if (row.kind !== 'tool') {
    return [];
  }
  const stop = row.result ?? row.ended ?? (row.state === 'denied' ? row.confirmation : undefined);
  if (row.askSeq === undefined && row.hold === undefined) {
    return segment('tool', row, stop);
  }
  // Moment from which the call was answered and not blocked by other asks.
  const answer = row.hold === undefined ? row.confirmation : row.hold.until;
  return answer === undefined || positionOf(answer) === undefined
    ? segment('waiting', row, stop)
    : [...segment('waiting', row, answer), ...segment('tool', answer, stop)];
}

const stateKinds: ReadonlyMap<string, 'running' | 'idle' | 'ended'> = new Map([
  ['running', 'running'],
  ['idle', 'idle'],
  ['rescheduled', 'idle'],
  ['terminated', 'ended'],
  ['deleted', 'ended'],
]);

function isStored(row: Row): boolean {
  return row.kind !== 'gap' && row.seq !== Number.MAX_SAFE_INTEGER;
}

function chooseAxis(rows: readonly Row[]): Pick<Lanes, 'axis' | 'reason'> {
  const stored = rows.filter(isStored);
  const times = stored.flatMap(({ at }) => at ?? []);
  // Queued events have no time yet, so a few missing times are normal.
  if (times.length < stored.length * 0.9 || times.length === 0) {
    return { axis: 'order', reason: 'noTimes' };
  }
  const areCoarse = times.every(at => at % 1000 === 0) && new Set(times).size * 2 < times.length;
  return areCoarse ? { axis: 'order', reason: 'wholeSeconds' } : { axis: 'time' };
}

function extentOf(rows: readonly Row[], positionOf: PositionOf): readonly [from: number, to: number] {
  const [first = 0, ...others] = rows
    .filter(isStored)
    .flatMap(row => [row, ...(row.kind === 'model' ? [row.end] : row.kind === 'tool' ? [row.confirmation, row.result, row.ended] : [])])
    .flatMap(moment => (moment && positionOf(moment)) ?? []);
  return others.reduce(([from, to], position) => [Math.min(from, position), Math.max(to, position)], [first, first]);
}
