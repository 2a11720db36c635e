import path from 'node:path';
import * as vscode from 'vscode';
import { showFailure } from '../../../common/asking/notifications';
import { describeError } from '../../../common/text/describeError';
import type { FileState } from '../../../jsonl/files/fileState';
import { restoreFile } from '../../../jsonl/files/restoreFile';
import { toLabel } from '../../../shared/text';

/** A file that another took the place of. */
export interface ReplacedFile {
  /** Where it is now. */
  readonly keptPath: string;
  /** What stands in its place. */
  readonly written: FileState;
}

/** Gives a file back what it held before it was written anew, unless somebody has written to it since, which the user is told. */
export async function putBack(file: string, { keptPath, written }: ReplacedFile): Promise<void> {
  const { t } = vscode.l10n;
  const names = [file, keptPath].map(name => toLabel(path.basename(name), 80));
  try {
    if (!(await restoreFile(file, keptPath, written))) {
      await showFailure(t('{0} was changed since, so it stays as it is. What it held before is in {1}.', ...names));
    }
  } catch (error) {
    await showFailure(toLabel(describeError(error), 1000));
  }
}
