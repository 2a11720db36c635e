import { type ComparedKind, comparedKinds } from '../../shared/comparison/comparisonProtocol';
import { JoinedReader } from '../answers/answerText';
import { type PassContext, toOnRead } from '../files/lineFile';
import { outcomeOf, readIndexOf } from '../results/resultsIndexFile';
import { type ModelUsage, UsageSums } from '../results/resultUsage';
import { AnswerNumbers } from './answerNumbers';
import { type JudgedSides, judgeSides } from './judgeSides';
import { kindOfPair, type PairedResult, worthOf } from './kindOfPair';
import { PairMeasures } from './pairMeasures';
import { type CompareSource, countUnanswered, type PairedRows, pairRows } from './pairRows';
import { judgeMeasures } from './verdict/judgeMeasures';
import type { Measure } from './verdict/measure';

export interface Comparison {
  /** Criterion of the pairs. Without pairs, everything is `lost` and `added`. */
  readonly pairedBy: PairedRows['pairedBy'];
  readonly counts: Readonly<Record<ComparedKind, number>>;
  /**
   * Columns of all pairs, ordered by kind, then by row. These are the index in `comparedKinds`, the rows in both joined files (-1 for no
   * row), and the marks of both answers (see `expectationMarks.ts`). In shared memory.
   */
  readonly kinds: Uint8Array;
  readonly beforeRows: Int32Array;
  readonly afterRows: Int32Array;
  readonly beforeMarks: Uint8Array;
  readonly afterMarks: Uint8Array;
  readonly measures: readonly Measure[];
  /** Number of problems in the expectations file, except ids that belong to no request. */
  readonly expectationProblems: number;
  /** Token usage of the answers to requests in both runs. */
  readonly usage: readonly [before: readonly ModelUsage[], after: readonly ModelUsage[]];
}

type Sides = readonly [before: JoinedReader, after: JoinedReader];

/**
 * Compares the results of two runs request by request. A pair is `regressed` if its result got worse (see `worthOf`), or if the answer no
 * longer meets its expectations. It is `fixed` in the reverse case. A pair is `changed` if both results are equally good but differ in the
 * answer (see `isSameAnswer`), the stop reason or the error. A request is `lost` or `added` if only one run has a result for it. The
 * `measures` summarize the comparison. Blocks the thread, so only for workers. Throws an `IndexMismatchError` if an index does not match.
 */
export async function compareResults(source: CompareSource, context: PassContext): Promise<Comparison> {
  const before = new JoinedReader(source.before.joinedPath, readIndexOf(source.before));
  const after = new JoinedReader(source.after.joinedPath, readIndexOf(source.after));
  try {
    const { pairedBy, afterOf } = pairRows(before.contents, after.contents, [source.before.sent, source.after.sent]);
    const judged = pairedBy === 'nothing' ? undefined : judgeSides(source, [before, after], afterOf, context);
    const { measures, numbers, ...walked } = walkPairs([before, after], afterOf, judged, context);
    // Requests without a result can only be matched by their ids.
    measures.addMissing('both', pairedBy === 'id' ? countUnanswered(before.contents, after.contents) : 0);
    const counted = [...measures.counted(), ...numbers];
    return { pairedBy, ...walked, measures: judgeMeasures(counted), expectationProblems: judged?.problems ?? 0 };
  } finally {
    before.close();
    after.close();
  }
}

function walkPairs([before, after]: Sides, afterOf: Int32Array, judged: JudgedSides | undefined, context: PassContext) {
  const found: FoundPair[] = [];
  const measures = new PairMeasures(judged?.marked ?? []);
  const numbers = new AnswerNumbers();
  const isPaired = new Uint8Array(after.contents.rows.count);
  const usage = [before, after].map(({ contents }) => new UsageSums(contents.rows, contents.reasons)) as [UsageSums, UsageSums];
  const onRead = toOnRead(context, before.contents.joinedBytes);
  let pairs = 0;
  for (const [row, afterRow] of afterOf.entries()) {
    onRead(before.contents.rows.offsets[row] as number);
    const marks = [judged?.before[row] ?? 0, (afterRow < 0 ? undefined : judged?.after[afterRow]) ?? 0] as const;
    if (afterRow < 0) {
      found.push({ kind: 'lost', rows: [row, -1], marks });
      measures.addMissing('after');
      continue;
    }
    isPaired[afterRow] = 1;
    pairs++;
    usage[0].add(row);
    usage[1].add(afterRow);
    const first: PairedResult = { ...outcomeOf(before.contents, row), mark: marks[0] };
    const second: PairedResult = { ...outcomeOf(after.contents, afterRow), mark: marks[1] };
    let read: readonly [string, string] | undefined;
    const texts = () => {
      read ??= [before.text(row), after.text(afterRow)];
      return read;
    };
    if (worthOf(first) === 2 && worthOf(second) === 2) {
      numbers.add(...texts());
    }
    found.push({ kind: kindOfPair(first, second, texts), rows: [row, afterRow], marks });
    measures.add(first, second, judged?.checks[row] ?? 0);
  }
  for (const [row, paired] of isPaired.entries()) {
    if (paired === 0) {
      found.push({ kind: 'added', rows: [-1, row], marks: [0, judged?.after[row] ?? 0] });
      measures.addMissing('before');
    }
  }
  return {
    ...toColumns(found),
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

/** Returns the pairs in columns, sorted by kind and within a kind in the given order. */
function toColumns(found: readonly FoundPair[]) {
  const counts = { regressed: 0, fixed: 0, changed: 0, lost: 0, added: 0, same: 0 };
  const sorted = comparedKinds.flatMap(kind => found.filter(pair => pair.kind === kind));
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
