/** Kind of a vertical axis that starts at 0. `log` gives each power of ten the same height, so that no large value flattens the others. */
export type ScaleKind = 'linear' | 'log';

export interface ValueTick {
  readonly value: number;
  /** Height on the axis, from 0 (bottom) to 1 (top). */
  readonly share: number;
}

export interface ValueScale {
  readonly kind: ScaleKind;
  readonly toShare: (value: number) => number;
  /** Round values to label, from 0 up. The last one is the top of the axis. */
  readonly ticks: readonly ValueTick[];
}

/** Share of the axis below which a line looks as if it were at the bottom. */
const flat = 0.04;

/** Chooses the scale for lines that end at these values: logarithmic if one would flatten another. */
export function chooseScale(ends: readonly number[]): ScaleKind {
  const most = Math.max(0, ...ends);
  return ends.some(value => value > 0 && value < most * flat) ? 'log' : 'linear';
}

/** Creates an axis from 0 to `most` or slightly more. `least` is the smallest meaningful step: one token, one cent. */
export function toValueScale(kind: ScaleKind, most: number, least = 1): ValueScale {
  return kind === 'log' ? toLogScale(most, least) : toLinearScale(most, least);
}

const maxTicks = 5;

function toLinearScale(most: number, least: number): ValueScale {
  const step = toRoundStep(Math.max(most, least) / maxTicks, least);
  const count = Math.max(1, Math.ceil(most / step - 1e-9));
  const top = count * step;
  const toShare = (value: number): number => clamp(value / top);
  return {
    kind: 'linear',
    toShare,
    ticks: Array.from({ length: count + 1 }, (_, index) => ({ value: index * step, share: index / count })),
  };
}

/** Returns the first of 1, 2, 5, 10, 20, 50 and so on times `least` that is not below `length`. */
function toRoundStep(length: number, least: number): number {
  let ten = least;
  for (;;) {
    const step = [1, 2, 5].map(factor => factor * ten).find(candidate => candidate >= length * (1 - 1e-9));
    if (step !== undefined) {
      return step;
    }
    ten *= 10;
  }
}

/** Creates a scale of powers of ten above 0. Values below `least` lie between the two. */
function toLogScale(most: number, least: number): ValueScale {
  const powers = Math.max(1, Math.ceil(Math.log10(Math.max(1, most / least)) - 1e-9));
  // The space below the first power is as wide as the space between two powers.
  const toShare = (value: number): number => {
    const times = value / least;
    return clamp((times <= 1 ? Math.max(0, times) : 1 + Math.log10(times)) / (powers + 1));
  };
  const step = Math.ceil((powers + 1) / maxTicks);
  const ticks = Array.from({ length: powers + 1 }, (_, power) => power)
    .filter(power => (powers - power) % step === 0)
    .map(power => least * 10 ** power);
  return { kind: 'log', toShare, ticks: [0, ...ticks].map(value => ({ value, share: toShare(value) })) };
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}
