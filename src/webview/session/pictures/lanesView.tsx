import type { VNode } from 'preact';
import { useContext, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { LaneSegment, Lanes } from '../../../shared/session/facts/lanes';
import { toLabel } from '../../../shared/text';
import { Button } from '../controls/button';
import { Panel } from '../panelContext';
import { useScale, useThemeChanges, useWidth } from './drawingSurface';
import { type LanePlace, type Point, useLaneKeys, useLanePointer } from './laneInput';
import { LaneModel, laneKinds } from './laneModel';
import { heightOf, paintLanes } from './lanePainter';
import { readLaneTheme } from './laneTheme';
import { toKindWord, toSegmentWords } from './laneWords';
import { type TimeSpan, toOffset, zoomSpan } from './timeSpan';

interface LanesViewProps {
  readonly lanes: Lanes;
  /** Names of rows by their keys, where they have one: tools. */
  readonly names: ReadonlyMap<string, string>;
  /** Row that is selected in the timeline, and its place on the axis where it is told. */
  readonly selectedKey: string | undefined;
  readonly selectedAt: number | undefined;
  readonly onSelect: (key: string) => void;
}

/**
 * What each thread did over time, one lane each. A click or Enter selects the event in the timeline; the wheel with Ctrl, a pinch, `+`
 * and `-` zoom; dragging and Shift with arrows move; a double click or `0` shows all; arrows step from segment to segment and say each.
 */
export function LanesView({ lanes: told, names, selectedKey, selectedAt, onSelect }: LanesViewProps): VNode {
  const panel = useContext(Panel);
  const { t } = panel;
  const { axis } = told;
  const lanes = useMemo(() => told.lanes.map(lane => new LaneModel(lane)), [told]);
  const whole = useMemo(() => ({ from: told.from, to: Math.max(told.to, told.from + 1) }), [told]);
  const [zoomed, zoom] = useState<{ readonly axis: Lanes['axis']; readonly span: TimeSpan }>();
  const span = zoomed?.axis === axis ? zoomed.span : whole;
  const [cursor, setCursor] = useState<LanePlace>();
  const [hover, setHover] = useState<LanePlace & { readonly point: Point }>();
  const [hasFocus, setFocus] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const probe = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const scale = useScale();
  const themeChanges = useThemeChanges();
  const hintId = useId();
  const selected = useMemo(() => findSelected(lanes, selectedKey, selectedAt), [lanes, selectedKey, selectedAt]);

  const setSpan = (next: TimeSpan): void => zoom(next.from <= whole.from && next.to >= whole.to ? undefined : { axis, span: next });
  const wordsOf = (segment: LaneSegment): string => toSegmentWords(segment, names.get(segment.key) ?? '', axis, panel);
  const segmentAt = ({ lane, index }: LanePlace): LaneSegment | undefined => lanes[lane]?.segments[index];
  const select = (place: LanePlace): void => {
    const segment = segmentAt(place);
    if (segment !== undefined) {
      setCursor(place);
      onSelect(segment.key);
    }
  };
  const input = { lanes, whole, span, width, setSpan };
  const pointer = useLanePointer({ ...input, canvas, onHover: setHover, onSelect: select });
  const onKeyDown = useLaneKeys({
    ...input,
    cursor: cursor !== undefined && segmentAt(cursor) !== undefined ? cursor : selected,
    onCursor: place => {
      setCursor(place);
      const segment = segmentAt(place);
      if (segment !== undefined) {
        panel.announce(`${wordsOf(segment)}, ${toLabel(lanes[place.lane]?.lane.name ?? '')}`);
      }
    },
    onSelect: select,
    onEscape: () => setHover(undefined),
  });

  const height = heightOf(lanes.length);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (canvas.current === null || probe.current === null || context === null || context === undefined || width === 0) {
      return;
    }
    canvas.current.width = Math.round(width * scale);
    canvas.current.height = Math.round(height * scale);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const picture = {
      ...{ lanes, span, width, selected, origin: axis === 'time' ? whole.from : 0, cursor: hasFocus ? cursor : undefined },
      nameOf: ({ key }: LaneSegment) => toLabel(names.get(key) ?? '', 100),
      tickOf: (moment: number, step: number) => (axis === 'time' ? toOffset(moment - whole.from, step) : String(Math.round(moment) + 1)),
    };
    paintLanes(context, picture, readLaneTheme(probe.current, scale));
    // The theme is read anew whenever it changed.
  }, [lanes, names, axis, span.from, span.to, whole.from, width, scale, height, selected, cursor, hasFocus, themeChanges]);

  const hovered = hover === undefined ? undefined : segmentAt(hover);
  const threads = lanes.map(({ lane }) => toLabel(lane.name));
  const middle = (span.from + span.to) / 2;
  return (
    <div class="lanes">
      <div class="lanes-tools">
        <Legend />
        <Button look="icon" icon="zoomIn" label={t('Zoom In')} onClick={() => setSpan(zoomSpan(span, whole, 0.5, middle))} />
        <Button look="icon" icon="zoomOut" label={t('Zoom Out')} onClick={() => setSpan(zoomSpan(span, whole, 2, middle))} />
        <Button look="icon" icon="fit" label={t('Show All')} disabled={span === whole} onClick={() => zoom(undefined)} />
      </div>
      <div class="lanes-body">
        <ul class="lanes-names" aria-hidden="true">
          {threads.map((name, index) => (
            <li key={index} title={name}>
              {name}
            </li>
          ))}
        </ul>
        <div
          class="lanes-box"
          ref={box}
          role="application"
          aria-roledescription={t('timing lanes')}
          aria-label={t('What each thread did: {0}', threads.join(', '))}
          aria-describedby={hintId}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the picture is walked through by keys
          tabIndex={0}
          onKeyDown={onKeyDown}
          onFocus={() => setFocus(true)}
          onBlur={() => setFocus(false)}
        >
          {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: it cannot have the focus; what stands around it has it */}
          <canvas ref={canvas} class="lanes-canvas" style={{ height: `${height}px` }} aria-hidden="true" {...pointer} />
          {hover === undefined || hovered === undefined ? null : (
            <div class="lanes-tooltip" role="tooltip" style={toTooltipPlace(hover.point, width)}>
              {wordsOf(hovered)}
            </div>
          )}
        </div>
      </div>
      <p class="lanes-hint" id={hintId}>
        {t('Arrows step, Enter shows the event, + and - zoom, Shift with arrows moves, 0 shows all.')}
      </p>
      <div class="lanes-probe" ref={probe} aria-hidden="true">
        {[...laneKinds, 'foreground', 'background', 'faint', 'selection', 'focus'].map(name => (
          <span key={name} class={`lanes-probe-${name}`} />
        ))}
      </div>
    </div>
  );
}

