import { hasAnswer, type ResultStatus } from '../../shared/results/resultStatus';
import { JoinedReader } from '../answers/answerText';
import { fromStored } from '../results/resultStatus';
import { outcomeOf, readIndexOf } from '../results/resultsIndexFile';
import type { ComparedResults } from './comparingJobs';

/** Quality of a result: 0 no answer, 1 partial answer, 2 complete answer. */
export type Worth = 0 | 1 | 2;

/** Reads the results and answers of one run. */
export class SideReader extends JoinedReader {
  constructor(source: ComparedResults) {
    super(source.joinedPath, readIndexOf(source));
  }

  get count(): number {
    return this.contents.rows.count;
  }

  status(row: number): ResultStatus {
    return fromStored(this.contents.rows.statuses[row]);
  }

  worth(row: number): Worth {
    const status = this.status(row);
    return status === 'succeeded' ? 2 : hasAnswer(status) ? 1 : 0;
  }

  /** Returns the status, stop reason and error type of a row as one text. */
  outcome(row: number): string {
    return JSON.stringify(outcomeOf(this.contents, row));
  }

  /** Returns whether the service failed or ended the request of a row, or `undefined` if the row has an answer. */
  left(row: number): 'failed' | 'ended' | undefined {
    const status = this.status(row);
    return hasAnswer(status) ? undefined : status === 'canceled' || status === 'expired' ? 'ended' : 'failed';
  }
}
