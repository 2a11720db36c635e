/** Milliseconds that work in slices holds the thread at a time. */
const sliceMs = 4;
/** Steps between two looks at the clock. */
const stepsPerLook = 100;

/** Lets others have the thread: called at each step of a long loop, it waits a turn after about 4 ms. */
export class Slices {
  private until = performance.now() + sliceMs;
  private steps = 0;

  /** Whether it is time for a `pause`. */
  get isDue(): boolean {
    return ++this.steps % stepsPerLook === 0 && performance.now() > this.until;
  }

  /** As `isDue`, for steps that may each be long. */
  get isOver(): boolean {
    return performance.now() > this.until;
  }

  async pause(): Promise<void> {
    await new Promise(setImmediate);
    this.until = performance.now() + sliceMs;
  }
}
