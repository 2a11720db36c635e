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
import type { AnswerFiles, SentHashes, SentIds } from './fileAnswers';

const LF = 0x0a;
const TAB = 0x09;

type FileOfSubmission = keyof typeof submissionFiles;

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

  openSent(submission: Submission): Promise<SentIds> {
    return SubmittedIds.open(this.path(submission, 'lines'));
  }

  /** Opens `RequestHashes` in slices. */
  async openHashes(submission: Submission): Promise<SentHashes> {
    const hashesPath = await this.keepHashes(submission);
    if (hashesPath === undefined) {
      throw new Error('What the requests said is not known any more.');
    }
    const sent = await SubmittedIds.open(this.path(submission, 'lines'));
    const hashes = await readFile(hashesPath);
    return {
      hashOf: id => {
        const start = sent.numberOf(id) * hashBytes;
        return start < 0 || start >= hashes.length ? undefined : hashes.toString('hex', start, start + hashBytes);
      },
    };
  }

  /** Ensures that the hashes of a submission's requests are stored. Returns `undefined` if they can no longer be computed. */
  keepHashes(submission: Submission): Promise<string | undefined> {
    let making = this.making.get(submission.id);
    if (making === undefined) {
      const { registry, jobs } = this;
      making = hashSubmitted({ registry, jobs }, submission).finally(() => this.making.delete(submission.id));
      this.making.set(submission.id, making);
    }
    return making;
  }

  hashRequest(text: string): string | undefined {
    const request = readRequestLine(text);
    return request && this.hasher.hashText(request.params)?.toString('hex');
  }

  private path({ id }: Submission, file: FileOfSubmission): string {
    return path.join(this.registry.folder(id), submissionFiles[file]);
  }
}

/** Requests of one submission by id, from its `lines.tsv`. Takes a few megabytes for 100,000 requests. */
export class SubmittedIds {
  private constructor(private readonly ids: IdTable) {}

  /** Reads a `lines.tsv` in slices of about 4 ms. Throws if it doesn't exist. */
  static async open(linesPath: string): Promise<SubmittedIds> {
    return await SubmittedIds.parse(await readFile(linesPath));
  }

  /** Ignores an incomplete last line. */
  static async parse(bytes: Uint8Array): Promise<SubmittedIds> {
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
    return new SubmittedIds(ids);
  }

  get size(): number {
    return this.ids.size;
  }

  has(id: string): boolean {
    return this.numberOf(id) >= 0;
  }

  /** Returns the position of a request among those that were sent, or -1. */
  numberOf(id: string): number {
    return this.ids.findText(id);
  }
}
