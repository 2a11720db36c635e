import { ownValue } from '../../../shared/isRecord';
import { useEffect, useRef } from 'preact/hooks';
import { axisHeight, type LaneModel, laneHeight } from './laneModel';
import type { TimeFold, TimeFolds } from './timeFolds';
import { panSpan, spanShowing, type TimeSpan, zoomSpan } from './timeSpan';

/** A segment, by the index of its lane and its index there. */
export interface LanePosition {
  readonly lane: number;
  readonly index: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface LaneInput {
  readonly lanes: readonly LaneModel[];
  /** Spans are in positions of the folded axis, not in times. */
  readonly whole: TimeSpan;
  readonly span: TimeSpan;
  readonly folds: TimeFolds;
  readonly width: number;
  readonly setSpan: (span: TimeSpan) => void;
}

interface PointerInput extends LaneInput {
  readonly stage: { readonly current: HTMLElement | null };
  readonly onHover: (found: Found | undefined) => void;
  readonly onSelect: (position: LanePosition) => void;
}

export interface Found {
  readonly point: Point;
  readonly is: LanePosition | TimeFold;
}

/** Maximum distance between pointer down and up that still counts as a click, in pixels. */
const clickTolerance = 4;

/** Handles mouse, pen and touch on the lanes. The wheel scrolls the page, unless Ctrl or Shift is held or it scrolls sideways. */
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
      // A pinch is reported as a wheel with Ctrl.
      if (event.ctrlKey || event.metaKey) {
        setSpan(zoomSpan(span, whole, Math.exp(toPixels(event.deltaY, event) * 0.005), span.from + event.offsetX * perPixel));
      } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        setSpan(panSpan(span, whole, toPixels(event.deltaX || event.deltaY, event) * perPixel));
      } else {
        return;
      }
      event.preventDefault();
    };
    // Not as an attribute: such listeners are passive and can't prevent the page from scrolling.
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
  readonly cursor: LanePosition | undefined;
  readonly onCursor: (position: LanePosition) => void;
  readonly onSelect: (position: LanePosition) => void;
  readonly onEscape: () => void;
}

/** Handles keys on the lanes. */
export function useLaneKeys(input: KeyInput): (event: KeyboardEvent) => void {
  const { lanes, whole, span, setSpan, onCursor, onSelect, onEscape } = input;
  const cursor = input.cursor === undefined || input.cursor.lane < 0 ? undefined : input.cursor;
  const go = (position: LanePosition | undefined): void => {
    const segment = position === undefined ? undefined : lanes[position.lane]?.spanOf(position.index);
    if (position !== undefined && segment !== undefined) {
      onCursor(position);
      setSpan(spanShowing(span, whole, segment));
    }
  };
  const moment = (): number => {
    const segment = cursor === undefined ? undefined : lanes[cursor.lane]?.spanOf(cursor.index);
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
  const index = lanes[lane]?.at(position, 2 * perPixel) ?? -1;
  return index === -1 ? undefined : { point, is: { lane, index } };
}

function firstIn(lanes: readonly LaneModel[], span: TimeSpan): LanePosition | undefined {
  for (const [lane, model] of lanes.entries()) {
    const index = model.nearest(span.from);
    if (index !== -1) {
      return { lane, index };
    }
  }
  return undefined;
}

function stepFrom(lanes: readonly LaneModel[], { lane, index }: LanePosition, by: 1 | -1): LanePosition | undefined {
  const next = lanes[lane]?.step(index, by) ?? -1;
  return next === -1 ? undefined : { lane, index: next };
}

function nextLane(lanes: readonly LaneModel[], { lane }: LanePosition, by: 1 | -1, moment: number): LanePosition | undefined {
  for (let next = lane + by; next >= 0 && next < lanes.length; next += by) {
    const index = lanes[next]?.nearest(moment) ?? -1;
    if (index !== -1) {
      return { lane: next, index };
    }
  }
  return undefined;
}

function toPixels(delta: number, { deltaMode }: WheelEvent): number {
  return deltaMode === WheelEvent.DOM_DELTA_LINE ? delta * 16 : deltaMode === WheelEvent.DOM_DELTA_PAGE ? delta * 400 : delta;
}
