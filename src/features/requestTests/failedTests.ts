import type { TestedFile, TestedRequest, TestGroup } from './testedFile';

/** What was chosen among the tests of a file: a group, some of its requests from one on, or one request. */
export type ChosenTests =
  | { readonly kind: 'group'; readonly group: TestGroup }
  | { readonly kind: 'page'; readonly group: TestGroup; readonly first: number; readonly count: number }
  | { readonly kind: 'request'; readonly group: TestGroup; readonly request: TestedRequest };

/** The failed ones among chosen tests. */
export interface FailedTests {
  /** Their rows in the joined file that was judged, ascending, in shared memory. */
  readonly rows: Uint32Array;
  /** How many of them were answered well by the service's own words, but not as expected. */
  readonly unmet: number;
  /** Requests without an answer, which have no row. */
  readonly missing: number;
}

/** The failed ones among chosen tests of a file as it was judged last; each counts once. */
export function failedAmong(chosen: readonly ChosenTests[], file: TestedFile): FailedTests {
  const rows = new Set<number>();
  let unmet = 0;
  let missing = 0;
  for (const one of chosen) {
    const { group } = one;
    if (group.kind === 'missing') {
      missing += one.kind === 'group' ? group.count : one.kind === 'page' ? Math.min(one.count, group.count - one.first) : 1;
    } else if (group.kind !== 'passed') {
      const before = rows.size;
      const found =
        one.kind === 'request'
          ? [one.request.entry?.row ?? []].flat()
          : one.kind === 'page'
            ? file.rows(group, one.first, one.count)
            : file.rows(group);
      for (const row of found) {
        rows.add(row);
      }
      unmet += group.kind === 'unmet' ? rows.size - before : 0;
    }
  }
  const sorted = new Uint32Array(new SharedArrayBuffer(rows.size * 4));
  sorted.set([...rows].sort((a, b) => a - b));
  return { rows: sorted, unmet, missing };
}
