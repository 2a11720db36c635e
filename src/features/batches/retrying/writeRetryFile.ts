import * as vscode from 'vscode';
import { toReport, withProgress } from '../../../common/asking/progress';
import type { RetryWriteSource, RetryWritten } from '../../../jsonl/retrying/retryingJobs';
import { noteRetryFile } from '../../ledger';
import { placeBeside } from '../fetching/placeBeside';
import type { RunDependencies } from '../runCommands';
import type { RetrySources } from './retrySources';

/** Writes groups of requests to a new file beside the first source, notes that it follows the run, and opens it. */
export async function writeRetryFile(
  { jobs, registry, lifetime }: Pick<RunDependencies, 'jobs' | 'registry' | 'lifetime'>,
  { root, files }: RetrySources,
  groups: RetryWriteSource['groups'],
  name: string,
): Promise<RetryWritten & { readonly path: string }> {
  const outPath = await placeBeside(vscode.Uri.parse(root.source), 'retry', vscode.l10n.t('Save the Failed Requests'));
  const submitted = files.map(({ path, linesPath, sha256 }) => ({ path, linesPath, sha256 }));
  const written = await withProgress(vscode.l10n.t('Writing the requests of {0} to send again', name), lifetime, (signal, tell) =>
    jobs.run('writeRetry', { files: submitted, groups, outPath }, { signal, onProgress: toReport(tell) }),
  );
  const source = vscode.Uri.file(outPath);
  await noteRetryFile(registry, root.lead.id, { source: source.toString(), sha256: written.sha256 });
  await vscode.commands.executeCommand('vscode.open', source);
  return { ...written, path: outPath };
}
