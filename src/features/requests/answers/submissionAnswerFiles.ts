import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { hashBytes, ParamsHasher } from '../../../jsonl/arranging/paramsHash';
import { IdTable } from '../../../jsonl/files/idTable';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import { ResultsHistory } from '../../../jsonl/merging/resultsHistory';
import { ResultsIndex } from '../../../jsonl/results/resultsIndex';
import { hashSubmitted, pathsOf, type Submission, submissionFiles, type SubmissionRegistry } from '../../ledger';
import { readRequestLine } from '../documents/requestLine';
import { Slices } from '../documents/slices';
import type { AnswerFiles, SentHashes } from './fileAnswers';

const LF = 0x0a;
const TAB = 0x09;

/** Stored submissions and results in the folders of the registry. */
export class SubmissionAnswerFiles implements AnswerFiles {
  private readonly hasher = new ParamsHasher();
  private readonly making = new Map<string, Promise<string | undefined>>();

  constructor(
    private readonly registry: Pick<SubmissionRegistry, 'all' | 'folder'>,
    private readonly jobs: Pick<JsonlJobs, 'run'>,
  ) {}

  openResults({ results }: Parameters<AnswerFiles['openResults']>[0]): Promise<ResultsIndex> {
    const { indexPath, joinedPath } = pathsOf(this.registry, results);
    return ResultsIndex.open(indexPath, joinedPath);
  }

  openHistory({ results }: Parameters<AnswerFiles['openHistory']>[0]): Promise<ResultsHistory> {
    return ResultsHistory.open(path.join(this.registry.folder(results.submissionId), submissionFiles.mergedHistory));
  }

  async openSent({ id }: Submission): Promise<IdTable> {
    return await readSubmittedIds(await readFile(path.join(this.registry.folder(id), submissionFiles.lines)));
  }

  /** Opens `RequestHashes` in slices. */
  async openHashes(submission: Submission): Promise<SentHashes> {
    const hashesPath = await this.keepHashes(submission);
    if (hashesPath === undefined) {
      throw new Error('The sent requests are no longer stored.');
    }
    const sent = await this.openSent(submission);
    const hashes = await readFile(hashesPath);
    return {
      hashOf: id => {
        const start = sent.findText(id) * hashBytes;
        return start < 0 || start >= hashes.length ? undefined : hashes.toString('hex', start, start + hashBytes);
      },
    };
  }

  /** Ensures that the hashes of a submission's requests are stored. Returns `undefined` if they can no longer be computed. */
  keepHashes(submission: Submission): Promise<string | undefined> {
    let hashing = this.making.get(submission.id);
    if (hashing === undefined) {
      const { registry, jobs } = this;
      hashing = hashSubmitted({ registry, jobs }, submission).finally(() => this.making.delete(submission.id));
      this.making.set(submission.id, hashing);
    }
    return hashing;
  }

  hashRequest(text: string): string | undefined {
    const request = readRequestLine(text);
    return request && this.hasher.hashText(request.params)?.toString('hex');
  }
}

/**
 * Returns the ids of the requests of one submission, in their order, from the content of its `lines.tsv`. Reads it in slices of about 4 ms,
 * and ignores an incomplete last line. Uses a few megabytes for 100,000 requests.
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
