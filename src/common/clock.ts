/** Wall clock and monotonic clock, both in milliseconds, replaceable in tests. */
export interface Clock {
  /** Returns milliseconds since 1970 by a wall clock, which may be wrong or jump. */
  now(): number;
  /** Returns milliseconds since an arbitrary start, never decreasing. For durations. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
