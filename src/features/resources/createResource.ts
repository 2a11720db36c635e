import * as vscode from 'vscode';
import { CancelledError } from '../../common/cancellation';
import { newDraftId, toDefinitionText } from './definitions';
import { pickDefinitionFile, textOf } from './documents';
import { definitionOf } from './draftActs';
import { createFrom } from './publishResource';
import { connectionOf, kindNamed, nameOf, type ResourceFlow } from './resourceFlow';
import type { KindDefinition, Resource } from './resourceKind';

/** Begins a new thing from a template, as a draft that Publish creates, or makes it of a file of the workspace. */
export async function createResource(flow: ResourceFlow, name: string): Promise<void> {
  const kind = kindNamed(name);
  const definition = definitionOf(kindNamed(name));
  const { translate } = flow.presentation();
  const connection = await connectionOf(flow);
  const fromFile = {
    label: `$(file-code) ${vscode.l10n.t('From a File of the Workspace...')}`,
    description: `*.${definition.ending}.json`,
    template: undefined,
  };
  const templates = definition.templates(translate).map(template => ({
    label: `$(${kind.icon}) ${template.label}`,
    description: template.description,
    template,
  }));
  const line = { label: '', kind: vscode.QuickPickItemKind.Separator, template: undefined };
  const choice = await vscode.window.showQuickPick([...templates, line, fromFile], {
    placeHolder: definition.questions(translate).begin(connection.name),
    matchOnDescription: true,
  });
  if (choice === undefined) {
    throw new CancelledError();
  }
  if (choice.template === undefined) {
    await createFromFile(flow, name, await pickFile(flow, definition));
    return;
  }
  const wanted = choice.template.definition;
  const id = newDraftId();
  const called = String(wanted.name);
  await flow.drafts.save({
    id,
    connection: connection.name,
    kind: name,
    name: called,
    text: toDefinitionText(wanted),
    savedAt: Date.now(),
  });
  await flow.files.open({ view: 'new', connection: connection.name, kind: name, draftId: id }, called);
}

/** Makes a thing of a file, after asking; the file stays as it is. */
export async function createFromFile(flow: ResourceFlow, name: string, file: vscode.Uri | undefined): Promise<void> {
  const definition = definitionOf(kindNamed(name));
  const active = vscode.window.activeTextEditor?.document.uri;
  const isMeant = active?.path.endsWith(`.${definition.ending}.json`) === true;
  const source = file ?? (isMeant ? active : undefined) ?? (await pickFile(flow, definition));
  const text = await textOf(source, vscode.l10n.t('The file is larger than 4 MB: nothing can be made of it.'));
  const { name: connection } = await connectionOf(flow);
  const reference = await createFrom(flow, connection, kindNamed(name), text, vscode.l10n.t('Leave It'));
  await flow.files.open({ view: 'edit', reference }, nameOf(flow, reference));
}

function pickFile(flow: ResourceFlow, definition: KindDefinition<Resource>): Promise<vscode.Uri> {
  const { chooseFile, noFile } = definition.questions(flow.presentation().translate);
  return pickDefinitionFile(`.${definition.ending}.json`, { question: chooseFile, none: noFile });
}
