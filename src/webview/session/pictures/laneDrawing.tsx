import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { LaneSegment } from '../../../shared/session/facts/lanes';
import { AxisGrid, toTornEdge } from './chart';
import type { LanePosition } from './laneInput';
import { axisHeight, type LaneModel, type LaneShape, laneHeight, laneKinds, toLaneShapes } from './laneModel';
import type { TimeAxis } from './timeAxis';
import type { TimeSpan } from './timeSpan';

const barHeight = 16;

interface LaneDrawingProps {
  readonly lanes: readonly LaneModel[];
  /** The visible part, in positions. */
  readonly span: TimeSpan;
  readonly axis: TimeAxis;
  /** Returns the label of a wide segment, or '' for none. Passing a different function redraws all lanes. */
  readonly nameOf: (segment: LaneSegment) => string;
  /** The event that is selected in the timeline: its position, and its segment if it has one. */
  readonly selected: (LanePosition & { readonly at: number }) | undefined;
  readonly cursor: LanePosition | undefined;
}

/** Returns the height of a drawing with this many lanes, in pixels. */
export function heightOf(lanes: number): number {
  return axisHeight + lanes * laneHeight + 2;
}

/** The lanes below a time axis, with the breaks of folded waits, the selection and the keyboard cursor. */
export function LaneDrawing({ lanes, span, axis, nameOf, selected, cursor }: LaneDrawingProps): VNode {
  const { width, toX, breaks } = axis;
  const height = heightOf(lanes.length);
  const size = { width, height };
  const at = selected === undefined ? undefined : Math.round(toX(selected.at));
  return (
    <>
      <svg class="lanes-layer" aria-hidden="true" {...size}>
        <AxisGrid axis={axis} height={height} wordsAt={13} />
      </svg>
      {lanes.map((model, lane) => (
        <LaneBars key={lane} {...{ model, span, width, nameOf }} />
      ))}
      <svg class="lanes-layer" aria-hidden="true" {...size}>
        {breaks.map(({ wait, from, to }) => (
          <g key={wait.from} transform={`translate(0 ${axisHeight})`}>
            <rect class="lanes-veil" x={from} width={Math.max(1, to - from)} height={height - axisHeight} />
            <path class="chart-break" d={toTornEdges(from, to, height - axisHeight)} />
          </g>
        ))}
        {at === undefined ? null : <path class="lanes-selected" d={`M${at - 5} 4h11l-5.5 8zM${at} 12h1V${height}h-1z`} />}
        <Outline position={selected} {...{ lanes, toX }} className="lanes-selection" />
        <Outline position={cursor} {...{ lanes, toX }} className="lanes-cursor" />
      </svg>
    </>
  );
}

function toTornEdges(from: number, to: number, height: number): string {
  return to - from < 6 ? toTornEdge((from + to) / 2, height) : toTornEdge(from, height) + toTornEdge(to, height);
}

interface OutlineProps extends Pick<LaneDrawingProps, 'lanes'>, Pick<TimeAxis, 'toX'> {
  readonly position: LanePosition | undefined;
  readonly className: string;
}

function Outline({ position, lanes, toX, className }: OutlineProps): VNode | null {
  const segment = position === undefined ? undefined : lanes[position.lane]?.spanOf(position.index);
  if (position === undefined || segment === undefined) {
    return null;
  }
  const x = toX(segment.from) - 1;
  const y = axisHeight + position.lane * laneHeight + (laneHeight - barHeight) / 2 - 1;
  return <rect class={className} x={x} y={y} width={Math.max(4, toX(segment.to) - x + 1)} height={barHeight + 2} />;
}

/** Minimum width of a labelled bar, and of one that is more than its outline, in pixels. */
const [minNamed, minFilled] = [32, 3];

/** The shapes of one lane. They stay the same elements until the data or the visible part changes. */
function LaneBars({ model, span, width, nameOf }: Pick<LaneDrawingProps, 'span' | 'nameOf'> & { model: LaneModel; width: number }): VNode {
  return useMemo(() => {
    const shapes = toLaneShapes(model, span, width).toSorted((a, b) => a.kind - b.kind);
    return (
      <div class="lane">
        {shapes.map((shape, index) => (
          <span key={index} class={toClass(shape)} style={{ left: `${shape.x}px`, width: `${Math.max(1, shape.width - 0.5)}px` }}>
            {toName(shape)}
          </span>
        ))}
      </div>
    );
  }, [model, span.from, span.to, width, nameOf]);
  function toName({ x, width: length, index }: LaneShape): VNode | null {
    const segment = index === undefined ? undefined : model.segments[index];
    const name = segment === undefined || Math.min(width, x + length) - Math.max(0, x) < minNamed ? '' : nameOf(segment);
    return name === '' ? null : <span class="cutEnd" style={{ marginLeft: `${Math.max(0, -x) + 1}px` }}>{name}</span>;
  }
}

function toClass({ kind, width }: LaneShape): string {
  const name = laneKinds[kind] ?? 'idle';
  return `lane-${name}${name === 'idle' || name === 'running' ? '' : ` lane-bar${width < minFilled ? ' lane-narrow' : ''}`}`;
}
