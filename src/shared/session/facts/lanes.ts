import type { ModelRow, Row, StatusRow, ToolRow } from '../rows/rows';
import type { ThreadView } from '../threadViews';

/** An activity of a thread between two positions on the axis. `key` is the row to go to. */
export interface LaneSegment {
  readonly kind: 'running' | 'idle' | 'waiting' | 'model' | 'tool';
  readonly from: number;
  readonly to: number;
  readonly key: string;
}

/** One thread. `states` don't overlap. `work` lies on top, in row order: model requests, tools, and single calls that wait for the user. */
export interface Lane {
  readonly thread: string;
  readonly name: string;
  readonly states: readonly LaneSegment[];
  readonly work: readonly LaneSegment[];
}

/**
 * Lanes on one axis. `time` is in milliseconds since 1970. `order` counts events. It is used if times are missing (`noTimes`), or are whole
 * seconds in which several things happened (`wholeSeconds`).
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

/** Returns the lanes of a session's log, one per thread. Takes linear time in the number of rows. */
export function toLanes(rows: readonly Row[], threads: readonly ThreadView[], options: LaneOptions = {}): Lanes {
  const { axis, reason } = options.axis === undefined ? chooseAxis(rows) : { axis: options.axis, reason: undefined };
  const [from, to] = extentOf(rows, axis);
  const primary = threads.find(({ isPrimary }) => isPrimary)?.id ?? '';
  const builders = new Map(threads.map(({ id, name }) => [id, new LaneBuilder(id, name, axis, to)]));
  const builderOf = (thread: string): LaneBuilder => {
    const known = builders.get(thread) ?? new LaneBuilder(thread, thread, axis, to);
    builders.set(thread, known);
    return known;
  };
  for (const row of rows) {
    if (row.thread === undefined || options.isComplete !== true || builders.has(row.thread)) {
      builderOf(row.thread ?? primary).add(row);
    }
  }
  const lanes = [...builders.values()].map(builder => builder.build());
  return { axis, ...(reason === undefined ? {} : { reason }), from, to, lanes };
}

class LaneBuilder {
  readonly #states: LaneSegment[] = [];
  readonly #work: LaneSegment[] = [];
  #open: { readonly kind: LaneSegment['kind']; readonly from: number; readonly key: string } | undefined;

  constructor(
    private readonly thread: string,
    private readonly name: string,
    private readonly axis: Lanes['axis'],
    private readonly end: number,
  ) {}

  add(row: Row): void {
    if (row.kind === 'status') {
      this.#addStatus(row);
    } else if (row.kind === 'model') {
      this.#addModel(row);
    } else if (row.kind === 'tool') {
      this.#addTool(row);
    }
  }

  build(): Lane {
    this.#close(this.end);
    return { thread: this.thread, name: this.name, states: this.#states, work: this.#work };
  }

  #position(at: number | undefined, seq: number): number | undefined {
    return this.axis === 'time' ? at : seq;
  }

  #addStatus(row: StatusRow): void {
    const position = this.#position(row.at, row.seq);
    const kind = stateKinds.get(row.status);
    if (position === undefined || (kind === undefined && !endings.has(row.status))) {
      return;
    }
    this.#close(position);
    if (kind !== undefined) {
      this.#open = { kind: row.stopReason === 'requires_action' ? 'waiting' : kind, from: position, key: row.key };
    }
  }

  #close(to: number): void {
    if (this.#open !== undefined && to > this.#open.from) {
      this.#states.push({ ...this.#open, to });
    }
    this.#open = undefined;
  }

  #addModel(row: ModelRow): void {
    const end = row.endSeq === undefined ? this.end : this.#position(row.endAt, row.endSeq);
    this.#addWork('model', this.#position(row.at, row.seq), end, row.key);
  }

  #addTool(row: ToolRow): void {
    const start = this.#position(row.at, row.seq);
    const end = this.#endOfTool(row);
    if (row.askSeq === undefined && row.holds === undefined) {
      this.#addWork('tool', start, end, row.key);
      return;
    }
    const answer = this.#endOfWait(row);
    this.#addWork('waiting', start, answer ?? end, row.key);
    if (answer !== undefined) {
      this.#addWork('tool', answer, end, row.key);
    }
  }

  /** Returns the time at which a call was answered and no other ask blocked it any more. */
  #endOfWait({ confirmation, holds }: ToolRow): number | undefined {
    const last = holds?.at(-1);
    const answer = last === undefined ? confirmation : last.until;
    return answer === undefined ? undefined : this.#position(answer.at, answer.seq);
  }

  #endOfTool({ result, endedSeq, endedAt, confirmation, state }: ToolRow): number | undefined {
    if (result !== undefined) {
      return this.#position(result.at, result.seq);
    }
    if (endedSeq !== undefined) {
      return this.#position(endedAt, endedSeq);
    }
    return state === 'denied' && confirmation !== undefined ? this.#position(confirmation.at, confirmation.seq) : this.end;
  }

  #addWork(kind: LaneSegment['kind'], from: number | undefined, to: number | undefined, key: string): void {
    if (from !== undefined && to !== undefined) {
      this.#work.push({ kind, from, to: Math.max(from, to), key });
    }
  }
}

const stateKinds: ReadonlyMap<string, 'running' | 'idle'> = new Map([
  ['running', 'running'],
  ['idle', 'idle'],
  ['rescheduled', 'idle'],
]);
const endings = new Set(['terminated', 'deleted']);

function isStored(row: Row): boolean {
  return row.kind !== 'gap' && row.seq !== Number.MAX_SAFE_INTEGER;
}

function chooseAxis(rows: readonly Row[]): Pick<Lanes, 'axis' | 'reason'> {
  const stored = rows.filter(isStored);
  const times = stored.flatMap(({ at }) => at ?? []);
  // Queued events have no time yet, so a few may lack one.
  if (times.length < stored.length * 0.9 || times.length === 0) {
    return { axis: 'order', reason: 'noTimes' };
  }
  const areCoarse = times.every(at => at % 1000 === 0) && new Set(times).size * 2 < times.length;
  return areCoarse ? { axis: 'order', reason: 'wholeSeconds' } : { axis: 'time' };
}

function extentOf(rows: readonly Row[], axis: Lanes['axis']): readonly [from: number, to: number] {
  const moments = rows.filter(isStored).flatMap(momentsOf);
  const [first = 0, ...others] = moments.flatMap(({ at, seq }) => (axis === 'time' ? at : seq) ?? []);
  return others.reduce(([from, to], position) => [Math.min(from, position), Math.max(to, position)], [first, first]);
}

function momentsOf(row: Row): readonly { readonly at: number | undefined; readonly seq: number | undefined }[] {
  switch (row.kind) {
    case 'model':
      return [row, { at: row.endAt, seq: row.endSeq }];
    case 'tool': {
      const ended = { at: row.endedAt, seq: row.endedSeq };
      return [row, row.confirmation, row.result, ended].filter(moment => moment !== undefined);
    }
    default:
      return [row];
  }
}
