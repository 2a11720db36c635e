import path from 'node:path';
import * as vscode from 'vscode';
import { offerToOpen } from '../../../common/asking/notifications';
import { expectationsNameOf } from '../../../jsonl/expecting/expectationsName';
import { withExpected } from '../../../jsonl/expecting/withExpected';
import type { ResultsIndex } from '../../../jsonl/results/resultsIndex';
import { answerText } from '../../../jsonl/results/resultWords';
import { parseExact } from '../../../shared/exactJson';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';

/** Maximum number of answers to write at once. */
const mostExpected = 1000;

/** Writes the answers of these rows to the expectations file of the request file `source`, a URI string. */
export async function expectAnswers(source: string, index: ResultsIndex, rows: Uint32Array): Promise<void> {
  const { t } = vscode.l10n;
  const entries = [...rows].flatMap(row => index.entryOfRow(row) ?? []).filter(({ status }) => status === 'succeeded');
  const uri = vscode.Uri.parse(source);
  if (entries.length === 0 || entries.length > mostExpected || uri.scheme !== 'file') {
    throw new Error(
      entries.length === 0
        ? t('Select answers that succeeded.')
        : uri.scheme === 'file'
          ? t('Select at most {0}.', numberFormat(vscode.env.language).format(mostExpected))
          : t('Save the request file on this machine first.'),
    );
  }
  const answers = new Map<string, string>();
  for (const entry of entries) {
    const { result } = parseExact(await index.read(entry)) as { readonly result: Readonly<Record<string, unknown>> };
    answers.set(entry.customId, answerText(result));
  }
  const name = expectationsNameOf(path.basename(uri.fsPath));
  const file = vscode.Uri.file(path.join(path.dirname(uri.fsPath), name));
  const creation = new vscode.WorkspaceEdit();
  creation.createFile(file, { ignoreIfExists: true });
  await vscode.workspace.applyEdit(creation);
  const document = await vscode.workspace.openTextDocument(file);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(file, new vscode.Range(0, 0, document.lineCount, 0), withExpected(document.getText(), answers));
  if (!(await vscode.workspace.applyEdit(edit)) || !(await document.save())) {
    throw new Error(t("Couldn't write {0}.", toLabel(name, 80)));
  }
  const words = t('Checks added to {0}: {1}.', toLabel(name, 80), numberFormat(vscode.env.language).format(answers.size));
  offerToOpen(words, file);
}
