import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { askModal } from '../../../common/asking/notifications';
import { CancelledError } from '../../../common/cancellation';
import { toLabel } from '../../../shared/text';
import type { Run, SubmissionRegistry } from '../../ledger';
import { deletionOf } from './deletionOf';

/**
 * Deletes what this machine knows of a run and of those that follow it, after asking; their results files only when the user says so too,
 * into the trash. Nothing is deleted on the service. Throws a sentence when the run has to stay, `CancelledError` when the user turns back.
 */
export async function deleteRun(registry: Pick<SubmissionRegistry, 'all' | 'reload' | 'remove'>, run: Run, name: string): Promise<void> {
  const { t } = vscode.l10n;
  await registry.reload();
  const deletion = deletionOf(registry.all(), run);
  if (!deletion.isPossible) {
    throw new Error(
      deletion.reason === 'underWay'
        ? t('The run "{0}", or one that follows it, has not ended. Cancel it, or wait for its end, then delete it.', name)
        : t('Answers of the run "{0}" are in the joined results of the run that it follows. Delete that run to delete both.', name),
    );
  }
  const files: string[] = [];
  for (const file of deletion.resultsPaths) {
    if (
      await stat(file).then(
        found => found.isFile(),
        () => false,
      )
    ) {
      files.push(file);
    }
  }
  const following = deletion.runs.length - 1;
  const [only, withFiles] = [t('Delete Run'), files.length === 1 ? t('Delete Run and Results File') : t('Delete Run and Results Files')];
  const names = files.map(file => toLabel(path.basename(file), 80)).join(', ');
  const answer = await askModal(
    following === 0
      ? t('Delete the run "{0}"?', name)
      : following === 1
        ? t('Delete the run "{0}" and the one that follows it?', name)
        : t('Delete the run "{0}" and the {1} that follow it?', name, following),
    {
      detail: [
        t('What this machine knows of it goes: its answers are no longer shown at the lines. Its batch stays on the service.'),
        ...(files.length === 0 ? [] : [t('Results: {0}. They stay unless you delete them too; then they go to the trash.', names)]),
      ].join('\n\n'),
    },
    only,
    ...(files.length === 0 ? [] : [withFiles]),
  );
  if (answer === undefined) {
    throw new CancelledError();
  }
  await registry.remove(deletion.submissionIds);
  if (answer === withFiles) {
    for (const file of files) {
      await deleteFile(file);
    }
  }
}

/** Into the trash; where there is none only after another question. */
async function deleteFile(file: string): Promise<void> {
  const uri = vscode.Uri.file(file);
  try {
    await vscode.workspace.fs.delete(uri, { useTrash: true });
  } catch {
    const forGood = vscode.l10n.t('Delete Permanently');
    const question = vscode.l10n.t('{0} cannot go to the trash here. Delete it permanently?', toLabel(path.basename(file), 80));
    if ((await askModal(question, {}, forGood)) === forGood) {
      await vscode.workspace.fs.delete(uri);
    }
  }
}
