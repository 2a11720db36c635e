import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonlJobs } from '../../jsonl/jobs';
import { hashBytes, ParamsHasher } from '../../jsonl/merging/paramsHash';
import { ResultsHistory } from '../../jsonl/merging/resultsHistory';
import { ResultsIndex } from '../../jsonl/resultsIndex';
import { submissionFiles } from '../batches/ledger';
import type { Submission } from '../batches/ledger/submission';
import type { SubmissionRegistry } from '../batches/ledger/submissionRegistry';
import type { AnswerFiles, SentHashes, SentIds } from './fileAnswers';
import { readRequestLine } from './requestLine';
import { SubmittedIds } from './submittedIds';

type FileOfSubmission = keyof typeof submissionFiles;

/** What was written down of submissions and their results, in the folders of the registry. */
export class SubmissionAnswerFiles implements AnswerFiles {
  private readonly hasher = new ParamsHasher();
  /** Submissions whose hashes are being made. */
  private readonly making = new Map<string, Promise<void>>();

  constructor(
    private readonly registry: Pick<SubmissionRegistry, 'folder'>,
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

  async openHashes(submission: Submission): Promise<SentHashes> {
    await this.keepHashes(submission);
    const sent = await SubmittedIds.open(this.path(submission, 'lines'));
    const hashes = await readFile(this.path(submission, 'requestHashes'));
    return {
      hashOf: id => {
        const start = sent.numberOf(id) * hashBytes;
        return start < 0 || start >= hashes.length ? undefined : hashes.toString('hex', start, start + hashBytes);
      },
    };
  }

  /** Makes sure that what the requests of a submission said is written down. Rejects when the file no longer is what was sent. */
  async keepHashes(submission: Submission): Promise<void> {
    const hashesPath = this.path(submission, 'requestHashes');
    const isThere = await access(hashesPath).then(
      () => true,
      () => false,
    );
    if (isThere) {
      return;
    }
    const { id, source, fromEditor, sha256 } = submission;
    let making = this.making.get(id);
    if (making === undefined) {
      const sourcePath = fromEditor === true ? this.path(submission, 'editorCopy') : fileURLToPath(source);
      making = this.jobs
        .run('hashRequests', { path: sourcePath, linesPath: this.path(submission, 'lines'), sha256, hashesPath })
        .finally(() => this.making.delete(id));
      this.making.set(id, making);
    }
    await making;
  }

  hashRequest(text: string): string | undefined {
    const request = readRequestLine(text);
    return request && this.hasher.hashText(request.params)?.toString('hex');
  }

  private path({ id }: Submission, file: FileOfSubmission): string {
    return path.join(this.registry.folder(id), submissionFiles[file]);
  }
}
