import type { VNode } from 'preact';
import { useContext, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../controls/button';
import { Panel } from '../panelContext';
import { useScale, useThemeChanges, useWidth } from './drawingSurface';
import { type LanePlace, type Point, useLaneKeys, useLanePointer } from './laneInput';
import { type LaneModel, laneKinds } from './laneModel';
import { heightOf, paintLanes } from './lanePainter';
import { readLaneTheme } from './laneTheme';
import { toKindWord, toSegmentWords } from './laneWords';
import { type TimeSpan, zoomSpan } from './timeSpan';

interface LanesViewProps {
  readonly lanes: readonly LaneModel[];
  readonly whole: TimeSpan;
  /** Row that is selected in the timeline, and its moment where it is told. */
  readonly selectedKey: string | undefined;
  readonly selectedAt: number | undefined;
  readonly onSelect: (thread: string, key: string) => void;
}

/**
 * What each thread did over time, one lane each. Click or Enter selects the event in the timeline; wheel with Ctrl, pinch, `+` and `-`
 * zoom, dragging and Shift with arrows move, a double click or `0` shows all; arrows step from segment to segment and say each.
 */
export function LanesView({ lanes, whole, selectedKey, selectedAt, onSelect }: LanesViewProps): VNode {
  const panel = useContext(Panel);
  const { t } = panel;
  const [zoomed, zoom] = useState<TimeSpan>();
  const span = zoomed ?? whole;
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

  const setSpan = (next: TimeSpan): void => zoom(next.from <= whole.from && next.to >= whole.to ? undefined : next);
  const select = ({ lane, index }: LanePlace): void => {
    const model = lanes[lane];
    const segment = model?.segments[index];
    if (model !== undefined && segment !== undefined) {
      setCursor({ lane, index });
      onSelect(model.lane.thread, segment.key);
    }
  };
  const input = { lanes, whole, span, width, setSpan };
  const pointer = useLanePointer({ ...input, canvas, onHover: setHover, onSelect: select });
  const onKeyDown = useLaneKeys({
    ...input,
    cursor: cursor ?? selected,
    onCursor: place => {
      setCursor(place);
      const model = lanes[place.lane];
      const segment = model?.segments[place.index];
      if (model !== undefined && segment !== undefined) {
        panel.announce(`${toSegmentWords(segment, panel)}, ${model.lane.name}`);
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
    const shownCursor = hasFocus ? cursor : undefined;
    paintLanes(context, { lanes, span, origin: whole.from, width, selected, cursor: shownCursor }, readLaneTheme(probe.current, scale));
    // The theme is read anew whenever it changed.
  }, [lanes, span.from, span.to, whole.from, width, scale, height, selected, cursor, hasFocus, themeChanges]);

  const hovered = hover === undefined ? undefined : lanes[hover.lane]?.segments[hover.index];
  const names = lanes.map(({ lane }) => lane.name);
  return (
    <div class="lanes">
      <div class="lanes-tools">
        <Legend />
        <Button
          look="icon"
          icon="zoomIn"
          label={t('Zoom In')}
          onClick={() => setSpan(zoomSpan(span, whole, 0.5, (span.from + span.to) / 2))}
        />
        <Button
          look="icon"
          icon="zoomOut"
          label={t('Zoom Out')}
          onClick={() => setSpan(zoomSpan(span, whole, 2, (span.from + span.to) / 2))}
        />
        <Button look="icon" icon="fit" label={t('Show All')} disabled={zoomed === undefined} onClick={() => zoom(undefined)} />
      </div>
      <div class="lanes-body">
        <ul class="lanes-names" aria-hidden="true">
          {names.map((name, index) => (
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
          aria-label={t('What each thread did: {0}', names.join(', '))}
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
              {toSegmentWords(hovered, panel)}
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
      {laneKinds.map(kind => (
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
