import type { ComponentChildren, VNode } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { toNumber } from '../../../shared/formats';
import type { UsageEvent } from '../../../shared/session/facts/tokensOverTime';
import type { Row } from '../../../shared/session/rows/rows';
import type { OwnPrices } from '../../../shared/session/sessionProtocol';
import type { SessionView } from '../../../shared/session/sessionView';
import { toMoment } from '../../controls/numbers';
import { Panel, useRemembered } from '../../controls/panelContext';
import { useSampled } from '../sampled';
import { type Lanes, toLanes } from './lanes';
import { toQuietStretches } from './quietStretches';
import { NumbersTable, Scroller } from './tables';
import { beside, type TimeAxis, toTimeAxis } from './timeAxis';
import { minFold, TimeFolds } from './timeFolds';
import { chooseScale, toValueScale, type ValueScale } from './valueScale';

/** Width of the labels to the left of the chart, in pixels. */
const chartLeft = 58;
const right = 8;
const top = 10;
const bottom = 20;
const plot = 120;
const height = top + plot + bottom;
/** Maximum number of points of a line, about one per pixel. */
const maxPoints = 300;

interface ChartLine {
  readonly name: 'cost' | 'input' | 'output' | 'cacheRead' | 'cacheWrite';
  /** Text of the legend. */
  readonly words: string;
  /** A value for each of the chart's moments. `undefined` before the first report, or once the value is unknown. */
  readonly values: readonly (number | undefined)[];
}

/** Content of the session for its charts. */
export interface ChartProps {
  /** Rows of the session's own log. The rows may change in place, and are then read again with a later render. */
  readonly rows: readonly Row[];
  readonly view: SessionView;
  readonly prices: OwnPrices | undefined;
  readonly selectedKey: string | undefined;
  readonly onSelect: (key: string) => void;
  readonly isTable: boolean;
}

/** Data shared by all charts of a session. */
export interface ChartGround {
  readonly lanes: Lanes;
  readonly folds: TimeFolds;
  readonly positions: readonly number[];
}

interface OverTimeProps<P> {
  readonly points: readonly P[];
  readonly ground: ChartGround;
  readonly isTable: boolean;
  readonly label: string;
  readonly caption: string;
  /** Columns of the table after the event and its time, and their cells. */
  readonly columns: readonly string[];
  readonly cellsOf: (point: P) => readonly string[];
  readonly children: ComponentChildren;
  /** Shown below both the charts and the table. */
  readonly note?: ComponentChildren;
}

/** Charts of values over time, or the same values as a table. */
export function OverTime<P extends UsageEvent>(props: OverTimeProps<P>): VNode {
  const { points, ground, isTable, label, caption, columns, cellsOf, children, note } = props;
  const { t, locale } = useContext(Panel);
  const today = Date.now();
  if (points.length === 0) {
    return <p class="pictures-empty faint">{t('No data yet')}</p>;
  }
  if (!isTable) {
    return (
      <>
        <div class="tokens flexWrap">{children}</div>
        {note}
        <AxisHint ground={ground} />
      </>
    );
  }
  const rows = points.map(point => {
    const time = point.at === undefined ? '–' : toMoment(point.at, locale, today);
    return { key: point.key, cells: [toNumber(point.seq + 1, locale), time, ...cellsOf(point)] };
  });
  return (
    <>
      <Scroller label={label}>
        <NumbersTable caption={caption} columns={[t('Event'), t('Time'), ...columns]} rows={rows} />
      </Scroller>
      {note}
    </>
  );
}

/** Returns the lanes of the session, its long waits, and the axis that the user chose. */
export function useLanes({ rows, view }: ChartProps) {
  const [axis, setAxis] = useRemembered('laneAxis');
  const isForced = axis === 'time' || axis === 'order';
  const { lanes, quiet } = useSampled(() => {
    const sessionLanes = toLanes(rows, view.threads, { ...(isForced ? { axis } : {}), isComplete: view.runs !== undefined });
    return { lanes: sessionLanes, quiet: toQuietStretches(sessionLanes, rows, minFold) };
  }, [rows, axis]);
  return { lanes, quiet, isForced, setAxis };
}

/** Thins out points evenly to about one per pixel, always including the last one, and places them on the axis in order. */
export function useChartPoints<P extends UsageEvent>(
  all: readonly P[],
  props: ChartProps,
): { readonly points: readonly P[]; readonly ground: ChartGround } {
  const { lanes, quiet } = useLanes(props);
  return useMemo(() => {
    const step = Math.max(1, Math.ceil(all.length / maxPoints));
    const points = all.filter((_, index) => index % step === 0 || index === all.length - 1);
    const folds = new TimeFolds(lanes, quiet);
    let last = lanes.from;
    const positions = points.map(({ at, seq }) => {
      last = Math.max(last, (lanes.axis === 'time' ? at : seq) ?? last);
      return folds.toPosition(last);
    });
    return { points, ground: { lanes, folds, positions } };
  }, [all, lanes, quiet]);
}

