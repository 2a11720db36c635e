import assert from 'node:assert/strict';
import { type Profiler, Session } from 'node:inspector';

/**
 * Returns the number of JavaScript function calls that `run` makes, directly or indirectly. The number doesn't depend on the load of the
 * machine. A native function counts as one call, however long it takes.
 */
export function workOf(run: () => void): number {
  session ??= startCounting();
  callsSince(session);
  run();
  return callsSince(session);
}

let session: Session | undefined;

/** Counts calls until the running test yields. Stops then, because counting makes other tests several times slower. */
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

/**
 * Asserts that the function for `count * 4` does less than six times the work of the function for `count`. A binary search per item passes.
 * Calls of `make` are not counted.
 */
export function assertLinear(make: (count: number) => () => void, count = 40): void {
  const [work = 0, more = 0] = [count, count * 4].map(size => workOf(make(size)));
  assert.ok(more < work * 6, `${work} calls became ${more} for four times as much`);
}
