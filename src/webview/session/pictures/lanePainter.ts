import type { LaneSegment } from '../../../shared/session/facts/lanes';
import { beside, toAxisTicks, toTickWords } from './axisTicks';
import type { LaneModel } from './laneModel';
import { laneKinds } from './laneModel';
import { toLaneShapes } from './laneShapes';
import type { LaneTheme } from './laneTheme';
import type { TimeFolds } from './timeFolds';
import type { TimeSpan } from './timeSpan';

export const axisHeight = 18;
export const laneHeight = 22;
const barHeight = 16;

/** Everything to paint, in CSS pixels and in positions of the axis, which equal times except in folded waits. */
export interface LanesPicture {
  readonly lanes: readonly LaneModel[];
  readonly span: TimeSpan;
  readonly folds: TimeFolds;
  /** Zero of the axis. */
  readonly origin: number;
  readonly width: number;
  /** Returns the label of a wide segment; '' for none. */
  readonly nameOf: (segment: LaneSegment) => string;
  /** Returns the label of a moment of the axis. */
  readonly tickOf: (moment: number, step: number) => string;
  /** The event that is selected in the timeline: its moment, and its segment if it has one. */
  readonly selected: { readonly at: number; readonly lane: number; readonly index: number } | undefined;
  /** The segment with the keyboard cursor, shown only while the canvas has the focus. */
  readonly cursor: { readonly lane: number; readonly index: number } | undefined;
}

/** Returns the height of a canvas with this many lanes, in pixels. */
export function heightOf(lanes: number): number {
  return axisHeight + lanes * laneHeight + 2;
}

/** Paints the lanes, an axis above them, the selection and the keyboard cursor. */
export function paintLanes(context: CanvasRenderingContext2D, picture: LanesPicture, theme: LaneTheme): void {
  const { lanes, span, folds, width, selected, cursor } = picture;
  const height = heightOf(lanes.length);
  context.clearRect(0, 0, width, height);
  context.font = theme.font;
  context.textBaseline = 'middle';
  paintAxis(context, picture, height, theme);
  const toX = (at: number): number => ((at - span.from) / Math.max(1, span.to - span.from)) * width;
  lanes.forEach((model, lane) => {
    paintLane(context, model, picture, axisHeight + lane * laneHeight, theme);
  });
  for (const { axisSpan } of folds.folds) {
    if (axisSpan.to >= span.from && axisSpan.from <= span.to) {
      paintBreak(context, toX(axisSpan.from), toX(axisSpan.to), height, theme);
    }
  }
  if (selected !== undefined) {
    paintSelection(context, toX(selected.at), height, theme);
  }
  for (const [place, color] of [
    [selected, theme.selection],
    [cursor, theme.focus],
  ] as const) {
    const segment = place === undefined ? undefined : lanes[place.lane]?.spanOf(place.index);
    if (place !== undefined && segment !== undefined) {
      const x = toX(segment.from);
      context.strokeStyle = color;
      context.lineWidth = 2;
      const y = axisHeight + place.lane * laneHeight + (laneHeight - barHeight) / 2;
      context.strokeRect(x - 1, y - 1, Math.max(4, toX(segment.to) - x + 2), barHeight + 2);
    }
  }
}

function paintAxis(context: CanvasRenderingContext2D, picture: LanesPicture, height: number, theme: LaneTheme): void {
  const { span, origin, width, folds, tickOf } = picture;
  const { step, ticks } = toAxisTicks(span, origin, width, folds);
  const words = toTickWords(
    ticks,
    width,
    moment => tickOf(moment, step),
    text => context.measureText(text).width,
  );
  context.fillStyle = theme.faint;
  ticks.forEach(({ x, is }, index) => {
    if (is === 'round') {
      context.globalAlpha = 0.25;
      context.fillRect(Math.round(x), 0, 1, height);
      context.globalAlpha = 1;
    }
    context.fillText(words[index] ?? '', Math.round(x) + beside, axisHeight / 2);
  });
}

const toothHeight = 6;
const toothWidth = 3;

