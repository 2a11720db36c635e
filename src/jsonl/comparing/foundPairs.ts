import { type ComparedKind, comparedKinds } from '../../shared/comparison/comparedKinds';
import type { Comparison } from './comparingJobs';

interface FoundPair {
  readonly kind: ComparedKind;
  readonly rows: readonly [before: number, after: number];
  readonly marks: readonly [before: number, after: number];
}

/** Collects pairs. */
export class FoundPairs {
  private readonly pairs: FoundPair[] = [];

  add(kind: ComparedKind, rows: FoundPair['rows'], marks: FoundPair['marks']): void {
    this.pairs.push({ kind, rows, marks });
  }

  /** Returns the pairs sorted by kind, otherwise in order of addition. */
  sorted(): Pick<Comparison, 'counts' | 'kinds' | 'beforeRows' | 'afterRows' | 'beforeMarks' | 'afterMarks'> {
    const counts = { regressed: 0, fixed: 0, changed: 0, lost: 0, added: 0, same: 0 };
    const sorted = comparedKinds.flatMap(kind => this.pairs.filter(pair => pair.kind === kind));
    const { length } = sorted;
    const bytes = () => new Uint8Array(new SharedArrayBuffer(length));
    const words = () => new Int32Array(new SharedArrayBuffer(length * 4));
    const columns = { kinds: bytes(), beforeRows: words(), afterRows: words(), beforeMarks: bytes(), afterMarks: bytes() };
    for (const [at, { kind, rows, marks }] of sorted.entries()) {
      counts[kind]++;
      columns.kinds[at] = comparedKinds.indexOf(kind);
      [columns.beforeRows[at], columns.afterRows[at]] = rows;
      [columns.beforeMarks[at], columns.afterMarks[at]] = marks;
    }
    return { counts, ...columns };
  }
}
