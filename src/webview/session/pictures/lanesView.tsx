import type { VNode } from 'preact';
import { useCallback, useContext, useId, useMemo, useRef, useState } from 'preact/hooks';
import { toLabel } from '../../../shared/text';
import { Button } from '../../controls/button';
import { toDuration } from '../../controls/numbers';
import { Panel } from '../../controls/panelContext';
import { AxisGrid, toTornEdge, useWidth } from './chart';
import { type Found, type Point, useLaneKeys, useLanePointer } from './laneInput';
import { axisHeight, type LaneItem, LaneModel, type LaneShape, laneHeight, laneKinds, toLaneShapes } from './laneModel';
import type { LaneSegment, Lanes } from './lanes';
import type { QuietStretch } from './quietStretches';
import { toKindWord, toSegmentWords, toWaitWords } from './tables';
import { type TimeAxis, toFoldMarks, toTimeAxis } from './timeAxis';
import { type TimeFold, TimeFolds } from './timeFolds';
import { type TimeSpan, zoomSpan } from './timeSpan';

interface LanesViewProps {
  readonly lanes: Lanes;
  readonly quiet: readonly QuietStretch[];
  /** Names of rows that have a name, such as tool calls, by row key. */
  readonly names: ReadonlyMap<string, string>;
  readonly selectedKey: string | undefined;
  readonly selectedAt: number | undefined;
  readonly onSelect: (key: string) => void;
}

/**
 * Activities of each thread over time, one lane each. A click or Enter selects the event in the timeline. The wheel with Ctrl, a pinch, `+`
 * and `-` zoom. Dragging and Shift with arrow keys pan. A double click or `0` shows the whole session. Arrow keys step from segment to
 * segment and announce each. Long waits are folded into breaks.
 */
