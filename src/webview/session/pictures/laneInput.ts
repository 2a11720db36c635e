import { useEffect, useRef } from 'preact/hooks';
import type { LaneModel } from './laneModel';
import { axisHeight, laneHeight } from './lanePainter';
import type { TimeFold, TimeFolds } from './timeFolds';
import { panSpan, spanShowing, type TimeSpan, zoomSpan } from './timeSpan';

/** A segment by the numbers of its lane and of itself. */
export interface LanePlace {
  readonly lane: number;
  readonly index: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface LaneInput {
  readonly lanes: readonly LaneModel[];
  /** Spans are of the picture: places, not times. */
  readonly whole: TimeSpan;
  readonly span: TimeSpan;
  readonly folds: TimeFolds;
  readonly width: number;
  readonly setSpan: (span: TimeSpan) => void;
}

interface PointerInput extends LaneInput {
  readonly canvas: { readonly current: HTMLCanvasElement | null };
  /** What is under the pointer: a folded wait, or else a segment. */
  readonly onHover: (found: Found | undefined) => void;
  readonly onSelect: (place: LanePlace) => void;
}

export interface Found {
  readonly point: Point;
  readonly is: LanePlace | TimeFold;
}

interface PointerHandlers {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerUp: (event: PointerEvent) => void;
  readonly onPointerCancel: () => void;
  readonly onPointerLeave: () => void;
  readonly onDblClick: () => void;
}

/** Pixels that a pointer may stray between down and up and still mean a click. */
const clickTolerance = 4;

/** What the mouse, a pen or a finger does to the lanes. The wheel belongs to the page unless Ctrl, Shift or its own direction say otherwise. */
export function useLanePointer(input: PointerInput): PointerHandlers {
  const latest = useRef(input);
  latest.current = input;
  const drag = useRef<{ readonly x: number; readonly span: TimeSpan; hasMoved: boolean }>(undefined);
  const { canvas } = input;
  useEffect(() => {
    const { current } = canvas;
    const onWheel = (event: WheelEvent): void => {
      const { span, whole, width, setSpan } = latest.current;
      const perPixel = (span.to - span.from) / Math.max(1, width);
      // A pinch comes as a wheel with Ctrl.
      if (event.ctrlKey || event.metaKey) {
        setSpan(zoomSpan(span, whole, Math.exp(toPixels(event.deltaY, event) * 0.005), span.from + event.offsetX * perPixel));
      } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        setSpan(panSpan(span, whole, toPixels(event.deltaX || event.deltaY, event) * perPixel));
      } else {
        return;
      }
      event.preventDefault();
    };
    // Not by an attribute: what listens that way cannot keep the page from scrolling.
    current?.addEventListener('wheel', onWheel, { passive: false });
    return () => current?.removeEventListener('wheel', onWheel);
  }, [canvas]);
  return {
    onPointerDown: event => {
      if (event.button === 0) {
        canvas.current?.setPointerCapture(event.pointerId);
        drag.current = { x: event.offsetX, span: input.span, hasMoved: false };
      }
    },
    onPointerMove: event => {
      const { current } = drag;
      if (current === undefined) {
        input.onHover(findPlace(input, event));
        return;
      }
      const by = current.x - event.offsetX;
      current.hasMoved ||= Math.abs(by) > clickTolerance;
      if (current.hasMoved) {
        input.onHover(undefined);
        input.setSpan(panSpan(current.span, input.whole, (by * (current.span.to - current.span.from)) / Math.max(1, input.width)));
      }
    },
    onPointerUp: event => {
      const found = drag.current === undefined || drag.current.hasMoved ? undefined : findPlace(input, event)?.is;
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
  readonly cursor: LanePlace | undefined;
  readonly onCursor: (place: LanePlace) => void;
  readonly onSelect: (place: LanePlace) => void;
  readonly onEscape: () => void;
}

/** What keys do to the lanes. */
export function useLaneKeys(input: KeyInput): (event: KeyboardEvent) => void {
  const { lanes, whole, span, setSpan, onCursor, onSelect, onEscape } = input;
  const cursor = input.cursor === undefined || input.cursor.lane < 0 ? undefined : input.cursor;
  const go = (place: LanePlace | undefined): void => {
    const segment = place === undefined ? undefined : lanes[place.lane]?.placeOf(place.index);
    if (place !== undefined && segment !== undefined) {
      onCursor(place);
      setSpan(spanShowing(span, whole, segment));
    }
  };
  const moment = (): number => {
    const segment = cursor === undefined ? undefined : lanes[cursor.lane]?.placeOf(cursor.index);
    return segment === undefined ? (span.from + span.to) / 2 : (segment.from + segment.to) / 2;
  };
  const length = span.to - span.from;
  const acts: Readonly<Record<string, () => void>> = {
    ArrowRight: () => go(cursor === undefined ? firstIn(lanes, span) : stepFrom(lanes, cursor, 1)),
    ArrowLeft: () => go(cursor === undefined ? firstIn(lanes, span) : stepFrom(lanes, cursor, -1)),
    ArrowDown: () => go(cursor === undefined ? firstIn(lanes, span) : nextLane(lanes, cursor, 1, moment())),
    ArrowUp: () => go(cursor === undefined ? firstIn(lanes, span) : nextLane(lanes, cursor, -1, moment())),
    Home: () => go(stepFrom(lanes, { lane: cursor?.lane ?? 0, index: -1 }, 1)),
    End: () => go(stepFrom(lanes, { lane: cursor?.lane ?? 0, index: lanes[cursor?.lane ?? 0]?.segments.length ?? 0 }, -1)),
    'Shift+ArrowRight': () => setSpan(panSpan(span, whole, length / 5)),
    'Shift+ArrowLeft': () => setSpan(panSpan(span, whole, -length / 5)),
    '+': () => setSpan(zoomSpan(span, whole, 0.5, moment())),
    '=': () => setSpan(zoomSpan(span, whole, 0.5, moment())),
    '-': () => setSpan(zoomSpan(span, whole, 2, moment())),
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
    const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
    if (act !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      act();
    }
  };
}

function findPlace({ lanes, span, folds, width }: LaneInput, { offsetX, offsetY }: PointerEvent): Found | undefined {
  const lane = Math.floor((offsetY - axisHeight) / laneHeight);
  const perPixel = (span.to - span.from) / Math.max(1, width);
  const place = span.from + offsetX * perPixel;
  const point = { x: offsetX, y: offsetY };
  const fold = folds.at(place);
  if (fold !== undefined) {
    return { point, is: fold };
  }
  const index = lanes[lane]?.at(place, 2 * perPixel) ?? -1;
  return index === -1 ? undefined : { point, is: { lane, index } };
}

function firstIn(lanes: readonly LaneModel[], span: TimeSpan): LanePlace | undefined {
  for (const [lane, model] of lanes.entries()) {
    const index = model.nearest(span.from);
    if (index !== -1) {
      return { lane, index };
    }
  }
  return undefined;
}

function stepFrom(lanes: readonly LaneModel[], { lane, index }: LanePlace, by: 1 | -1): LanePlace | undefined {
  const next = lanes[lane]?.step(index, by) ?? -1;
  return next === -1 ? undefined : { lane, index: next };
}

/** The segment of the next lane that has any, nearest to a moment. */
function nextLane(lanes: readonly LaneModel[], { lane }: LanePlace, by: 1 | -1, moment: number): LanePlace | undefined {
  for (let next = lane + by; next >= 0 && next < lanes.length; next += by) {
    const index = lanes[next]?.nearest(moment) ?? -1;
    if (index !== -1) {
      return { lane: next, index };
    }
  }
  return undefined;
}

/** Wheels count in pixels, lines or pages. */
function toPixels(delta: number, { deltaMode }: WheelEvent): number {
  return deltaMode === WheelEvent.DOM_DELTA_LINE ? delta * 16 : deltaMode === WheelEvent.DOM_DELTA_PAGE ? delta * 400 : delta;
}
