import type { VNode } from 'preact';
import type { TimeAxis } from './timeAxis';
import type { ValueScale } from './valueScale';

/** Width of the labels to the left of the chart, in pixels. */
export const chartLeft = 58;
const right = 8;
const top = 10;
const bottom = 20;
const plot = 120;
const height = top + plot + bottom;

export interface ChartLine {
  readonly className: string;
  /** A value for each of the chart's moments. `undefined` before the first report, or once the value is unknown. */
  readonly values: readonly (number | undefined)[];
}

/** A marked point, by index of the chart's moments. Drawn as a cross at the bottom if the value is unknown. */
export interface ChartDot {
  readonly index: number;
  readonly value: number | undefined;
}

interface ChartProps {
  readonly axis: TimeAxis;
  readonly scale: ValueScale;
  /** Formats a value of the vertical axis. */
  readonly wordsOf: (value: number) => string;
  /** Moments of the horizontal axis, ascending. */
  readonly moments: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly dots?: readonly ChartDot[];
  /** Text alternative of the chart. */
  readonly label: string;
  /** Value of a horizontal line that marks a limit. */
  readonly limit?: number | undefined;
}

/** Returns the width of the plot area in a chart of `width` pixels. */
export function plotWidth(width: number): number {
  return Math.max(1, width - chartLeft - right);
}

/** A step chart over a grid, with numbers on both axes. */
export function Chart({ axis, scale, wordsOf, moments, lines, dots = [], label, limit }: ChartProps): VNode {
  const toY = (value: number): number => (1 - scale.toShare(value)) * plot;
  const xs = moments.map(axis.toX);
  return (
    <svg class="chart" width={axis.width + chartLeft + right} height={height} role="img" aria-label={label}>
      <g transform={`translate(${chartLeft} ${top})`}>
        {scale.ticks.map(({ value, share }) => (
          <g key={value}>
            <line class="chart-grid" x1="0" x2={axis.width} y1={(1 - share) * plot} y2={(1 - share) * plot} />
            <text class="chart-words" x="-6" y={(1 - share) * plot + 4} text-anchor="end">
              {wordsOf(value)}
            </text>
          </g>
        ))}
        {axis.ticks.map(({ x, words }) => (
          <g key={x}>
            <line class="chart-grid" x1={x} x2={x} y1="0" y2={plot + 5} />
            <text class="chart-words" x={x + 4} y={plot + 16}>
              {words}
            </text>
          </g>
        ))}
        {axis.breaks.map(({ from, to }) => (
          <path key={from} class="chart-break" d={`${toTornEdge(from)}${to - from < 4 ? '' : toTornEdge(to)}`} />
        ))}
        <path class="chart-axis" d={`M0 0V${plot}H${axis.width}`} />
        {limit === undefined ? null : <line class="tokens-budget" x1="0" x2={axis.width} y1={toY(limit)} y2={toY(limit)} />}
        {lines.map(({ className, values }) => (
          <path key={className} class={className} d={toSteps(xs, values, toY, axis.width)} />
        ))}
        {dots.map(({ index, value }) =>
          value === undefined ? (
            <path key={index} class="chart-cross" d={`M${((xs[index] ?? 0) - 3).toFixed(1)} ${plot - 3}l6 6m0 -6l-6 6`} />
          ) : (
            <circle key={index} class="chart-dot" cx={xs[index] ?? 0} cy={toY(value)} r="2.5" />
          ),
        )}
      </g>
    </svg>
  );
}

/** Returns the path of a step line from 0: each value holds until the next. */
function toSteps(xs: readonly number[], values: readonly (number | undefined)[], toY: (value: number) => number, width: number): string {
  let path = '';
  values.forEach((value, index) => {
    if (value !== undefined) {
      path += `H${(xs[index] ?? 0).toFixed(1)}V${toY(value).toFixed(1)}`;
    }
  });
  return path === '' ? '' : `M0 ${plot}${path}H${width}`;
}

/** Returns the path of the edge of a folded wait, as in the lanes. */
function toTornEdge(x: number): string {
  let path = `M${(x - 1.5).toFixed(1)} 0`;
  for (let y = 5, side = 1; y <= plot; y += 5, side = -side) {
    path += `L${(x + side * 1.5).toFixed(1)} ${y}`;
  }
  return path;
}