export function LanesView({ lanes: session, quiet, names, selectedKey, selectedAt, onSelect }: LanesViewProps): VNode {
  const panel = useContext(Panel);
  const { t } = panel;
  const { axis } = session;
  const times = useMemo(() => ({ from: session.from, to: Math.max(session.to, session.from + 1) }), [session]);
  const folds = useMemo(() => new TimeFolds(times, quiet), [times, quiet]);
  const lanes = useMemo(
    () => session.lanes.map((lane, index) => new LaneModel(lane, index, time => folds.toPosition(time))),
    [session, folds],
  );
  const whole = useMemo(() => folds.toPositions(times), [times, folds]);
  // Visible part in times instead of positions, because folding changes the positions.
  const [zoomed, zoom] = useState<{ readonly axis: Lanes['axis']; readonly times: TimeSpan }>();
  const span = zoomed?.axis === axis ? folds.toPositions(zoomed.times) : whole;
  const [chosen, setCursor] = useState<LaneItem>();
  // New rows replace all lanes and folds, so segments and folds are looked up again.
  const cursor = chosen && lanes[chosen.lane]?.find(chosen);
  const [pointed, setHover] = useState<Found>();
  const [hasFocus, setFocus] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const hintId = useId();
  const selected = useMemo(
    () => lanes.map(({ items }) => items.find(({ segment }) => segment.key === selectedKey)).find(item => item !== undefined),
    [lanes, selectedKey],
  );

  const setSpan = (next: TimeSpan): void =>
    zoom(next.from <= whole.from && next.to >= whole.to ? undefined : { axis, times: folds.toTimes(next) });
  const wordsOf = (segment: LaneSegment): string => toSegmentWords(segment, names.get(segment.key) ?? '', axis, panel);
  const toFoundWords = (is: Found['is']): string =>
    'lane' in is ? wordsOf(is.segment) : `${toDuration(is.to - is.from, panel)}, ${toWaitWords(is, t)}`;
  const select = (item: LaneItem): void => {
    setCursor(item);
    onSelect(item.segment.key);
  };
  const input = { lanes, whole, span, folds, width, setSpan };
  const pointer = useLanePointer({ ...input, stage, onHover: setHover, onSelect: select });
  const onKeyDown = useLaneKeys({
    ...input,
    cursor: cursor ?? selected,
    onCursor: item => {
      setCursor(item);
      panel.announce(`${wordsOf(item.segment)}, ${toLabel(lanes[item.lane]?.name ?? '')}`);
    },
    onSelect: select,
    onEscape: () => setHover(undefined),
  });

  const timeAxis = useMemo(() => toTimeAxis(session, folds, width, span), [session, folds, width, span.from, span.to]);
  const nameOf = useCallback(({ key }: LaneSegment) => toLabel(names.get(key) ?? '', 100), [names]);
  const hovered = pointed && ('lane' in pointed.is ? lanes[pointed.is.lane]?.find(pointed.is) : folds.find(pointed.is));
  const threads = lanes.map(({ name }) => toLabel(name));
  return (
    <div class="lanes">
      <LaneTools {...{ span, whole, setSpan }} isWhole={zoomed?.axis !== axis} showAll={() => zoom(undefined)} />
      <div class="lanes-body">
        <ul class={folds.folds.length === 0 ? 'lanes-names' : 'lanes-names lanes-names-lower'} aria-hidden="true">
          {threads.map((name, index) => (
            <li key={index} class="cutEnd" title={name}>
              {name}
            </li>
          ))}
        </ul>
        <div class="lanes-stage">
          {folds.folds.length === 0 ? null : <FoldMarks axis={timeAxis} />}
          <div
            class="lanes-box"
            ref={box}
            role="application"
            aria-roledescription={t('timing lanes')}
            aria-label={t('Activity of each thread: {0}', threads.join(', '))}
            aria-describedby={hintId}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys step through the drawing
            tabIndex={0}
            onKeyDown={onKeyDown}
            onFocus={() => setFocus(true)}
            onBlur={() => setFocus(false)}
          >
            <div ref={stage} class="lanes-plot" style={{ height: `${heightOf(lanes.length)}px` }} aria-hidden="true" {...pointer}>
              <LaneDrawing
                {...{ lanes, span, nameOf, selected }}
                axis={timeAxis}
                selectedAt={selected?.from ?? (selectedAt === undefined ? undefined : folds.toPosition(selectedAt))}
                cursor={hasFocus ? cursor : undefined}
              />
            </div>
            {pointed === undefined || hovered === undefined ? null : (
              <div class="lanes-tooltip" role="tooltip" style={toTooltipStyle(pointed.point, width)}>
                {toFoundWords(hovered)}
              </div>
            )}
          </div>
        </div>
      </div>
      <p class="lanes-hint hint" id={hintId}>
        {t('Arrow keys move, Enter shows the event, + and - zoom, Shift+arrow keys scroll, 0 shows everything.')}
      </p>
    </div>
  );
}

interface LaneToolsProps {
  readonly span: TimeSpan;
  readonly whole: TimeSpan;
  readonly setSpan: (span: TimeSpan) => void;
  readonly isWhole: boolean;
  readonly showAll: () => void;
}

function LaneTools({ span, whole, setSpan, isWhole, showAll }: LaneToolsProps): VNode {
  const { t } = useContext(Panel);
  const middle = (span.from + span.to) / 2;
  return (
    <div class="lanes-tools flexWrap">
      <ul class="lanes-legend flexWrap hint" aria-label={t('Legend')}>
        {laneKinds.toReversed().map(kind => (
          <li key={kind}>
            <span class={`lanes-swatch lane-${kind}`} aria-hidden="true" />
            {toKindWord(kind, t)}
          </li>
        ))}
      </ul>
      <Button kind="icon" icon="zoomIn" label={t('Zoom In')} onClick={() => setSpan(zoomSpan(span, whole, 0.5, middle))} />
      <Button kind="icon" icon="zoomOut" label={t('Zoom Out')} onClick={() => setSpan(zoomSpan(span, whole, 2, middle))} />
      <Button kind="icon" icon="fit" label={t('Show All')} disabled={isWhole} onClick={showAll} />
    </div>
  );
}

