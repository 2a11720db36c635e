import type { ExpectationCheck } from '../expecting/expectingJobs';

/** Checks in a mark, by bit. */
export const markedChecks = ['contains', 'pattern', 'json_schema', 'equals', 'max_output_tokens'] as const satisfies ExpectationCheck[];
export type MarkedCheck = (typeof markedChecks)[number];

/** Bits of a mark above those of the failed checks: the answer has an expectation, and the expectation is invalid. */
const expectedBit = 1 << 5;
const unusableBit = 1 << 6;

/** Returns the mark of an answer. `failed` is `undefined` if the expectation is invalid. */
export function toMark(failed: readonly ExpectationCheck[] | undefined): number {
  if (failed === undefined) {
    return expectedBit | unusableBit;
  }
  return markedChecks.reduce((mark, check, bit) => (failed.includes(check) ? mark | (1 << bit) : mark), expectedBit);
}

/** Returns whether an answer meets its expectation, or `undefined` if there is none or it is invalid. */
export function isAsExpected(mark: number): boolean | undefined {
  return mark === 0 || (mark & unusableBit) !== 0 ? undefined : mark === expectedBit;
}

export function isUnusable(mark: number): boolean {
  return (mark & unusableBit) !== 0;
}

/** Returns the checks that an answer fails. */
export function failedChecks(mark: number): readonly MarkedCheck[] {
  return markedChecks.filter((_, bit) => (mark & (1 << bit)) !== 0);
}
