import { open } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { askWhere, writableFolderOf } from '../../../common/asking/newFile';
import { showInformation } from '../../../common/asking/notifications';
import { fieldsNameOf } from '../../../jsonl/fields/fieldsName';
import { toLabel } from '../../../shared/text';
import { toFileName } from '../documents/requestFile';
import { count } from '../fileWork';
import type { RewriteTarget } from './rewriteTarget';

/** Argument of `managedAgents.file.fix`, in place of a rule, that moves the user's extra fields to another file. */
export const extraFields = 'extra-fields';

/** Returns the name of the file for the user's own fields. It is next to the request file. */
export function toFieldsName(uri: vscode.Uri): string {
  return fieldsNameOf(toFileName(uri));
}

/**
 * Moves the user's own fields, which a batch does not allow, to another file. Appends them there by `custom_id`, then removes them from the
 * requests.
 */
export async function moveFields(target: RewriteTarget): Promise<void> {
  const { t } = vscode.l10n;
  const { summary, apply } = await target.prepare({ type: 'moveFields' });
  const { changedLines, movedFields = '' } = summary;
  if (changedLines === 0) {
    void showInformation(t('{0} has no extra fields.', target.name));
    return;
  }
  const fileName = toFieldsName(target.uri);
  const folder = await writableFolderOf(target.uri);
  const outPath = folder === undefined ? await askWhere(fileName, t('Save Extra Fields')) : path.join(folder, fileName);
  // Saved before they are removed from the requests, so that none is lost.
  await addLines(outPath, movedFields, folder === undefined ? 'w+' : 'a+');
  const done = await apply('here');
  const name = toLabel(path.basename(outPath), 80);
  const sentence = t('Extra fields moved to {1}. Requests: {0}.', count(changedLines), name);
  target.showDone(sentence, done);
}

/** Adds lines to a file, after a line break if its last line has none. */
async function addLines(path: string, lines: string, flags: 'w+' | 'a+'): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(size - 1, 0));
    await file.appendFile(size > 0 && buffer[0] !== 0x0a ? `\n${lines}` : lines);
  } finally {
    await file.close();
  }
}
