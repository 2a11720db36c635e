import type { HistoryEntry } from '../../../jsonl/merging/resultsHistory';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import type { Submission } from '../../ledger';
import type { ShownResults } from './answerRuns';

/** Results as they are read here: a `ResultsIndex`. */
export interface ReadableResults {
  entryOfId(id: string): ResultEntry | undefined;
  entries(): Iterable<ResultEntry>;
  missingIds(): Iterable<string>;
  previews(entries: readonly ResultEntry[]): Promise<readonly string[]>;
  read(entry: ResultEntry): Promise<string>;
}

/** Ids of one submission. */
export interface SentIds {
  has(id: string): boolean;
}

/** What the requests of one submission said when they were sent. */
export interface SentHashes {
  hashOf(id: string): string | undefined;
}

/** Where what was written down of submissions and results is read. Each rejects when it is not there. */
export interface AnswerFiles {
  openResults(shown: ShownResults): Promise<ReadableResults>;
  /** What became of each request in each generation of merged results. */
  openHistory(shown: ShownResults): Promise<{ of(id: string): readonly HistoryEntry[] }>;
  openSent(submission: Submission): Promise<SentIds>;
  openHashes(submission: Submission): Promise<SentHashes>;
  /** What a request says, as `SentHashes` has it; undefined for a line that is none. */
  hashRequest(text: string): string | undefined;
}
