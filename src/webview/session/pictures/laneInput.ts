import { useEffect, useRef } from 'preact/hooks';
import { ownValue } from '../../../shared/isRecord';
import { axisHeight, type LaneItem, type LaneModel, laneHeight } from './laneModel';
import type { TimeFold, TimeFolds } from './timeFolds';
import { panSpan, spanShowing, type TimeSpan, zoomSpan } from './timeSpan';

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface LaneInput {
  readonly lanes: readonly LaneModel[];
  /** The whole session. Like `span`, in positions of the folded axis, not in times. */
  readonly whole: TimeSpan;
  readonly span: TimeSpan;
  readonly folds: TimeFolds;
  readonly width: number;
  readonly setSpan: (span: TimeSpan) => void;
}

interface PointerInput extends LaneInput {
  readonly stage: { readonly current: HTMLElement | null };
  readonly onHover: (found: Found | undefined) => void;
  readonly onSelect: (item: LaneItem) => void;
}

export interface Found {
  readonly point: Point;
  readonly is: LaneItem | TimeFold;
}

/** Maximum distance between pointer down and up that still counts as a click, in pixels. */
const clickTolerance = 4;

/** Handles mouse, pen and touch on the lanes. The wheel scrolls the page, except with Ctrl or Shift, or when it scrolls sideways. */
export function useLanePointer(input: PointerInput) {
  const latest = useRef(input);
  latest.current = input;
  const drag = useRef<{ readonly x: number; readonly span: TimeSpan; hasMoved: boolean }>(undefined);
  const { stage } = input;
  useEffect(() => {
    const { current } = stage;
    const onWheel = (event: WheelEvent): void => {
      const { span, whole, width, setSpan } = latest.current;
      const perPixel = (span.to - span.from) / Math.max(1, width);
      // Browsers report a pinch as a wheel event with Ctrl.
      if (event.ctrlKey || event.metaKey) {
        setSpan(zoomSpan(span, whole, Math.exp(toPixels(event.deltaY, event) * 0.005), span.from + event.offsetX * perPixel));
      } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        setSpan(panSpan(span, whole, toPixels(event.deltaX || event.deltaY, event) * perPixel));
      } else {
        return;
      }
      event.preventDefault();
    };
    // A listener set as an attribute would be passive and couldn't prevent the page from scrolling.
    current?.addEventListener('wheel', onWheel, { passive: false });
    return () => current?.removeEventListener('wheel', onWheel);
  }, [stage]);
  return {
    onPointerDown: (event: PointerEvent): void => {
      if (event.button === 0) {
        stage.current?.setPointerCapture(event.pointerId);
        drag.current = { x: event.offsetX, span: input.span, hasMoved: false };
      }
    },
    onPointerMove: (event: PointerEvent): void => {
      const { current } = drag;
      if (current === undefined) {
        input.onHover(find(input, event));
        return;
      }
      const by = current.x - event.offsetX;
      current.hasMoved ||= Math.abs(by) > clickTolerance;
      if (current.hasMoved) {
        input.onHover(undefined);
        input.setSpan(panSpan(current.span, input.whole, (by * (current.span.to - current.span.from)) / Math.max(1, input.width)));
      }
    },
    onPointerUp: (event: PointerEvent): void => {
      const found = drag.current === undefined || drag.current.hasMoved ? undefined : find(input, event)?.is;
      drag.current = undefined;
      if (found !== undefined && 'lane' in found) {
        input.onSelect(found);
      }
    },
    onPointerCancel: () => {
      drag.current = undefined;
    },
    onPointerLeave: () => input.onHover(undefined),
    onDblClick: () => input.setSpan(input.whole),
  };
}

interface KeyInput extends LaneInput {
  readonly cursor: LaneItem | undefined;
  readonly onCursor: (item: LaneItem) => void;
  readonly onSelect: (item: LaneItem) => void;
  readonly onEscape: () => void;
}

/** Handles keys on the lanes. */
export function useLaneKeys(input: KeyInput): (event: KeyboardEvent) => void {
  const { lanes, whole, span, cursor, setSpan, onCursor, onSelect, onEscape } = input;
  const go = (item: LaneItem | undefined): void => {
    if (item !== undefined) {
      onCursor(item);
      setSpan(spanShowing(span, whole, item));
    }
  };
  const { from, to } = cursor ?? span;
  const moment = (from + to) / 2;
  const lane = lanes[cursor?.lane ?? 0];
  const first = (): LaneItem | undefined => nearestIn(lanes, span.from);
  const length = span.to - span.from;
  const acts: Readonly<Record<string, () => void>> = {
    ArrowRight: () => go(cursor === undefined ? first() : lane?.step(cursor.index, 1)),
    ArrowLeft: () => go(cursor === undefined ? first() : lane?.step(cursor.index, -1)),
    ArrowDown: () => go(cursor === undefined ? first() : nearestIn(lanes.slice(cursor.lane + 1), moment)),
    ArrowUp: () => go(cursor === undefined ? first() : nearestIn(lanes.slice(0, cursor.lane).reverse(), moment)),
    Home: () => go(lane?.step(-1, 1)),
    End: () => go(lane?.step(lane.items.length, -1)),
    'Shift+ArrowRight': () => setSpan(panSpan(span, whole, length / 5)),
    'Shift+ArrowLeft': () => setSpan(panSpan(span, whole, -length / 5)),
    '+': () => setSpan(zoomSpan(span, whole, 0.5, moment)),
    '=': () => setSpan(zoomSpan(span, whole, 0.5, moment)),
    '-': () => setSpan(zoomSpan(span, whole, 2, moment)),
    '0': () => setSpan(whole),
    Enter: () => cursor !== undefined && onSelect(cursor),
    ' ': () => cursor !== undefined && onSelect(cursor),
    Escape: onEscape,
  };
  return event => {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const name = event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key;
    const act = ownValue(acts, name);
    if (act !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      act();
    }
  };
}

function find({ lanes, span, folds, width }: LaneInput, { offsetX, offsetY }: PointerEvent): Found | undefined {
  const lane = Math.floor((offsetY - axisHeight) / laneHeight);
  const perPixel = (span.to - span.from) / Math.max(1, width);
  const position = span.from + offsetX * perPixel;
  const point = { x: offsetX, y: offsetY };
  const fold = folds.at(position);
  if (fold !== undefined) {
    return { point, is: fold };
  }
  const item = lanes[lane]?.at(position, 2 * perPixel);
  return item && { point, is: item };
}

/** Returns the segment closest to a moment in the first lane that has one. */
function nearestIn(lanes: readonly LaneModel[], moment: number): LaneItem | undefined {
  return lanes.map(lane => lane.nearest(moment)).find(item => item !== undefined);
}

function toPixels(delta: number, { deltaMode }: WheelEvent): number {
  return deltaMode === WheelEvent.DOM_DELTA_LINE ? delta * 16 : deltaMode === WheelEvent.DOM_DELTA_PAGE ? delta * 400 : delta;
}
