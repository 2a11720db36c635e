import fc from 'fast-check';
import type { Whim } from './gateway';
import type { Mishap } from './mishaps';

/** One window of a round. */
export interface WindowPlan {
  /** Milliseconds after the beginning of the round. */
  readonly startsAfter: number;
  readonly mishaps: readonly Mishap[];
  readonly triesAgain: boolean;
  /** Milliseconds for which it stands still where it is stopped. */
  readonly stillFor: number;
  /** Whether others take the lock of one that stands still for that of a process that is gone, as they do after some seconds. */
  readonly isPassedBy: boolean;
  /** Whether it runs in a PID namespace of its own, where the machine allows that. */
  readonly isElsewhere: boolean;
}

/** What happens in one round, all of it chosen beforehand. */
export interface RoundPlan {
  readonly requests: number;
  readonly windows: readonly WindowPlan[];
  readonly whims: readonly Whim[];
  /** Milliseconds after which somebody else makes a batch with the same ids; undefined for never. */
  readonly strangerAfter: number | undefined;
  /** Milliseconds after which the user edits the file; undefined for never. */
  readonly editAfter: number | undefined;
  /** Whether the service lists a batch only when it has ended. */
  readonly listsLate: boolean;
}

// As many as a window makes from its first look at the ledger to the end of its submission, and some more.
const mostSteps = 95;

const whims: fc.Arbitrary<Whim> = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Whim>({ kind: 'pass' }) },
  { weight: 2, arbitrary: fc.constant<Whim>({ kind: 'lose request' }) },
  { weight: 3, arbitrary: fc.constant<Whim>({ kind: 'lose answer' }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(403, 404, 408, 409, 413, 425, 499, 502, 503).map((status): Whim => ({ kind: 'page instead', status })),
  },
  { weight: 2, arbitrary: fc.constantFrom(200, 403, 404, 409, 502, 504).map((status): Whim => ({ kind: 'page after', status })) },
  { weight: 1, arbitrary: fc.constant<Whim>({ kind: 'drip' }) },
);

const mishap: fc.Arbitrary<Mishap> = fc.record({
  step: fc.integer({ min: 1, max: mostSteps }),
  what: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('SIGKILL', 'SIGSTOP', 'SIGSTOP') },
    { weight: 2, arbitrary: fc.constantFrom('EIO', 'EACCES', 'ENOSPC', 'EBUSY') },
  ),
});

/** `longest` milliseconds are the most for which a window stands still. */
export function plans(longest: number): fc.Arbitrary<RoundPlan> {
  const window: fc.Arbitrary<WindowPlan> = fc.record({
    startsAfter: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 600 })),
    mishaps: fc.array(mishap, { maxLength: 3 }),
    triesAgain: fc.boolean(),
    stillFor: fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: longest })),
    isPassedBy: fc.boolean(),
    isElsewhere: fc.integer({ min: 0, max: 3 }).map(number => number === 0),
  });
  const moment = fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.integer({ min: 0, max: 2500 }) });
  return fc.record({
    requests: fc.integer({ min: 1, max: 40 }),
    windows: fc.array(window, { minLength: 2, maxLength: 4 }),
    whims: fc.array(whims, { maxLength: 4 }),
    strangerAfter: moment,
    editAfter: moment,
    listsLate: fc.boolean(),
  });
}
