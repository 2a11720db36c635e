import fc from 'fast-check';
import type { FetchPlan } from './fetchRound';
import { oddLists, type Whim, wrongBodies } from './gateway';
import type { Mishap } from './mishaps';

/** One window of a round. */
export interface WindowPlan {
  /** Delay after the start of the round, in milliseconds. */
  readonly startsAfter: number;
  readonly mishaps: readonly Mishap[];
  readonly triesAgain: boolean;
  /** Duration of a suspension, in milliseconds. */
  readonly stillFor: number;
  /** True if other windows take over the lock of the suspended window, as after some seconds of silence. */
  readonly isPassedBy: boolean;
  /** True if the window runs in a PID namespace of its own. Ignored if the machine has no such namespaces. */
  readonly isElsewhere: boolean;
}

/** Plan of a round, chosen before it starts. */
export interface RoundPlan {
  readonly requests: number;
  readonly windows: readonly WindowPlan[];
  readonly whims: readonly Whim[];
  /** Time at which another client creates a batch with the same ids, in milliseconds; `undefined` for never. */
  readonly strangerAfter: number | undefined;
  /** Time at which the user edits the file, in milliseconds; `undefined` for never. */
  readonly editAfter: number | undefined;
  /** True if the service lists a batch only once it has ended. */
  readonly listsLate: boolean;
  /** Invalid responses to the first requests for a list after the round. */
  readonly oddLists: readonly unknown[];
  /** Copy of the ledger that is made when a window stops. `undefined` for none. */
  readonly copy: LedgerCopy | undefined;
}

/** A copy of the ledger, from which the same file is sent once more. */
export interface LedgerCopy {
  readonly isOfAnotherMachine: boolean;
  /** Position of the bit that flips in each record, as a fraction of its bits. `undefined` for none. */
  readonly flipsAt: number | undefined;
}

// Slightly more than the number of steps that a window makes on the disk from start to end.
const submitSteps = 90;
const fetchSteps = 18;

const whims: fc.Arbitrary<Whim> = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Whim>({ kind: 'pass' }) },
  { weight: 2, arbitrary: fc.constant<Whim>({ kind: 'lose request' }) },
  { weight: 3, arbitrary: fc.constant<Whim>({ kind: 'lose answer' }) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(401, 403, 404, 408, 409, 413, 425, 429, 499, 502, 503, 529)
      .map((status): Whim => ({ kind: 'page instead', status })),
  },
  { weight: 1, arbitrary: fc.constantFrom(429, 503, 529).map((status): Whim => ({ kind: 'refuse', status })) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(200, 401, 403, 404, 409, 429, 429, 502, 503, 503, 504, 529)
      .map((status): Whim => ({ kind: 'page after', status })),
  },
  {
    weight: 5,
    arbitrary: fc
      .record({ body: fc.constantFrom(...wrongBodies), isCarried: fc.boolean() })
      .map((given): Whim => ({ kind: 'wrong body', ...given })),
  },
  { weight: 1, arbitrary: fc.constant<Whim>({ kind: 'drip' }) },
);

const mishap: fc.Arbitrary<Mishap['what']> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('SIGKILL', 'SIGSTOP', 'SIGSTOP') },
  { weight: 2, arbitrary: fc.constantFrom('EIO', 'EACCES', 'ENOSPC', 'EBUSY') },
);

/** Generates windows with mishaps in their first `steps` steps, suspended for at most `longest` milliseconds. */
function windows(steps: number, longest: number): fc.Arbitrary<WindowPlan[]> {
  const window = fc.record({
    startsAfter: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 600 })),
    mishaps: fc.array(fc.record({ step: fc.integer({ min: 1, max: steps }), what: mishap }), { maxLength: 3 }),
    triesAgain: fc.boolean(),
    stillFor: fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: longest })),
    isPassedBy: fc.boolean(),
    isElsewhere: fc.integer({ min: 0, max: 3 }).map(number => number === 0),
  });
  return fc.array(window, { minLength: 2, maxLength: 4 });
}

/** Generates a time in a round, in milliseconds. Mostly generates `undefined`. */
const moment = fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.integer({ min: 0, max: 2500 }) });

/** Generates rounds of windows that submit, suspended for at most `longest` milliseconds. */
export function submitPlans(longest: number): fc.Arbitrary<RoundPlan> {
  return fc.record({
    requests: fc.integer({ min: 1, max: 40 }),
    windows: windows(submitSteps, longest),
    whims: fc.array(whims, { maxLength: 4 }),
    strangerAfter: moment,
    editAfter: moment,
    listsLate: fc.boolean(),
    oddLists: fc.array(fc.constantFrom(...oddLists), { maxLength: 2 }),
    copy: fc.option(
      fc.record({
        isOfAnotherMachine: fc.boolean(),
        flipsAt: fc.option(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { nil: undefined, freq: 1 }),
      }),
      { nil: undefined, freq: 2 },
    ),
  });
}

/** Generates rounds of windows that fetch, suspended for at most `longest` milliseconds. */
export function fetchPlans(longest: number): fc.Arbitrary<FetchPlan> {
  return fc.record({
    requests: fc.integer({ min: 1, max: 400 }),
    windows: windows(fetchSteps, longest),
    userWritesAfter: fc.option(fc.integer({ min: 0, max: 1500 }), { nil: undefined, freq: 2 }),
    cuts: fc.option(fc.record({ bytes: fc.integer({ min: 1, max: 100_000 }), times: fc.integer({ min: 1, max: 4 }) }), { nil: undefined }),
    isResumable: fc.boolean(),
    wrongReads: fc.option(fc.record({ what: fc.constantFrom('batch', 'results'), times: fc.integer({ min: 1, max: 4 }) }), {
      nil: undefined,
      freq: 2,
    }),
  });
}
