import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { hashBytes, ParamsHasher } from '../../../jsonl/arranging/paramsHash';
import { IdTable } from '../../../jsonl/files/idTable';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import { ResultsHistory } from '../../../jsonl/merging/resultsHistory';
import { ResultsIndex } from '../../../jsonl/results/resultsIndex';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import { hashSubmitted, pathsOf, type Submission, type SubmissionRegistry, submissionFiles } from '../../ledger';
import { readRequestLine } from '../documents/requestLine';
import { Slices } from '../documents/slices';
import type { AnswerResults } from './answerRuns';

const LF = 0x0a;
const TAB = 0x09;

/** Hashes of the requests of one submission, as they were sent. */
interface SentHashes {
  hashOf(id: string): string | undefined;
}

/** Files that `FileAnswers` reads. */
export type AnswerFiles = Pick<SubmissionAnswerFiles, 'openResults' | 'openHistory' | 'idsOf' | 'hashesOf' | 'retry' | 'hashRequest'>;

/** Stored submissions and results in the folders of the registry. Caches ids and hashes. Missing files can be retried. */
export class SubmissionAnswerFiles {
  private readonly hasher = new ParamsHasher();
  private readonly ids = new Map<string, Promise<Pick<IdTable, 'findText'> | undefined>>();
  private readonly hashes = new Map<string, Promise<SentHashes | undefined>>();
  private readonly missing: (() => void)[] = [];

  constructor(
    private readonly registry: Pick<SubmissionRegistry, 'all' | 'folder'>,
    private readonly jobs: Pick<JsonlJobs, 'run'>,
  ) {}

  openResults({ results }: AnswerResults): Promise<ReadableResults> {
    const { indexPath, joinedPath } = pathsOf(this.registry, results);
    return ResultsIndex.open(indexPath, joinedPath);
  }

  openHistory({ results }: AnswerResults): Promise<Pick<ResultsHistory, 'of'>> {
    return ResultsHistory.open(path.join(this.registry.folder(results.submissionId), submissionFiles.mergedHistory));
  }

  /** Returns the ids of a submission. `undefined` if the ids are not stored. */
  idsOf({ id }: Submission): Promise<Pick<IdTable, 'findText'> | undefined> {
    return this.once(this.ids, id, async () =>
      readSubmittedIds(await readFile(path.join(this.registry.folder(id), submissionFiles.lines))),
    );
  }

  /**
   * Returns the hashes of a submission. Computes missing hashes if the file still has the bytes that were sent. `undefined` if the hashes
   * can't be computed.
   */
  hashesOf(submission: Submission): Promise<SentHashes | undefined> {
    return this.once(this.hashes, submission.id, async () => {
      const hashesPath = await hashSubmitted({ registry: this.registry, jobs: this.jobs }, submission);
      const sent = await this.idsOf(submission);
      if (hashesPath === undefined || sent === undefined) {
        throw new Error('The sent requests are no longer stored.');
      }
      const hashes = await readFile(hashesPath);
      return {
        hashOf: id => {
          const start = sent.findText(id) * hashBytes;
          return start < 0 || start >= hashes.length ? undefined : hashes.toString('hex', start, start + hashBytes);
        },
      };
    });
  }

  /** Allows files that did not exist to be read again. */
  retry(): void {
    for (const forget of this.missing.splice(0)) {
      forget();
    }
  }

  /** Returns the hash of a request, comparable with `SentHashes`. `undefined` if the line is not a request. */
  hashRequest(text: string): string | undefined {
    const request = readRequestLine(text);
    return request && this.hasher.hashText(request.params)?.toString('hex');
  }

  private once<T>(cached: Map<string, Promise<T | undefined>>, id: string, open: () => Promise<T>): Promise<T | undefined> {
    let found = cached.get(id);
    if (found === undefined) {
      found = open().catch(() => {
        this.missing.push(() => cached.delete(id));
        return undefined;
      });
      cached.set(id, found);
    }
    return found;
  }
}

/**
 * Returns the ids of the requests of one submission in their order, read from the content of its `lines.tsv` in slices of about 4 ms.
 * Ignores an incomplete last line. Uses a few megabytes for 100,000 requests.
 */
export async function readSubmittedIds(bytes: Uint8Array): Promise<IdTable> {
  const ids = new IdTable();
  const slices = new Slices();
  for (let at = 0; at < bytes.length; ) {
    const tab = bytes.indexOf(TAB, at);
    const end = bytes.indexOf(LF, at);
    if (tab < 0 || end < 0) {
      break;
    }
    if (tab < end) {
      ids.add(bytes, tab + 1, end);
    }
    at = end + 1;
    if (slices.isDue) {
      await slices.pause();
    }
  }
  return ids;
}

/** Readable results, such as a `ResultsIndex`. */
export interface ReadableResults extends Pick<ResultsIndex, 'entryOfId' | 'previews' | 'read'> {
  entries(): Iterable<ResultEntry>;
  missingIds(): Iterable<string>;
}

/** Line without a good result. */
export interface FailingLine {
  readonly line: number;
  readonly kind: FailingKind;
}

/** Severity: `error` if failed or refused, `warning` if cut short, empty, expired, canceled, unknown or missing. */
export type FailingKind = 'error' | 'warning';

/** Returns the ids of requests without a good result, including requests without any result. */
export async function findFailing(results: ReadableResults): Promise<ReadonlyMap<string, FailingKind>> {
  const kinds = new Map<string, FailingKind>();
  const slices = new Slices();
  for (const { customId, status } of results.entries()) {
    if (status !== 'succeeded') {
      kinds.set(customId, status === 'failed' || status === 'refused' ? 'error' : 'warning');
    }
    if (slices.isDue) {
      await slices.pause();
    }
  }
  for (const id of results.missingIds()) {
    kinds.set(id, 'warning');
    if (slices.isDue) {
      await slices.pause();
    }
  }
  return kinds;
}
