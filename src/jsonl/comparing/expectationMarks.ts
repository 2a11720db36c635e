import type { ExpectationCheck } from '../expecting/expectingJobs';

/** The checks that a mark can name, by bit. */
export const markedChecks = ['contains', 'pattern', 'json_schema', 'equals', 'max_output_tokens'] as const satisfies ExpectationCheck[];
export type MarkedCheck = (typeof markedChecks)[number];

/** What an answer is by what is expected of it, in one byte: checks that it fails by bit, then whether anything is expected, and whether that can be used. */
const expectedBit = 1 << 5;
const unusableBit = 1 << 6;

/** The mark of an answer; `failed` is undefined where the expectation cannot be used. */
export function toMark(failed: readonly ExpectationCheck[] | undefined): number {
  if (failed === undefined) {
    return expectedBit | unusableBit;
  }
  return markedChecks.reduce((mark, check, bit) => (failed.includes(check) ? mark | (1 << bit) : mark), expectedBit);
}

/** Whether an answer is as expected; undefined where nothing is expected, or the expectation cannot be used. */
export function isAsExpected(mark: number): boolean | undefined {
  return mark === 0 || (mark & unusableBit) !== 0 ? undefined : mark === expectedBit;
}

export function isUnusable(mark: number): boolean {
  return (mark & unusableBit) !== 0;
}

/** The checks that an answer fails. */
export function failedChecks(mark: number): readonly MarkedCheck[] {
  return markedChecks.filter((_, bit) => (mark & (1 << bit)) !== 0);
}
