/** How values stand on an upright axis that begins at 0: `log` gives each power of ten as much room, so that no large value flattens the others. */
export type ScaleKind = 'linear' | 'log';

export interface ValueTick {
  readonly value: number;
  /** From 0 at the foot of the axis to 1 at its top. */
  readonly share: number;
}

export interface ValueScale {
  readonly kind: ScaleKind;
  /** Share of the axis that a value takes, from 0 to 1. */
  readonly toShare: (value: number) => number;
  /** Round values to write beside the axis, from 0 up; the last one is its top. */
  readonly ticks: readonly ValueTick[];
}

/** A line that ends lower than this share of the axis cannot be told from the foot. */
const flat = 0.04;

/** The scale for lines that end at these values: logarithmic where one of them would flatten another. */
export function chooseScale(ends: readonly number[]): ScaleKind {
  const most = Math.max(0, ...ends);
  return ends.some(value => value > 0 && value < most * flat) ? 'log' : 'linear';
}

/** An axis from 0 to `most` or a little more; `least` is the smallest step that has a meaning: one token, one cent. */
export function toValueScale(kind: ScaleKind, most: number, least = 1): ValueScale {
  return kind === 'log' ? toLogScale(most, least) : toLinearScale(most, least);
}

const mostTicks = 5;

function toLinearScale(most: number, least: number): ValueScale {
  const step = toRoundStep(Math.max(most, least) / mostTicks, least);
  const count = Math.max(1, Math.ceil(most / step - 1e-9));
  const top = count * step;
  const toShare = (value: number): number => clamp(value / top);
  return {
    kind: 'linear',
    toShare,
    ticks: Array.from({ length: count + 1 }, (_, index) => ({ value: index * step, share: index / count })),
  };
}

/** The first of 1, 2, 5, 10, 20, 50 and so on times `least` that is not below a length. */
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

/** Powers of ten over a foot that is 0: what is less than `least` stands between them. */
function toLogScale(most: number, least: number): ValueScale {
  const powers = Math.max(1, Math.ceil(Math.log10(Math.max(1, most / least)) - 1e-9));
  // As much room below the first power as between two others.
  const toShare = (value: number): number => {
    const times = value / least;
    return clamp((times <= 1 ? Math.max(0, times) : 1 + Math.log10(times)) / (powers + 1));
  };
  const step = Math.ceil((powers + 1) / mostTicks);
  const ticks = Array.from({ length: powers + 1 }, (_, power) => power)
    .filter(power => (powers - power) % step === 0)
    .map(power => least * 10 ** power);
  return { kind: 'log', toShare, ticks: [0, ...ticks].map(value => ({ value, share: toShare(value) })) };
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}
