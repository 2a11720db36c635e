import type { Row } from '../rows/rows';
import type { LaneSegment, Lanes } from './lanes';

/** A period in which no thread did anything, in milliseconds since 1970. */
export interface QuietStretch {
  readonly from: number;
  readonly to: number;
  /** True if an ask was unanswered. False if nothing happened at all. */
  readonly isWaiting: boolean;
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the periods of at least `minLength` milliseconds without a model request, tool or message, in order and without overlap. A thread
 * that only runs next to one that waits for the user counts as quiet. Returns none if the axis counts events, which take no time.
 */
export function toQuietStretches({ axis, from, to, lanes }: Lanes, rows: readonly Row[], minLength: number): readonly QuietStretch[] {
  if (axis !== 'time' || to - from < minLength) {
    return [];
  }
  const segments = lanes.flatMap(({ states, work }) => [...states, ...work]);
  const of = (...kinds: readonly LaneSegment['kind'][]): readonly Stretch[] => join(segments.filter(({ kind }) => kinds.includes(kind)));
  const waiting = of('waiting');
  const running = gapsOf(join([...gapsOf(of('running'), from, to), ...waiting]), from, to);
  const moments = rows.flatMap(({ kind, at }) => (at !== undefined && spoken.has(kind) ? [{ from: at, to: at }] : []));
  const busy = join([...of('model', 'tool'), ...running, ...moments]);
  const quiet: QuietStretch[] = [];
  let next = 0;
  for (const gap of gapsOf(busy, from, to)) {
    let at = gap.from;
    while (at < gap.to) {
      while ((waiting[next]?.to ?? Number.POSITIVE_INFINITY) <= at) {
        next++;
      }
      const wait = waiting[next];
      const isWaiting = wait !== undefined && wait.from <= at;
      const end = Math.min(gap.to, isWaiting ? wait.to : (wait?.from ?? gap.to));
      if (end - at >= minLength) {
        quiet.push({ from: at, to: end, isWaiting });
      }
      at = end;
    }
  }
  return quiet;
}

const spoken: ReadonlySet<Row['kind']> = new Set(['user', 'agent', 'system', 'thinking', 'thread', 'error', 'outcome', 'compaction']);

function join(stretches: readonly Stretch[]): readonly Stretch[] {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last.to) {
      last.to = Math.max(last.to, to);
    } else {
      joined.push({ from, to });
    }
  }
  return joined;
}

function gapsOf(joined: readonly Stretch[], from: number, to: number): readonly Stretch[] {
  const gaps: Stretch[] = [];
  let at = from;
  for (const stretch of joined) {
    if (stretch.from > at) {
      gaps.push({ from: at, to: Math.min(stretch.from, to) });
    }
    at = Math.max(at, stretch.to);
  }
  if (at < to) {
    gaps.push({ from: at, to });
  }
  return gaps;
}
