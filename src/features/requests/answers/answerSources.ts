import type { HistoryEntry } from '../../../jsonl/merging/resultsHistory';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import type { Submission } from '../../ledger';
import type { ShownResults } from './answerRuns';

/** Readable results, such as a `ResultsIndex`. */
export interface ReadableResults {
  entryOfId(id: string): ResultEntry | undefined;
  entries(): Iterable<ResultEntry>;
  missingIds(): Iterable<string>;
  previews(entries: readonly ResultEntry[]): Promise<readonly string[]>;
  read(entry: ResultEntry): Promise<string>;
}

/** Ids of the requests of one submission. */
export interface SentIds {
  has(id: string): boolean;
}

/** Hashes of the requests of one submission, as they were sent. */
export interface SentHashes {
  hashOf(id: string): string | undefined;
}

/** Reads stored submissions and results. Each method rejects if the data doesn't exist. */
export interface AnswerFiles {
  openResults(shown: ShownResults): Promise<ReadableResults>;
  /** Opens the history of each request in merged results. */
  openHistory(shown: ShownResults): Promise<{ of(id: string): readonly HistoryEntry[] }>;
  openSent(submission: Submission): Promise<SentIds>;
  openHashes(submission: Submission): Promise<SentHashes>;
  /** Returns the hash of a request, comparable with `SentHashes`; `undefined` if the line is not a request. */
  hashRequest(text: string): string | undefined;
}
