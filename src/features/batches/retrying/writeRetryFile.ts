import * as vscode from 'vscode';
import { toReport, withProgress } from '../../../common/asking/progress';
import type { RetryWriteSource } from '../../../jsonl/retrying/retryingJobs';
import { noteRetryFile } from '../../ledger';
import { placeBeside } from '../fetching/placeBeside';
import type { RunDependencies } from '../runCommands';
import type { RetrySources } from './retrySources';

/** Writes groups of requests to a new file beside the first source, notes that it follows the run, and opens it. */
export async function writeRetryFile(
  { jobs, registry, lifetime }: Pick<RunDependencies, 'jobs' | 'registry' | 'lifetime'>,
  { root, plan }: RetrySources,
  groups: RetryWriteSource['groups'],
  name: string,
): Promise<void> {
  const outPath = await placeBeside(vscode.Uri.parse(root.source), 'retry', vscode.l10n.t('Save Requests'));
  const { sha256 } = await withProgress(vscode.l10n.t('Writing {0}', name), lifetime, (signal, tell) =>
    jobs.run('writeRetry', { files: plan.files, groups, outPath }, { signal, onProgress: toReport(tell) }),
  );
  const source = vscode.Uri.file(outPath);
  await noteRetryFile(registry, root.lead.id, { source: source.toString(), sha256 });
  await vscode.commands.executeCommand('vscode.open', source);
}
