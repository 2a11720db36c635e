import type { ComponentChildren, VNode } from 'preact';
import { useContext, useMemo, useRef } from 'preact/hooks';
import type { Lanes } from '../../../../shared/session/facts/lanes';
import { Panel } from '../../../controls/panelContext';
import { useWidth } from '../drawingSurface';
import type { TimeFolds } from '../timeFolds';
import { Chart, type ChartDot, type ChartLine, plotWidth } from './chart';
import { toTimeAxis } from './timeAxis';
import { chooseScale, toValueScale } from './valueScale';

/** Shared by all charts of a session. */
export interface ChartGround {
  readonly lanes: Pick<Lanes, 'axis' | 'from' | 'to'>;
  readonly folds: TimeFolds;
  /** Moments at which values were reported, ascending. */
  readonly moments: readonly number[];
}

interface ChartFigureProps {
  readonly ground: ChartGround;
  readonly title: string;
  /** Unit of the values. */
  readonly unit: string;
  /** Smallest meaningful step of a value. */
  readonly least?: number;
  readonly wordsOf: (value: number) => string;
  readonly lines: readonly ChartLine[];
  readonly dots?: readonly ChartDot[];
  readonly limit?: number | undefined;
  /** Text alternative of the chart. */
  readonly label: string;
  /** Legend. */
  readonly children: ComponentChildren;
}

/** A chart with its legend. Uses a logarithmic scale if one line would flatten another, and a linear one otherwise. */
export function ChartFigure({ ground, title, unit, least, wordsOf, lines, dots, limit, label, children }: ChartFigureProps): VNode {
  const { t } = useContext(Panel);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const { lanes, folds, moments } = ground;
  const axis = useMemo(() => toTimeAxis(lanes, folds, plotWidth(width)), [lanes, folds, width]);
  const ends = [
    ...lines.flatMap(({ values }) => values.findLast(value => value !== undefined) ?? []),
    ...(limit === undefined ? [] : [limit]),
  ];
  const kind = chooseScale(ends);
  const scale = toValueScale(kind, Math.max(0, ...ends), least);
  return (
    <figure class="chart-figure">
      <figcaption>
        <b>{title}</b>
        <span class="chart-unit">{kind === 'log' ? t('{0}, logarithmic scale', unit) : unit}</span>
        <ul class="lanes-legend">{children}</ul>
      </figcaption>
      <div ref={box} class="chart-box">
        {width === 0 ? null : (
          <Chart
            axis={axis}
            scale={scale}
            wordsOf={wordsOf}
            moments={moments}
            lines={lines}
            label={label}
            limit={limit}
            {...(dots && { dots })}
          />
        )}
      </div>
    </figure>
  );
}

/** An entry of the legend: the sample of a line, and its name. */
export function ChartKey({ className, children }: { className: string; children: ComponentChildren }): VNode {
  return (
    <li>
      <svg class="tokens-swatch" viewBox="0 0 20 4" aria-hidden="true">
        <line class={className} x1="0" y1="2" x2="20" y2="2" />
      </svg>
      {children}
    </li>
  );
}
