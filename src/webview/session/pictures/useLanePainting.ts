import { useLayoutEffect } from 'preact/hooks';
import { useScale, useThemeChanges } from './drawingSurface';
import { heightOf, type LanesPicture, paintLanes } from './lanePainter';
import { readLaneTheme } from './laneTheme';

interface LanePainting {
  readonly canvas: { readonly current: HTMLCanvasElement | null };
  /** Element that has the theme's colours by CSS class. */
  readonly probe: { readonly current: HTMLElement | null };
  readonly picture: LanesPicture;
  /** Inputs of the picture beside the visible span. The canvas is painted when one changes. */
  readonly paintedFrom: readonly unknown[];
}

/** Paints the lanes whenever their data, the theme or the screen changes. */
export function useLanePainting({ canvas, probe, picture, paintedFrom }: LanePainting): void {
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
    // Read at every paint, because the theme may have changed.
    paintLanes(context, picture, readLaneTheme(probe.current, scale));
  }, [...paintedFrom, span.from, span.to, scale, themeChanges]);
}