function FoldMarks({ axis }: { readonly axis: TimeAxis }): VNode {
  const panel = useContext(Panel);
  const { t } = panel;
  const lengthOf = ({ from, to }: TimeFold): string => toDuration(to - from, panel);
  return (
    <ul class="lanes-folds faint" aria-label={t('Long waits')}>
      {toFoldMarks(axis, lengthOf).map(({ wait, left, width }) => (
        <li key={wait.from} style={{ left: `${left}px`, width: `${width}px` }} title={toWaitWords(wait, t)}>
          {lengthOf(wait)}
        </li>
      ))}
    </ul>
  );
}

function toTooltipStyle({ x, y }: Point, width: number): Record<string, string> {
  return x < width / 2 ? { left: `${x + 12}px`, top: `${y + 14}px` } : { right: `${width - x + 8}px`, top: `${y + 14}px` };
}

const barHeight = 16;

interface LaneDrawingProps {
  readonly lanes: readonly LaneModel[];
  /** The visible part, in positions. */
  readonly span: TimeSpan;
  readonly axis: TimeAxis;
  /** Returns the label of a wide segment, or '' for none. Passing a different function redraws all lanes. */
  readonly nameOf: (segment: LaneSegment) => string;
  /** The event that is selected in the timeline: its position, and its segment if it has one. */
  readonly selectedAt: number | undefined;
  readonly selected: LaneItem | undefined;
  readonly cursor: LaneItem | undefined;
}

/** Returns the height of a drawing with this many lanes, in pixels. */
function heightOf(lanes: number): number {
  return axisHeight + lanes * laneHeight + 2;
}

/** The lanes below a time axis, with the breaks of folded waits, the selection and the keyboard cursor. */
function LaneDrawing({ lanes, span, axis, nameOf, selectedAt, selected, cursor }: LaneDrawingProps): VNode {
  const { width, toX, breaks } = axis;
  const height = heightOf(lanes.length);
  const size = { width, height };
  const at = selectedAt === undefined ? undefined : Math.round(toX(selectedAt));
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
        {selected && <Outline item={selected} toX={toX} className="lanes-selection" />}
        {cursor && <Outline item={cursor} toX={toX} className="lanes-cursor" />}
      </svg>
    </>
  );
}

function toTornEdges(from: number, to: number, height: number): string {
  return to - from < 6 ? toTornEdge((from + to) / 2, height) : toTornEdge(from, height) + toTornEdge(to, height);
}

interface OutlineProps extends Pick<TimeAxis, 'toX'> {
  readonly item: LaneItem;
  readonly className: string;
}

function Outline({ item, toX, className }: OutlineProps): VNode {
  const x = toX(item.from) - 1;
  const y = axisHeight + item.lane * laneHeight + (laneHeight - barHeight) / 2 - 1;
  return <rect class={className} x={x} y={y} width={Math.max(4, toX(item.to) - x + 1)} height={barHeight + 2} />;
}

/** Minimum width of a labelled bar, and of a filled bar, in pixels. A narrower bar is only an outline. */
const [minNamed, minFilled] = [32, 3];

/** The shapes of one lane. The elements stay the same until the data or the visible part changes. */
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
  function toName({ x, width: length, item }: LaneShape): VNode | null {
    const name = item === undefined || Math.min(width, x + length) - Math.max(0, x) < minNamed ? '' : nameOf(item.segment);
    return name === '' ? null : (
      <span class="cutEnd" style={{ marginLeft: `${Math.max(0, -x) + 1}px` }}>
        {name}
      </span>
    );
  }
}

function toClass({ kind, width }: LaneShape): string {
  const name = laneKinds[kind] ?? 'idle';
  return `lane-${name}${name === 'idle' || name === 'running' ? '' : ` lane-bar${width < minFilled ? ' lane-narrow' : ''}`}`;
}