function Legend(): VNode {
  const { t } = useContext(Panel);
  return (
    <ul class="lanes-legend" aria-label={t('Legend')}>
      {laneKinds.toReversed().map(kind => (
        <li key={kind}>
          <span class={`lanes-swatch lanes-swatch-${kind}`} aria-hidden="true" />
          {toKindWord(kind, t)}
        </li>
      ))}
    </ul>
  );
}

/** Beside the pointer, on the side where there is room. */
function toTooltipPlace({ x, y }: Point, width: number): Record<string, string> {
  return x < width / 2 ? { left: `${x + 12}px`, top: `${y + 14}px` } : { right: `${width - x + 8}px`, top: `${y + 14}px` };
}

/** Where the selected row stands in the lanes: its segment, or at least its moment. */
function findSelected(
  lanes: readonly LaneModel[],
  key: string | undefined,
  at: number | undefined,
): { readonly at: number; readonly lane: number; readonly index: number } | undefined {
  if (key === undefined) {
    return undefined;
  }
  for (const [lane, { segments }] of lanes.entries()) {
    const index = segments.findIndex(segment => segment.key === key);
    const segment = segments[index];
    if (segment !== undefined) {
      return { at: segment.from, lane, index };
    }
  }
  return at === undefined ? undefined : { at, lane: -1, index: -1 };
}
