import * as vscode from 'vscode';
import { askChoice } from '../../../common/steps';
import { toLabel } from '../../../common/text';
import { memberOf, placeOf, replacement, rootOf } from '../../../jsonl/fixes/jsonPlaces';
import { parseJsonLine } from '../../../jsonl/jsonText';
import { contractModels } from '../../../jsonl/rules/modelNames';
import type { EditingDependencies } from '../editing';

/** Asks for the model of a request, by itself that at the cursor, among those that the connection serves, and writes it there. */
export async function chooseModel({ rules }: EditingDependencies, file: vscode.Uri | undefined, given: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const editor = vscode.window.activeTextEditor;
  const document = file === undefined ? editor?.document : await vscode.workspace.openTextDocument(file);
  const line = typeof given === 'number' ? given : editor?.selection.active.line;
  if (document === undefined || line === undefined || line >= document.lineCount) {
    throw new Error(t('Put the cursor into a request first, then choose its model.'));
  }
  const text = document.lineAt(line).text;
  const root = parseJsonLine(text).complete ? rootOf(text) : undefined;
  const place = root === undefined ? undefined : placeOf(text, memberOf(root, 'params') === undefined ? ['model'] : ['params', 'model']);
  if (place === undefined) {
    throw new Error(t('Line {0} has no model to change.', line + 1));
  }
  const served = rules.models()?.map(({ id, display_name: name }) => ({ id, name: name ?? '' }));
  const models = served ?? contractModels.map(id => ({ id, name: '' }));
  const { version } = document;
  const model = await askChoice({
    title: t('Choose Model'),
    placeholder: served === undefined ? t('Models of the contract; those of the connection are not known') : t('Models of the connection'),
    choices: models.map(({ id, name }) => ({ label: toLabel(id, 100), description: name === id ? '' : toLabel(name, 100), value: id })),
  });
  if (document.version !== version) {
    throw new Error(t('The file was edited meanwhile, so nothing was changed. Try again.'));
  }
  const { start, end, text: quoted } = replacement(place.part, JSON.stringify(model));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(line, start, line, end), quoted);
  await vscode.workspace.applyEdit(edit);
}
