import { type LaneKind, laneKinds } from './laneModel';

interface KindLook {
  readonly color: string;
  /** Pattern that distinguishes the kinds without colours. */
  readonly pattern: CanvasPattern | undefined;
}

/** Resolved theme colours for a canvas, which can't use CSS variables. */
export interface LaneTheme {
  readonly foreground: string;
  readonly background: string;
  readonly faint: string;
  readonly selection: string;
  readonly focus: string;
  readonly font: string;
  /** True if the system forces its own few colours. */
  readonly isForced: boolean;
  readonly kinds: Readonly<Record<LaneKind, KindLook>>;
}

/** Reads the theme from elements that have its colours by CSS class, so that forced colours are respected. */
export function readLaneTheme(probe: HTMLElement, scale: number): LaneTheme {
  const colorOf = (name: string): string => {
    const element = probe.querySelector(`.lanes-probe-${name}`);
    return element === null ? 'gray' : getComputedStyle(element).color;
  };
  const { fontFamily } = getComputedStyle(probe);
  const kinds = Object.fromEntries(
    laneKinds.map(kind => {
      const color = colorOf(kind);
      return [kind, { color, pattern: createPattern(kind, color, scale) }];
    }),
  ) as Record<LaneKind, KindLook>;
  return {
    foreground: colorOf('foreground'),
    background: colorOf('background'),
    faint: colorOf('faint'),
    selection: colorOf('selection'),
    focus: colorOf('focus'),
    font: `11px ${fontFamily}`,
    isForced: window.matchMedia('(forced-colors: active)').matches,
    kinds,
  };
}

/** Creates the pattern of a kind: tools are hatched, waiting is dotted, the model is plain. */
function createPattern(kind: LaneKind, color: string, scale: number): CanvasPattern | undefined {
  if (kind !== 'tool' && kind !== 'waiting') {
    return undefined;
  }
  const size = 6;
  const tile = document.createElement('canvas');
  tile.width = size * scale;
  tile.height = size * scale;
  const context = tile.getContext('2d');
  if (context === null) {
    return undefined;
  }
  context.scale(scale, scale);
  context.strokeStyle = color;
  context.fillStyle = color;
  if (kind === 'tool') {
    context.lineWidth = 1.2;
    context.beginPath();
    for (const shift of [-size, 0, size]) {
      context.moveTo(shift, size);
      context.lineTo(shift + size, 0);
    }
    context.stroke();
  } else {
    for (const [x, y] of [
      [1.5, 1.5],
      [4.5, 4.5],
    ] as const) {
      context.beginPath();
      context.arc(x, y, 1.1, 0, Math.PI * 2);
      context.fill();
    }
  }
  const pattern = context.createPattern(tile, 'repeat');
  // The canvas is drawn in CSS pixels, the tile in device pixels.
  pattern?.setTransform(new DOMMatrix([1 / scale, 0, 0, 1 / scale, 0, 0]));
  return pattern ?? undefined;
}
