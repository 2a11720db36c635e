import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { hashBytes, ParamsHasher } from '../../../jsonl/arranging/paramsHash';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import { ResultsHistory } from '../../../jsonl/merging/resultsHistory';
import { ResultsIndex } from '../../../jsonl/results/resultsIndex';
import { hashSubmitted, type Submission, type SubmissionRegistry, submissionFiles } from '../../ledger';
import { readRequestLine } from '../documents/requestLine';
import type { AnswerFiles, SentHashes, SentIds } from './answerSources';
import { SubmittedIds } from './submittedIds';

type FileOfSubmission = keyof typeof submissionFiles;

/** Stored submissions and results in the folders of the registry. */
export class SubmissionAnswerFiles implements AnswerFiles {
  private readonly hasher = new ParamsHasher();
  /** Hashes that are being computed, by submission. */
  private readonly making = new Map<string, Promise<string | undefined>>();

  constructor(
    private readonly registry: Pick<SubmissionRegistry, 'all' | 'folder'>,
    private readonly jobs: Pick<JsonlJobs, 'run'>,
  ) {}

  openResults({ results }: Parameters<AnswerFiles['openResults']>[0]): Promise<ResultsIndex> {
    return ResultsIndex.open(path.join(this.registry.folder(results.submissionId), results.indexName), results.joinedPath);
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
      making = hashSubmitted({ registry, jobs, toPath }, submission).finally(() => this.making.delete(submission.id));
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

function toPath(source: string): string | undefined {
  const uri = vscode.Uri.parse(source);
  return uri.scheme === 'file' ? uri.fsPath : undefined;
}
