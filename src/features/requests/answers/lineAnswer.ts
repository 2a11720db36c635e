import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import type { Submission } from '../../ledger';

/** Answer to the request on one line of the current document. */
export interface LineAnswer {
  /** Id under which the request was sent. */
  readonly id: string;
  readonly entry: ResultEntry | undefined;
  /** True if the request was sent, but the fetched results don't have it. */
  readonly isMissing: boolean;
  /** Submission of the request whose results are not fetched yet. */
  readonly pending: Submission | undefined;
  /** True if the request differs from the one that `entry` answers, or, without an entry, from the one that was sent. */
  readonly isChanged: boolean;
}
