import { type ComparedKind, comparedKinds } from '../../shared/comparison/comparisonProtocol';
import { type PassContext, toOnRead } from '../files/lineFile';
import { UsageSums } from '../results/resultUsage';
import { AnswerNumbers } from './answerNumbers';
import type { CompareSource, Comparison } from './comparingJobs';
import { type JudgedSides, judgeSides } from './judgeSides';
import { kindOfPair } from './kindOfPair';
import { PairMeasures } from './pairMeasures';
import { countUnanswered, pairRows } from './pairRows';
import { SideReader } from './sideReader';
import { judgeMeasures } from './verdict/judgeMeasures';

/**
 * Compares the results of two runs request by request. A pair is `regressed` if its result got worse (see `Worth`), or if the answer no
 * longer meets its expectations. It is `fixed` in the reverse case. It is `changed` if both results are equally good but differ in the
 * answer (see `isSameAnswer`), the stop reason or the error. It is `lost` or `added` if only one run has it. The `measures` summarize the
 * comparison. Blocks the thread, so only for workers. Throws an `IndexMismatchError` if an index does not match.
 */
export async function compareResults(source: CompareSource, context: PassContext): Promise<Comparison> {
  const before = new SideReader(source.before);
  const after = new SideReader(source.after);
  try {
    const { pairedBy, afterOf } = pairRows(before.contents, after.contents, [source.before.sent, source.after.sent]);
    const judged = pairedBy === 'nothing' ? undefined : judgeSides(source, [before, after], afterOf, context);
    const walked = walkPairs([before, after], afterOf, judged, context);
    // Requests without a result can only be matched by their ids.
    walked.measures.addMissing('both', pairedBy === 'id' ? countUnanswered(before.contents, after.contents) : 0);
    const counted = [...walked.measures.counted(), ...walked.numbers];
    const measures = judgeMeasures(counted);
    return { pairedBy, ...walked.found, usage: walked.usage, measures, expectationProblems: judged?.problems ?? 0 };
  } finally {
    before.close();
    after.close();
  }
}

type Sides = readonly [before: SideReader, after: SideReader];

function walkPairs([before, after]: Sides, afterOf: Int32Array, judged: JudgedSides | undefined, context: PassContext) {
  const found = new FoundPairs();
  const measures = new PairMeasures(judged);
  const numbers = new AnswerNumbers();
  const isPaired = new Uint8Array(after.count);
  const usage = [before, after].map(({ contents }) => new UsageSums(contents.rows, contents.reasons)) as [UsageSums, UsageSums];
  const onRead = toOnRead(context, before.contents.joinedBytes);
  afterOf.forEach((afterRow, row) => {
    onRead(before.contents.rows.offsets[row] as number);
    const marks = [judged?.before[row] ?? 0, (afterRow < 0 ? undefined : judged?.after[afterRow]) ?? 0] as const;
    if (afterRow < 0) {
      found.add('lost', [row, -1], marks);
      measures.addMissing('after');
      return;
    }
    isPaired[afterRow] = 1;
    usage[0].add(row);
    usage[1].add(afterRow);
    const pair = [
      { side: before, row, mark: marks[0] },
      { side: after, row: afterRow, mark: marks[1] },
    ] as const;
    let read: readonly [string, string] | undefined;
    const texts = () => {
      read ??= [before.text(row), after.text(afterRow)];
      return read;
    };
    if (before.worth(row) === 2 && after.worth(afterRow) === 2) {
      numbers.add(...texts());
    }
    found.add(kindOfPair(...pair, texts), [row, afterRow], marks);
    measures.add(...pair);
  });
  isPaired.forEach((paired, row) => {
    if (paired === 0) {
      found.add('added', [-1, row], [0, judged?.after[row] ?? 0]);
      measures.addMissing('before');
    }
  });
  const pairs = isPaired.reduce((sum, paired) => sum + paired, 0);
  return {
    found: found.sorted(),
    usage: [usage[0].byModel(), usage[1].byModel()] as const,
    measures,
    numbers: numbers.counted(pairs),
  };
}

interface FoundPair {
  readonly kind: ComparedKind;
  readonly rows: readonly [before: number, after: number];
  readonly marks: readonly [before: number, after: number];
}

class FoundPairs {
  private readonly pairs: FoundPair[] = [];

  add(kind: ComparedKind, rows: FoundPair['rows'], marks: FoundPair['marks']): void {
    this.pairs.push({ kind, rows, marks });
  }

  /** Returns the pairs sorted by kind, and within a kind in order of addition. */
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
