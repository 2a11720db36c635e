import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { codeOf, stampOfFile } from '../../../jsonl/files/publishing';
import { resultsOf, type SubmissionRegistry, submissionFiles } from '../../ledger';
import type { MergeNeed } from './mergeRuns';

/** Errors of a disk that may be over the next time. */
const ofDisk = /^(?:ENOSPC|EDQUOT|EACCES|EPERM|EROFS|EMFILE|ENFILE|EIO|EBUSY|EAGAIN)$/;

/** Remembers in the folder of a root run that its family cannot be merged: not tried again, in any window, until what goes in is other. */
export class FailedMerges {
  constructor(private readonly registry: Pick<SubmissionRegistry, 'folder'>) {}

  /** What goes into a merge, as it stands on disk; undefined where results or their index are gone, so that there is nothing to merge. */
  async inputsOf({ runs }: Pick<MergeNeed, 'runs'>): Promise<string | undefined> {
    const stamps: string[] = [];
    for (const run of runs) {
      const results = resultsOf(run);
      if (results === undefined) {
        return undefined;
      }
      const index = path.join(this.registry.folder(results.submissionId), results.indexName);
      for (const file of [results.joinedPath, index]) {
        const stamp = await stampOfFile(file);
        if (stamp === undefined) {
          return undefined;
        }
        stamps.push(stamp);
      }
      for (const { id } of run.submissions) {
        // Gone, it may be made anew of the file that was sent.
        stamps.push((await stampOfFile(path.join(this.registry.folder(id), submissionFiles.lines))) ?? 'gone');
      }
      stamps.push(run.id, results.fetchedAt);
    }
    return stamps.join(' ');
  }

  /** Whether a merge of these failed before. */
  async has({ root }: MergeNeed, inputs: string): Promise<boolean> {
    return (await readFile(this.fileOf(root.lead.id), 'utf8').catch(() => '')) === inputs;
  }

  /** Remembers a failure that will come again. What is forgotten because a disk fails is tried once more, and no harm done. */
  async note({ root }: MergeNeed, inputs: string, error: unknown): Promise<void> {
    if (!ofDisk.test(codeOf(error) ?? '')) {
      await writeFile(this.fileOf(root.lead.id), inputs, { mode: 0o600 }).catch(() => undefined);
    }
  }

  private fileOf(rootId: string): string {
    return path.join(this.registry.folder(rootId), 'merging', 'failed');
  }
}
