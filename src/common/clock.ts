/** The time of day and a monotonic time, both in milliseconds, so that tests can drive them. */
export interface Clock {
  /** Milliseconds since 1970, by a wall clock that may be wrong or jump. */
  now(): number;
  /** Milliseconds from an unknown start that only grow: for durations. */
  monotonic(): number;
}

/** The machine's own clocks. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
