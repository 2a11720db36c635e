import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import type { Submission } from '../../ledger';

/** What is known of the request in one line of a document as it stands now. */
export interface LineAnswer {
  /** The id under which it was sent. */
  readonly id: string;
  readonly entry: ResultEntry | undefined;
  /** It was sent, and the fetched results have no answer to it. */
  readonly isMissing: boolean;
  /** A batch that has it and whose results were not fetched yet. */
  readonly pending: Submission | undefined;
  /** It is another request than the one that `entry` answers, or, without an entry, than the one that was sent. */
  readonly isChanged: boolean;
}
