import path from 'node:path';
import * as vscode from 'vscode';
import { showFailure } from '../../../common/asking/notifications';
import { describeError } from '../../../common/text/describeError';
import type { FileState } from '../../../jsonl/files/fileState';
import { restoreFile } from '../../../jsonl/files/restoreFile';
import { toLabel } from '../../../shared/text';

/** File that was replaced. */
export interface ReplacedFile {
  /** Current path of the old file. */
  readonly backupPath: string;
  /** State of the new file. */
  readonly written: FileState;
}

/** Restores a file that was replaced. Reports it to the user if the file has changed since. */
export async function putBack(file: string, { backupPath, written }: ReplacedFile): Promise<void> {
  const { t } = vscode.l10n;
  const names = [file, backupPath].map(name => toLabel(path.basename(name), 80));
  try {
    if (!(await restoreFile(file, backupPath, written))) {
      await showFailure(t('{0} has changed and was not restored. Its earlier text is in {1}.', ...names));
    }
  } catch (error) {
    await showFailure(toLabel(describeError(error), 1000));
  }
}
