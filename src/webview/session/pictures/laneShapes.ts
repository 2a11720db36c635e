import { type LaneModel, laneKinds } from './laneModel';
import type { TimeSpan } from './timeSpan';

/** What to draw of a lane: stretches of one kind from `x` to `x + width` (in pixels). `index` is a segment wide enough to stand alone. */
export interface LaneShape {
  readonly kind: number;
  readonly x: number;
  readonly width: number;
  readonly index?: number;
}

/** Narrower segments are gathered by columns of pixels. */
const narrow = 2;
const waiting = laneKinds.indexOf('waiting');

/**
 * What a lane looks like in `width` pixels: wide segments by themselves, narrow ones as columns of what took most time in them,
 * where waiting for the user always shows. Never more shapes than a few per pixel, however many segments there are.
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
    // Even what took no time at all is seen.
    covered[at] = (covered[at] as number) + Math.max(0.01, end - x);
  });
  return isGathered ? [...shapes, ...toColumnShapes(covered, columns)] : shapes;
}

/** Neighbouring columns of one kind become one shape. */
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
