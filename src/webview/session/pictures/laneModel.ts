import type { Lane, LaneSegment } from './lanes';
import type { TimeSpan } from './timeSpan';

/** Heights of the axis and of one lane, in pixels. */
export const axisHeight = 18;
export const laneHeight = 22;

/** Activities of a thread, in drawing order. */
export const laneKinds = ['idle', 'running', 'model', 'tool', 'waiting'] as const satisfies readonly LaneSegment['kind'][];

/** A segment prepared for drawing and searching: its lane and index, and its span in positions. `kind` is an index of `laneKinds`. */
export interface LaneItem extends TimeSpan {
  readonly segment: LaneSegment;
  readonly lane: number;
  readonly index: number;
  readonly kind: number;
}

/**
 * One lane, with its segments sorted by start. Segments have times. Drawing and searching use positions, which `toPosition` derives
 * from the times in the same order.
 */
export class LaneModel {
  readonly name: string;
  readonly items: readonly LaneItem[];

  constructor({ name, states, work }: Lane, lane: number, toPosition: (time: number) => number = time => time) {
    this.name = name;
    const segments = [...states, ...work].sort((a, b) => a.from - b.from);
    this.items = segments.map((segment, index) => {
      const from = toPosition(segment.from);
      return { segment, lane, index, kind: laneKinds.indexOf(segment.kind), from, to: Math.max(from, toPosition(segment.to)) };
    });
  }

  /** Returns the segment of the same activity as a segment of an earlier model of the lane. */
  find({ segment: { key, kind } }: LaneItem): LaneItem | undefined {
    return this.items.find(({ segment }) => segment.key === key && segment.kind === kind);
  }

  /** Returns the segments that reach into the span, in order. */
  itemsIn({ from, to }: TimeSpan): readonly LaneItem[] {
    return this.items.filter(item => item.from <= to && item.to >= from);
  }

  /** Returns the segment at a position, within the tolerance: of several segments the one drawn on top, then the shortest. */
  at(moment: number, tolerance: number): LaneItem | undefined {
    const found = this.itemsIn({ from: moment - tolerance, to: moment + tolerance });
    return found.toSorted((a, b) => b.kind - a.kind || a.to - a.from - (b.to - b.from))[0];
  }

  /** Returns the next segment before or after an index. Skips running segments, because the work in them is more specific. */
  step(index: number, by: 1 | -1): LaneItem | undefined {
    const others = by === 1 ? this.items.slice(index + 1) : this.items.slice(0, index).reverse();
    return others.find(({ segment }) => segment.kind !== 'running');
  }

  /** Returns the segment closest to a moment. Prefers segments at which `step` stops. */
  nearest(moment: number): LaneItem | undefined {
    const inside = this.at(moment, 0);
    if (inside !== undefined && inside.segment.kind !== 'running') {
      return inside;
    }
    const next = this.items.filter(({ from }) => from < moment).length;
    const after = this.step(next - 1, 1);
    const before = this.step(next, -1);
    if (after === undefined || before === undefined) {
      return after ?? before ?? inside;
    }
    return moment - before.from <= after.from - moment ? before : after;
  }
}

/** A rectangle of one kind from `x` to `x + width`, in pixels. `item` is set for a segment wide enough for a shape of its own. */
export interface LaneShape {
  readonly kind: number;
  readonly x: number;
  readonly width: number;
  readonly item?: LaneItem;
}

/** Minimum width of a segment with a shape of its own, in pixels. Narrower segments are combined in columns of one pixel. */
const narrow = 2;
const waiting = laneKinds.indexOf('waiting');

/**
 * Returns the shapes of a lane in `width` pixels. Wide segments have a shape each. Narrow segments are combined in columns of the kind with
 * the most time in them. Waiting for the user always shows. The number of shapes is bounded by the width, not by the number of segments.
 */
export function toLaneShapes(model: LaneModel, span: TimeSpan, width: number): readonly LaneShape[] {
  const kinds = laneKinds.length;
  const columns = Math.max(1, Math.ceil(width));
  const covered = new Float32Array(columns * kinds);
  const scale = width / Math.max(1, span.to - span.from);
  const shapes: LaneShape[] = [];
  for (const item of model.itemsIn(span)) {
    const { kind, from, to } = item;
    const x = Math.max(-8, (from - span.from) * scale);
    const end = Math.min(width + 8, (to - span.from) * scale);
    if (end - x >= narrow) {
      shapes.push({ kind, x, width: end - x, item });
    } else {
      const column = Math.min(columns - 1, Math.max(0, Math.floor(x)));
      const at = column * kinds + kind;
      // Even a segment without duration is visible.
      covered[at] = (covered[at] as number) + Math.max(0.01, end - x);
    }
  }
  return [...shapes, ...toColumnShapes(covered, columns)];
}

function toColumnShapes(covered: Float32Array, columns: number): LaneShape[] {
  const shapes: LaneShape[] = [];
  let kind = -1;
  let start = 0;
  for (let column = 0; column <= columns; column++) {
    const next = column === columns ? -1 : strongest(covered, column);
    if (next !== kind) {
      if (kind !== -1) {
        shapes.push({ kind, x: start, width: column - start });
      }
      kind = next;
      start = column;
    }
  }
  return shapes;
}

function strongest(covered: Float32Array, column: number): number {
  const shares = covered.subarray(column * laneKinds.length, (column + 1) * laneKinds.length);
  const greatest = Math.max(...shares);
  return (shares[waiting] ?? 0) > 0 ? waiting : greatest === 0 ? -1 : shares.indexOf(greatest);
}
