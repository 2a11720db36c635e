import { type ComparedKind, comparedKinds } from '../../shared/comparison/comparedKinds';
import type { Comparison } from './comparingJobs';

/** Collects pairs. */
export class FoundPairs {
  private readonly kinds: Uint8Array;
  private readonly beforeRows: Int32Array;
  private readonly afterRows: Int32Array;
  private readonly beforeMarks: Uint8Array;
  private readonly afterMarks: Uint8Array;
  private readonly counts = { regressed: 0, fixed: 0, changed: 0, lost: 0, added: 0, same: 0 };
  private found = 0;

  constructor(most: number) {
    this.kinds = new Uint8Array(most);
    this.beforeRows = new Int32Array(most);
    this.afterRows = new Int32Array(most);
    this.beforeMarks = new Uint8Array(most);
    this.afterMarks = new Uint8Array(most);
  }

  add(kind: ComparedKind, [beforeRow, afterRow]: readonly [number, number], [beforeMark, afterMark]: readonly [number, number]): void {
    this.counts[kind]++;
    this.kinds[this.found] = comparedKinds.indexOf(kind);
    this.beforeRows[this.found] = beforeRow;
    this.afterRows[this.found] = afterRow;
    this.beforeMarks[this.found] = beforeMark;
    this.afterMarks[this.found++] = afterMark;
  }

  /** Returns the pairs sorted by kind, otherwise in order of addition. */
  sorted(): Pick<Comparison, 'counts' | 'kinds' | 'beforeRows' | 'afterRows' | 'beforeMarks' | 'afterMarks'> {
    const { found, counts } = this;
    const bytes = () => new Uint8Array(new SharedArrayBuffer(found));
    const rows = () => new Int32Array(new SharedArrayBuffer(found * 4));
    const sorted = { kinds: bytes(), beforeRows: rows(), afterRows: rows(), beforeMarks: bytes(), afterMarks: bytes() };
    let place = 0;
    for (let kind = 0; kind < comparedKinds.length; kind++) {
      for (let pair = 0; pair < found; pair++) {
        if (this.kinds[pair] === kind) {
          sorted.kinds[place] = kind;
          sorted.beforeRows[place] = this.beforeRows[pair] as number;
          sorted.afterRows[place] = this.afterRows[pair] as number;
          sorted.beforeMarks[place] = this.beforeMarks[pair] as number;
          sorted.afterMarks[place++] = this.afterMarks[pair] as number;
        }
      }
    }
    return { counts: { ...counts }, ...sorted };
  }
}
