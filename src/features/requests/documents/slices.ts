/** Maximum time in milliseconds that a slice of work blocks the thread. */
const sliceMs = 4;
/** Number of steps between two clock reads. */
const stepsPerCheck = 100;

/** Splits a long loop into slices of about 4 ms, with a pause after each. */
export class Slices {
  private until = performance.now() + sliceMs;
  private steps = 0;

  /** True when it is time to call `pause`. Reads the clock only every `stepsPerCheck` steps. */
  get isDue(): boolean {
    return ++this.steps % stepsPerCheck === 0 && performance.now() > this.until;
  }

  /** True when the slice is over. Reads the clock at each step, for steps that may be slow. */
  get isOver(): boolean {
    return performance.now() > this.until;
  }

  async pause(): Promise<void> {
    await new Promise(setImmediate);
    this.until = performance.now() + sliceMs;
  }
}
