import type { PassContext } from '../files/lineFile';
import { AnswerTexts } from '../querying/answerText';
import { BytesReader } from '../querying/bytesReader';
import { normaliseMessage } from '../querying/errorClusters';
import { type IndexContents, readIndexOf } from '../results/resultsIndexFile';
import { attentionOf, resultStates } from '../results/resultsReport';
import { type ComparedKind, type ComparedResults, type CompareSource, type Comparison, comparedKinds } from './comparingJobs';
import { pairRows } from './pairRows';
import { isSameAnswer } from './sameAnswer';

const succeededState = resultStates.indexOf('succeeded');
const erroredState = resultStates.indexOf('errored');

/**
 * Compares the results of two runs request by request. `regressed`: a whole answer became a part of one, a refusal or a failure, or a part
 * became a failure; `fixed`: the other way; `changed`: as good as before, but another answer (see `isSameAnswer`), stop reason or error;
 * `lost` and `added`: only the one has it. Reads only the answers that columns cannot tell apart. Blocks, so it is for threads. Throws
 * `IndexMismatchError`.
 */
export async function compareResults(source: CompareSource, context: PassContext): Promise<Comparison> {
  const before = new Side(source.before);
  const after = new Side(source.after);
  try {
    const { pairedBy, afterOf } = pairRows(before.contents, after.contents, [source.before.sent, source.after.sent]);
    const found = new FoundPairs(before.count + after.count);
    const isPaired = new Uint8Array(after.count);
    const tokens = { inputBefore: 0, inputAfter: 0, outputBefore: 0, outputAfter: 0 };
    const totalBytes = before.contents.joinedBytes + 1;
    afterOf.forEach((afterRow, row) => {
      context.throwIfAborted();
      context.progress({ doneBytes: Math.min(before.contents.rows.offsets[row] as number, totalBytes - 1), totalBytes });
      if (afterRow < 0) {
        found.add('lost', row, -1);
        return;
      }
      isPaired[afterRow] = 1;
      tokens.inputBefore += before.contents.rows.inputTokens[row] as number;
      tokens.inputAfter += after.contents.rows.inputTokens[afterRow] as number;
      tokens.outputBefore += before.contents.rows.outputTokens[row] as number;
      tokens.outputAfter += after.contents.rows.outputTokens[afterRow] as number;
      found.add(kindOf(before, row, after, afterRow), row, afterRow);
    });
    isPaired.forEach((paired, row) => {
      if (paired === 0) {
        found.add('added', -1, row);
      }
    });
    context.progress({ doneBytes: totalBytes, totalBytes });
    return {
      ...{ pairedBy, ...found.sorted() },
      inputTokens: [tokens.inputBefore, tokens.inputAfter],
      outputTokens: [tokens.outputBefore, tokens.outputAfter],
    };
  } finally {
    before.close();
    after.close();
  }
}

/** How good a result is: nothing, something that needs a look, a whole answer. */
type Worth = 0 | 1 | 2;

/** The results of one of the runs. */
class Side {
  readonly contents: IndexContents;
  private readonly reader: BytesReader;
  private readonly texts: AnswerTexts;

  constructor(source: ComparedResults) {
    this.contents = readIndexOf(source);
    this.reader = new BytesReader(source.joinedPath);
    this.texts = new AnswerTexts(source.joinedPath, this.contents);
  }

  get count(): number {
    return this.contents.rows.count;
  }

  state(row: number): number {
    return this.contents.rows.states[row] as number;
  }

  worth(row: number): Worth {
    return this.state(row) !== succeededState ? 0 : attentionOf(this.stopReason(row)) === undefined ? 2 : 1;
  }

  stopReason(row: number): string | undefined {
    return this.contents.reasons[(this.contents.rows.stopReasons[row] as number) - 1];
  }

  errorType(row: number): string | undefined {
    return this.contents.reasons[(this.contents.rows.errorTypes[row] as number) - 1];
  }

  text(row: number): string {
    const { offsets, lengths } = this.contents.rows;
    return this.texts.of(row, this.reader.read(offsets[row] as number, lengths[row] as number));
  }

  close(): void {
    this.reader.close();
  }
}

function kindOf(before: Side, row: number, after: Side, afterRow: number): ComparedKind {
  const gain = after.worth(afterRow) - before.worth(row);
  if (gain !== 0) {
    return gain < 0 ? 'regressed' : 'fixed';
  }
  if (
    before.state(row) !== after.state(afterRow) ||
    before.stopReason(row) !== after.stopReason(afterRow) ||
    before.errorType(row) !== after.errorType(afterRow)
  ) {
    return 'changed';
  }
  switch (before.state(row)) {
    case succeededState:
      return isSameAnswer(before.text(row), after.text(afterRow)) ? 'same' : 'changed';
    case erroredState:
      return normaliseMessage(before.text(row)) === normaliseMessage(after.text(afterRow)) ? 'same' : 'changed';
    default:
      return 'same';
  }
}

/** Pairs as they are found. */
class FoundPairs {
  private readonly kinds: Uint8Array;
  private readonly beforeRows: Int32Array;
  private readonly afterRows: Int32Array;
  private readonly counts = { regressed: 0, lost: 0, changed: 0, fixed: 0, added: 0, same: 0 };
  private found = 0;

  constructor(most: number) {
    this.kinds = new Uint8Array(most);
    this.beforeRows = new Int32Array(most);
    this.afterRows = new Int32Array(most);
  }

  add(kind: ComparedKind, beforeRow: number, afterRow: number): void {
    this.counts[kind]++;
    if (kind !== 'same') {
      this.kinds[this.found] = comparedKinds.indexOf(kind);
      this.beforeRows[this.found] = beforeRow;
      this.afterRows[this.found++] = afterRow;
    }
  }

  /** By kind; those of one kind stay in their order. */
  sorted(): Pick<Comparison, 'counts' | 'kinds' | 'beforeRows' | 'afterRows'> {
    const { found, counts } = this;
    const kinds = new Uint8Array(new SharedArrayBuffer(found));
    const beforeRows = new Int32Array(new SharedArrayBuffer(found * 4));
    const afterRows = new Int32Array(new SharedArrayBuffer(found * 4));
    let place = 0;
    for (let kind = 0; kind < comparedKinds.length; kind++) {
      for (let pair = 0; pair < found; pair++) {
        if (this.kinds[pair] === kind) {
          kinds[place] = kind;
          beforeRows[place] = this.beforeRows[pair] as number;
          afterRows[place++] = this.afterRows[pair] as number;
        }
      }
    }
    return { counts: { ...counts }, kinds, beforeRows, afterRows };
  }
}
