import * as vscode from 'vscode';
import { toReport, withProgress } from '../../../common/asking/progress';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { JoinedResults } from '../../../jsonl/results/joinedResults';
import { noteRetryFile, type SubmissionRegistry } from '../../ledger';
import { sentFiles } from '../exporting/exportRows';
import type { ShownResults } from './shownResults';

export interface RequestWriting {
  readonly registry: Pick<SubmissionRegistry, 'folder' | 'update' | 'find'>;
  readonly jobs: Pick<JsonlJobs, 'run'>;
  readonly lifetime: AbortSignal;
}

/**
 * Writes the requests of some rows to a new file, as they are in the newest file that was sent with them. Records in the ledger that the
 * file was derived from these results. `gone` is the number of requests that are no longer in any file.
 */
export async function writeRequests(
  { registry, jobs, lifetime }: RequestWriting,
  shown: ShownResults,
  joined: JoinedResults,
  rows: Uint32Array,
  outPath: string,
): Promise<{ readonly written: number; readonly gone: number }> {
  const files = await sentFiles({ registry }, shown);
  if (files.length === 0) {
    throw new Error(vscode.l10n.t('File not found.'));
  }
  const source = { files, groups: [], answered: { ...joined, rows }, outPath };
  const { written, gone, sha256 } = await withProgress(vscode.l10n.t('Writing requests'), lifetime, (signal, report) =>
    jobs.run('writeRetry', source, { signal, onProgress: toReport(report) }),
  );
  await noteRetryFile(registry, shown.root.lead.id, { source: vscode.Uri.file(outPath).toString(), sha256 });
  return { written, gone };
}
