interface ValueTick {
  readonly value: number;
  /** Height on the axis, from 0 (bottom) to 1 (top). */
  readonly share: number;
}

/** A vertical axis that starts at 0. */
export interface ValueScale {
  readonly toShare: (value: number) => number;
  /** Round values to label, from 0 up. The last one is the top of the axis. */
  readonly ticks: readonly ValueTick[];
}

const maxTicks = 5;

/** Creates an axis from 0 to `top` or slightly more. `minStep` is the smallest meaningful step: one token, one cent. */
export function toValueScale(top: number, minStep = 1): ValueScale {
  const step = toRoundStep(Math.max(top, minStep) / maxTicks, minStep);
  const count = Math.max(1, Math.ceil(top / step - 1e-9));
  return {
    toShare: value => Math.min(1, Math.max(0, value / (count * step))),
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