/** Paints the break of a folded wait: its content faintly, between two torn edges. */
function paintBreak(context: CanvasRenderingContext2D, from: number, to: number, height: number, theme: LaneTheme): void {
  context.fillStyle = theme.background;
  context.globalAlpha = 0.75;
  context.fillRect(from, axisHeight, Math.max(1, to - from), height - axisHeight);
  context.globalAlpha = 1;
  context.strokeStyle = theme.faint;
  context.lineWidth = 1;
  for (const x of to - from < 2 * toothWidth ? [(from + to) / 2] : [from, to]) {
    context.beginPath();
    for (let y = axisHeight - 4, side = -1; y <= height; y += toothHeight / 2, side = -side) {
      context.lineTo(x + side * (toothWidth / 2), y);
    }
    context.stroke();
  }
}

function paintLane(context: CanvasRenderingContext2D, model: LaneModel, picture: LanesPicture, top: number, theme: LaneTheme): void {
  const { span, width } = picture;
  const shapes = toLaneShapes(model, span, width);
  const y = top + (laneHeight - barHeight) / 2;
  laneKinds.forEach((name, kind) => {
    const { color, pattern } = theme.kinds[name];
    const own = shapes.filter(shape => shape.kind === kind);
    if (own.length === 0) {
      return;
    }
    if (name === 'idle' || name === 'running') {
      // A thin line for idle time and a thicker one for a turn. Work during the turn is drawn over it as bars.
      const thickness = name === 'idle' ? 1 : 4;
      context.fillStyle = color;
      for (const { x, width: length } of own) {
        context.fillRect(x, top + (laneHeight - thickness) / 2, Math.max(1, length), thickness);
      }
      return;
    }
    const bars = new Path2D();
    for (const { x, width: length } of own) {
      bars.rect(x, y, Math.max(1, length - 0.5), barHeight);
    }
    context.fillStyle = theme.background;
    context.fill(bars);
    context.globalAlpha = theme.isForced ? 1 : 0.4;
    context.fillStyle = theme.isForced ? theme.background : color;
    context.fill(bars);
    context.globalAlpha = 1;
    if (pattern !== undefined) {
      context.fillStyle = pattern;
      context.fill(bars);
    }
    context.fillStyle = color;
    for (const { x, width: length } of own) {
      // Outline of the bar. A narrow bar is only outline.
      context.fillRect(x, y, length < 3 ? Math.max(1, length - 0.5) : length - 0.5, length < 3 ? barHeight : 1);
      context.fillRect(x, y + barHeight - 1, length - 0.5, 1);
      context.fillRect(x, y, 1, barHeight);
    }
    paintNames(context, model, own, picture, y, theme);
  });
}

function paintNames(
  context: CanvasRenderingContext2D,
  model: LaneModel,
  shapes: ReturnType<typeof toLaneShapes>,
  { width, nameOf }: LanesPicture,
  y: number,
  theme: LaneTheme,
): void {
  for (const { x, width: length, index } of shapes) {
    const left = Math.max(0, x) + 4;
    const room = Math.min(width, x + length) - left - 4;
    const segment = index === undefined ? undefined : model.segments[index];
    if (segment === undefined || room < 24) {
      continue;
    }
    const words = shorten(context, nameOf(segment), room);
    if (words !== '') {
      context.fillStyle = theme.background;
      context.globalAlpha = 0.8;
      context.fillRect(left - 2, y + 2, context.measureText(words).width + 4, barHeight - 4);
      context.globalAlpha = 1;
      context.fillStyle = theme.foreground;
      context.fillText(words, left, y + barHeight / 2 + 0.5);
    }
  }
}

/** Returns as much of a name as fits; '' if that would say nothing. */
function shorten(context: CanvasRenderingContext2D, name: string, room: number): string {
  // Every character is at least this wide, so longer names need not be measured whole.
  const short = Array.from(name.slice(0, 200)).slice(0, Math.ceil(room / 3));
  const words = short.join('');
  if (words.length === name.length && context.measureText(words).width <= room) {
    return words;
  }
  let length = short.length;
  while (length > 0 && context.measureText(`${short.slice(0, length).join('')}…`).width > room) {
    length--;
  }
  return length < 2 ? '' : `${short.slice(0, length).join('')}…`;
}

function paintSelection(context: CanvasRenderingContext2D, x: number, height: number, theme: LaneTheme): void {
  context.fillStyle = theme.selection;
  context.fillRect(Math.round(x), axisHeight - 6, 1, height);
  context.beginPath();
  context.moveTo(x - 5, 4);
  context.lineTo(x + 6, 4);
  context.lineTo(x + 0.5, 12);
  context.closePath();
  context.fill();
}
