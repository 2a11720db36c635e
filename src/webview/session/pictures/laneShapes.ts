import { type LaneModel, laneKinds } from './laneModel';
import type { TimeSpan } from './timeSpan';

/** A rectangle of one kind from `x` to `x + width`, in pixels. `index` is set for a segment wide enough for a shape of its own. */
export interface LaneShape {
  readonly kind: number;
  readonly x: number;
  readonly width: number;
  readonly index?: number;
}

/** Minimum width of a segment with a shape of its own, in pixels. Narrower ones are combined in columns of one pixel. */
const narrow = 2;
const waiting = laneKinds.indexOf('waiting');

/**
 * Returns the shapes of a lane in `width` pixels: wide segments one by one, narrow ones as columns of the kind with the most time in them.
 * Waiting for the user always shows. The number of shapes is bounded by the width, not by the number of segments.
 */
export function toLaneShapes(model: LaneModel, span: TimeSpan, width: number): readonly LaneShape[] {
  const kinds = laneKinds.length;
  const columns = Math.max(1, Math.ceil(width));
  const covered = new Float32Array(columns * kinds);
  const scale = width / Math.max(1, span.to - span.from);
  const shapes: LaneShape[] = [];
  let isGathered = false;
  model.forEachIn(span, (index, kind, from, to) => {
    const x = Math.max(-8, (from - span.from) * scale);
    const end = Math.min(width + 8, (to - span.from) * scale);
    if (end - x >= narrow) {
      shapes.push({ kind, x, width: end - x, index });
      return;
    }
    isGathered = true;
    const column = Math.min(columns - 1, Math.max(0, Math.floor(x)));
    const at = column * kinds + kind;
    // Even a segment without duration is visible.
    covered[at] = (covered[at] as number) + Math.max(0.01, end - x);
  });
  return isGathered ? [...shapes, ...toColumnShapes(covered, columns)] : shapes;
}

/** Joins neighbouring columns of one kind. */
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
  const at = column * laneKinds.length;
  if ((covered[at + waiting] as number) > 0) {
    return waiting;
  }
  let kind = -1;
  let most = 0;
  for (let candidate = 0; candidate < laneKinds.length; candidate++) {
    const share = covered[at + candidate] as number;
    if (share > most) {
      most = share;
      kind = candidate;
    }
  }
  return kind;
}
