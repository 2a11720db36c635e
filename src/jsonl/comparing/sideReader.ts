import { AnswerTexts } from '../querying/answerText';
import { BytesReader } from '../querying/bytesReader';
import { type IndexContents, readIndexOf } from '../results/resultsIndexFile';
import { attentionOf, resultStates } from '../results/resultsReport';
import type { ComparedResults } from './comparingJobs';

const succeededState = resultStates.indexOf('succeeded');

/** How good a result is: nothing, something that needs a look, a whole answer. */
export type Worth = 0 | 1 | 2;

/** The results of one of the runs, with their answers. */
export class SideReader {
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

  id(row: number): string {
    return this.contents.ids.text(this.contents.rows.ids[row] as number);
  }

  /** Why a row is no answer, by the service. */
  left(row: number): 'failed' | 'ended' | undefined {
    const state = resultStates[this.state(row)] ?? 'other';
    return state === 'succeeded' ? undefined : state === 'canceled' || state === 'expired' ? 'ended' : 'failed';
  }

  close(): void {
    this.reader.close();
  }
}
