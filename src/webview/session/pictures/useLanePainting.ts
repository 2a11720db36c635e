import { useLayoutEffect } from 'preact/hooks';
import { useScale, useThemeChanges } from './drawingSurface';
import { heightOf, type LanesPicture, paintLanes } from './lanePainter';
import { readLaneTheme } from './laneTheme';

interface LanePainting {
  readonly canvas: { readonly current: HTMLCanvasElement | null };
  /** Carries the theme's colours by class. */
  readonly probe: { readonly current: HTMLElement | null };
  readonly picture: LanesPicture;
  /** What the picture is made of, beside the span that it shows: painted is when one of these is another. */
  readonly drawnFrom: readonly unknown[];
}

/** Paints the lanes whenever what they show is another, or the theme, or the screen. */
export function useLanePainting({ canvas, probe, picture, drawnFrom }: LanePainting): void {
  const scale = useScale();
  const themeChanges = useThemeChanges();
  const { lanes, span, width } = picture;
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (canvas.current === null || probe.current === null || context === null || context === undefined || width === 0) {
      return;
    }
    canvas.current.width = Math.round(width * scale);
    canvas.current.height = Math.round(heightOf(lanes.length) * scale);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    // The theme is read anew whenever it changed.
    paintLanes(context, picture, readLaneTheme(probe.current, scale));
  }, [...drawnFrom, span.from, span.to, scale, themeChanges]);
}
