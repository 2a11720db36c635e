import assert from 'node:assert/strict';
import { type Profiler, Session } from 'node:inspector';

/**
 * How many calls of functions of JavaScript `run` makes, callbacks and what it calls in turn included: a measure of its work that no
 * load of the machine changes. What is native counts as one call, however long it takes.
 */
export function workOf(run: () => void): number {
  const session = new Session();
  session.connect();
  try {
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    run();
    let calls = 0;
    session.post('Profiler.takePreciseCoverage', (error: Error | null, taken: Profiler.TakePreciseCoverageReturnType) => {
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
  } finally {
    session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
}

/** Fails when what is made for four times `count` takes six times the work or more. The making does not count. A search by halves may be in it. */
export function assertLinear(make: (count: number) => () => void, count = 40): void {
  const [work = 0, more = 0] = [count, count * 4].map(size => workOf(make(size)));
  assert.ok(more < work * 6, `${work} calls became ${more} for four times as much`);
}