interface ChartFigureProps {
  readonly ground: ChartGround;
  readonly title: string;
  readonly unit: string;
  /** Smallest meaningful step of a value. */
  readonly minStep?: number;
  readonly wordsOf: (value: number) => string;
  readonly lines: readonly ChartLine[];
  /** A value that the lines should stay below. */
  readonly budget?: number | undefined;
  /** Text alternative of the chart. */
  readonly label: string;
}

/** A chart with its legend. Uses a logarithmic scale if one line would flatten another line, and a linear scale otherwise. */
export function ChartFigure(props: ChartFigureProps): VNode {
  const { ground, title, unit, minStep, lines, budget } = props;
  const { t } = useContext(Panel);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const axis = useMemo(() => toTimeAxis(ground.lanes, ground.folds, Math.max(1, width - chartLeft - right)), [ground, width]);
  const ends = [...lines.map(({ values }) => values.findLast(value => value !== undefined)), budget].filter(end => end !== undefined);
  const kind = chooseScale(ends);
  const scale = toValueScale(kind, Math.max(0, ...ends), minStep);
  return (
    <figure class="chart-figure">
      <figcaption class="flexWrap flexBaseline">
        <b>{title}</b>
        <span class="hint">{kind === 'log' ? t('{0}, logarithmic scale', unit) : unit}</span>
        <ul class="lanes-legend flexWrap hint">
          {lines.map(({ name, words }) => (
            <ChartKey key={name} className={lineClass(name)} words={words} />
          ))}
          {budget === undefined ? null : <ChartKey className="tokens-budget" words={t('budget')} />}
        </ul>
      </figcaption>
      <div ref={box} class="chart-box">
        {width === 0 ? null : <Chart {...props} axis={axis} scale={scale} />}
      </div>
    </figure>
  );
}

function lineClass(name: ChartLine['name']): string {
  return `tokens-line tokens-line-${name}`;
}

function Chart({ ground, axis, scale, wordsOf, lines, label, budget }: ChartFigureProps & { axis: TimeAxis; scale: ValueScale }): VNode {
  const toY = (value: number): number => (1 - scale.toShare(value)) * plot;
  const xs = ground.positions.map(axis.toX);
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
        <AxisGrid axis={axis} height={plot + 5} wordsAt={plot + 16} />
        {axis.breaks.map(({ wait, from, to }) => (
          <path key={wait.from} class="chart-break" d={`${toTornEdge(from, plot)}${to - from < 4 ? '' : toTornEdge(to, plot)}`} />
        ))}
        <path class="chart-axis" d={`M0 0V${plot}H${axis.width}`} />
        {budget === undefined ? null : <line class="tokens-budget" x1="0" x2={axis.width} y1={toY(budget)} y2={toY(budget)} />}
        {lines.map(({ name, values }) => (
          <path key={name} class={lineClass(name)} d={toSteps(xs, values, toY, axis.width)} />
        ))}
      </g>
    </svg>
  );
}

/** Grid lines of a time axis, `height` pixels high, with their labels at `wordsAt`. */
export function AxisGrid({ axis, height: length, wordsAt }: { axis: TimeAxis; height: number; wordsAt: number }): VNode {
  return (
    <>
      {axis.ticks.map(({ x, words }) => (
        <g key={x}>
          <line class="chart-grid" x1={x} x2={x} y1="0" y2={length} />
          <text class="chart-words" x={x + beside} y={wordsAt}>
            {words}
          </text>
        </g>
      ))}
    </>
  );
}

/** An entry of the legend: the sample of a line, and its name. */
function ChartKey({ className, words }: { className: string; words: string }): VNode {
  return (
    <li>
      <svg class="tokens-swatch" viewBox="0 0 20 4" aria-hidden="true">
        <line class={className} x1="0" y1="2" x2="20" y2="2" />
      </svg>
      {words}
    </li>
  );
}

/** A sentence that explains the horizontal axis. */
function AxisHint({ ground: { lanes, folds } }: { ground: ChartGround }): VNode {
  const { t } = useContext(Panel);
  return (
    <p class="lanes-hint hint">
      {lanes.axis === 'order'
        ? t('Horizontal axis: events in order.')
        : folds.folds.length > 0
          ? t('Horizontal axis: time since the first event, long waits collapsed.')
          : t('Horizontal axis: time since the first event.')}
    </p>
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

/** Returns the path of the edge of a folded wait. */
export function toTornEdge(x: number, length: number): string {
  let path = `M${(x - 1.5).toFixed(1)} 0`;
  for (let y = 5, side = 1; y <= length; y += 5, side = -side) {
    path += `L${(x + side * 1.5).toFixed(1)} ${y}`;
  }
  return path;
}

/** Tracks the width of an element in CSS pixels. */
export function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const { current } = element;
    if (current === null) {
      return undefined;
    }
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    setWidth(current.clientWidth);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
