import assert from 'node:assert/strict';
import { type Profiler, Session } from 'node:inspector';

/**
 * Returns how many calls of JavaScript functions `run` makes, with callbacks and everything it calls in turn: a measure of its work that
 * the load of the machine doesn't change. A native call counts as one, however long it takes.
 */
export function workOf(run: () => void): number {
  session ??= startCounting();
  callsSince(session);
  run();
  return callsSince(session);
}

let session: Session | undefined;

/** Counts calls until the running test yields. Starting costs more than counting, and other tests run several times as long while it counts. */
function startCounting(): Session {
  const started = new Session();
  started.connect();
  started.post('Profiler.enable');
  started.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  setImmediate(() => {
    started.post('Profiler.stopPreciseCoverage');
    started.disconnect();
    session = undefined;
  });
  return started;
}

/** Returns the number of calls since the last time. */
function callsSince(counting: Session): number {
  let calls = 0;
  counting.post('Profiler.takePreciseCoverage', (error: Error | null, taken: Profiler.TakePreciseCoverageReturnType) => {
    if (error !== null) {
      throw error;
    }
    for (const { functions } of taken.result) {
      for (const { ranges } of functions) {
        calls += ranges[0]?.count ?? 0;
      }
    }
  });
  return calls;
}

/** Fails if the function made for four times `count` does six times the work or more, so a binary search passes. Making it does not count. */
export function assertLinear(make: (count: number) => () => void, count = 40): void {
  const [work = 0, more = 0] = [count, count * 4].map(size => workOf(make(size)));
  assert.ok(more < work * 6, `${work} calls became ${more} for four times as much`);
}
