import * as vscode from 'vscode';
import type { Model } from '../../../client/schemas/models';
import { askChoice, type Choice } from '../../../common/asking/askSteps';
import { chooseFile } from '../../../common/asking/chooseFile';
import { demandWritable } from '../../../common/asking/writable';
import { JsonLine } from '../../../jsonl/fixes/jsonLine';
import { memberOf, replacement } from '../../../jsonl/fixes/jsonPlaces';
import { contractModels } from '../../../jsonl/rules/modelNames';
import { toLabel } from '../../../shared/text';
import { toFileName } from '../documents/requestFile';
import type { EditingDependencies } from '../editingDependencies';
import { goToRequest } from '../language/goToRequest';

/**
 * Asks for the model of a request among those that the connection serves, and writes it there. The request is by itself that at the
 * cursor; of a file that is not the active one the user is asked for it.
 */
export async function chooseModel(deps: EditingDependencies, file: vscode.Uri | undefined, given: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const { rules } = deps;
  const uri = await chooseFile(file, { question: t('In which file is the request?'), openLabel: t('Choose Model') });
  const isActive = vscode.window.activeTextEditor?.document.uri.toString() === uri.toString();
  if (typeof given !== 'number' && !isActive) {
    await goToRequest(deps, uri);
  }
  const editor = vscode.window.activeTextEditor;
  const document = await vscode.workspace.openTextDocument(uri).then(undefined, () => undefined);
  if (document === undefined) {
    throw new Error(
      t('Extensions cannot change {0} in the editor. Choose Edit Request, and the model there.', toLabel(toFileName(uri), 80)),
    );
  }
  const line = typeof given === 'number' ? given : editor?.document === document ? editor.selection.active.line : undefined;
  if (line === undefined || line >= document.lineCount) {
    throw new Error(t('Put the cursor into a request first, then choose its model.'));
  }
  await demandWritable(document);
  const json = new JsonLine(document.lineAt(line).text);
  const root = json.isComplete ? json.root : undefined;
  const place = root === undefined ? undefined : json.placeOf(memberOf(root, 'params') === undefined ? ['model'] : ['params', 'model']);
  if (place === undefined) {
    throw new Error(t('Line {0} has no model to change.', line + 1));
  }
  const served = rules.models();
  const { version } = document;
  const model = await askChoice({
    title: t('Choose Model'),
    placeholder: served === undefined ? t('Models of the contract; those of the connection are not known') : t('Models of the connection'),
    choices: modelChoices(served),
  });
  if (document.version !== version) {
    throw new Error(t('The file was edited meanwhile, so nothing was changed. Try again.'));
  }
  const { start, end, text: quoted } = replacement(place.part, JSON.stringify(model));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(line, start, line, end), quoted);
  await vscode.workspace.applyEdit(edit);
}

/** The models that the service lists, or without them those of the contract. */
export function modelChoices(served: readonly Model[] | undefined): readonly Choice<string>[] {
  const models = served?.map(({ id, display_name: name }) => ({ id, name: name ?? '' })) ?? contractModels.map(id => ({ id, name: '' }));
  return models.map(({ id, name }) => ({ label: toLabel(id, 100), description: name === id ? '' : toLabel(name, 100), value: id }));
}
