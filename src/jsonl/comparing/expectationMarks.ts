import type { ExpectationCheck } from '../expecting/expectation';

/** Checks that a mark can contain, in order of their bits. */
export const markedChecks = ['contains', 'pattern', 'json_schema', 'equals', 'max_output_tokens'] as const satisfies ExpectationCheck[];
export type MarkedCheck = (typeof markedChecks)[number];

/** Bits of a mark for an answer with an expectation, and for an invalid expectation. Lower bits are the failed checks. */
const expectedBit = 1 << 5;
const unusableBit = 1 << 6;

export function toBits(checks: readonly ExpectationCheck[]): number {
  return markedChecks.reduce((bits, check, bit) => (checks.includes(check) ? bits | (1 << bit) : bits), 0);
}

export function checksIn(bits: number): readonly MarkedCheck[] {
  return markedChecks.filter((_, bit) => (bits & (1 << bit)) !== 0);
}

/** Returns the mark of an answer. `failed` lists the checks that the answer fails, and is `undefined` if the expectation is invalid. */
export function toMark(failed: readonly ExpectationCheck[] | undefined): number {
  return failed === undefined ? expectedBit | unusableBit : expectedBit | toBits(failed);
}

/** Returns whether an answer meets its expectation, or `undefined` without a valid expectation. */
export function isAsExpected(mark: number): boolean | undefined {
  return mark === 0 || (mark & unusableBit) !== 0 ? undefined : mark === expectedBit;
}

export function isUnusable(mark: number): boolean {
  return (mark & unusableBit) !== 0;
}
