/** Kind of a vertical axis that starts at 0. `log` gives each power of ten the same height, so that no large value flattens the others. */
type ScaleKind = 'linear' | 'log';

interface ValueTick {
  readonly value: number;
  /** Height on the axis, from 0 (bottom) to 1 (top). */
  readonly share: number;
}

export interface ValueScale {
  readonly toShare: (value: number) => number;
  /** Round values to label, from 0 up. The last value is the top of the axis. */
  readonly ticks: readonly ValueTick[];
}

/** Share of the axis below which a line looks as if it were at the bottom. */
const flat = 0.04;

/** Chooses the scale for lines that end at these values. The scale is logarithmic if one line would flatten another. */
export function chooseScale(ends: readonly number[]): ScaleKind {
  const top = Math.max(0, ...ends);
  return ends.some(value => value > 0 && value < top * flat) ? 'log' : 'linear';
}

/** Creates an axis from 0 to `top` or slightly more. `minStep` is the smallest meaningful step: one token, one cent. */
export function toValueScale(kind: ScaleKind, top: number, minStep = 1): ValueScale {
  return kind === 'log' ? toLogScale(top, minStep) : toLinearScale(top, minStep);
}

const maxTicks = 5;

function toLinearScale(top: number, minStep: number): ValueScale {
  const step = toRoundStep(Math.max(top, minStep) / maxTicks, minStep);
  const count = Math.max(1, Math.ceil(top / step - 1e-9));
  const topTick = count * step;
  const toShare = (value: number): number => clamp(value / topTick);
  return {
    toShare,
    ticks: Array.from({ length: count + 1 }, (_, index) => ({ value: index * step, share: index / count })),
  };
}

/** Returns the first of 1, 2, 5, 10, 20, 50 and so on times `minStep` that is not below `length`. */
function toRoundStep(length: number, minStep: number): number {
  let powerOfTen = minStep;
  for (;;) {
    const step = [1, 2, 5].map(factor => factor * powerOfTen).find(candidate => candidate >= length * (1 - 1e-9));
    if (step !== undefined) {
      return step;
    }
    powerOfTen *= 10;
  }
}

/** Creates a scale of 0 and powers of ten. Values below `minStep` lie between 0 and the first power. */
function toLogScale(top: number, minStep: number): ValueScale {
  const powers = Math.max(1, Math.ceil(Math.log10(Math.max(1, top / minStep)) - 1e-9));
  // The space below the first power is as wide as the space between two powers.
  const toShare = (value: number): number => {
    const times = value / minStep;
    return clamp((times <= 1 ? Math.max(0, times) : 1 + Math.log10(times)) / (powers + 1));
  };
  const step = Math.ceil((powers + 1) / maxTicks);
  const ticks = Array.from({ length: powers + 1 }, (_, power) => power)
    .filter(power => (powers - power) % step === 0)
    .map(power => minStep * 10 ** power);
  return { toShare, ticks: [0, ...ticks].map(value => ({ value, share: toShare(value) })) };
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}
