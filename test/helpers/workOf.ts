import assert from 'node:assert/strict';
import { type Profiler, Session } from 'node:inspector';

/**
 * How many calls of functions of JavaScript `run` makes, callbacks and what it calls in turn included: a measure of its work that no
 * load of the machine changes. What is native counts as one call, however long it takes.
 */
export function workOf(run: () => void): number {
  session ??= startCounting();
  callsSince(session);
  run();
  return callsSince(session);
}

let session: Session | undefined;

/** Counts calls until the process ends: to start and stop costs more than to count. */
function startCounting(): Session {
  const started = new Session();
  started.connect();
  started.post('Profiler.enable');
  started.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
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

/** Fails when what is made for four times `count` takes six times the work or more. The making does not count. A search by halves may be in it. */
export function assertLinear(make: (count: number) => () => void, count = 40): void {
  const [work = 0, more = 0] = [count, count * 4].map(size => workOf(make(size)));
  assert.ok(more < work * 6, `${work} calls became ${more} for four times as much`);
}
