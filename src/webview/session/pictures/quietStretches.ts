import type { Row } from '../../../shared/session/rows/rows';
import type { LaneSegment, Lanes } from './lanes';

/** A period in which no thread did anything, in milliseconds since 1970. */
export interface QuietStretch {
  readonly from: number;
  readonly to: number;
  /** True if an ask was unanswered. False if nothing happened. */
  readonly isWaiting: boolean;
}

/**
 * Returns the periods of at least `minLength` milliseconds without a model request, tool or message, in order and without overlap. A thread
 * that runs while another thread waits for the user counts as quiet. Returns no periods if the axis counts events.
 */
export function toQuietStretches({ axis, from, to, lanes }: Lanes, rows: readonly Row[], minLength: number): readonly QuietStretch[] {
  if (axis !== 'time' || to - from < minLength) {
    return [];
  }
  const segments = lanes.flatMap(({ states, work }) => [...states, ...work]);
  const changes: readonly { readonly at: number; readonly kind: LaneSegment['kind'] | 'spoken'; readonly by: number }[] = [
    ...segments.flatMap(({ kind, from: start, to: end }) => [
      { at: start, kind, by: 1 },
      { at: end, kind, by: -1 },
    ]),
    ...rows.flatMap(({ kind, at }) => (at !== undefined && spoken.has(kind) ? [{ at, kind: 'spoken' as const, by: 0 }] : [])),
    { at: to, kind: 'idle', by: 0 },
  ];
  const open = { running: 0, idle: 0, waiting: 0, model: 0, tool: 0, spoken: 0 };
  const quiet: { from: number; to: number; isWaiting: boolean }[] = [];
  let last = from;
  let isInterrupted = false;
  for (const { at, kind, by } of changes.toSorted((a, b) => a.at - b.at)) {
    const end = Math.min(at, to);
    if (end > last) {
      const isWaiting = open.waiting > 0;
      const isBusy = open.model > 0 || open.tool > 0 || (open.running > 0 && !isWaiting);
      const latest = quiet.at(-1);
      if (latest?.to === last && latest.isWaiting === isWaiting && !isBusy && !isInterrupted) {
        latest.to = end;
      } else if (!isBusy) {
        quiet.push({ from: last, to: end, isWaiting });
      }
      last = end;
      isInterrupted = false;
    }
    open[kind] += by;
    isInterrupted ||= kind === 'model' || kind === 'tool' || kind === 'spoken';
  }
  return quiet.filter(stretch => stretch.to - stretch.from >= minLength);
}

const spoken: ReadonlySet<Row['kind']> = new Set(['user', 'agent', 'system', 'thinking', 'thread', 'error', 'outcome', 'note']);
