import * as vscode from 'vscode';
import { dialects } from '../../client/dialect';
import { askModal } from '../../common/asking/notifications';
import { CancelledError } from '../../common/cancellation';
import type { AgentReference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { confirmBeside, pickDefinitionFile, revertTabs, textOf } from '../resources/documents';
import { draftIdOf, newDraftId } from './agentDrafts';
import { type AgentFlow, connectionOf, placeOf } from './agentFlow';
import { agentTemplates, defaultModel } from './agentTemplates';
import { toDefinitionText } from './agentText';
import { toAgentUri } from './agentUri';
import { created, read } from './publishAgent';

/** Begins a new agent from a template, as a draft that Publish creates, or from a file of the workspace. */
export async function createAgent(flow: AgentFlow): Promise<void> {
  const connection = await connectionOf(flow);
  const dialect = dialects[connection.dialect];
  const templates = agentTemplates(vscode.l10n.t, defaultModel(dialect));
  const fromFile = {
    label: `$(file-code) ${vscode.l10n.t('From a File of the Workspace...')}`,
    description: '*.agent.json',
    template: undefined,
  };
  const choice = await vscode.window.showQuickPick(
    [
      ...templates.map(template => ({ label: `$(hubot) ${template.label}`, description: template.description, template })),
      { label: '', kind: vscode.QuickPickItemKind.Separator, template: undefined },
      fromFile,
    ],
    { placeHolder: vscode.l10n.t('New agent on {0}: begin with...', connection.name), matchOnDescription: true },
  );
  if (choice === undefined) {
    throw new CancelledError();
  }
  if (choice.template === undefined) {
    await createAgentFromFile(flow, await pickAgentFile());
    return;
  }
  const { definition } = choice.template;
  const id = newDraftId();
  const name = String(definition.name);
  await flow.drafts.save({ id, connection: connection.name, name, text: toDefinitionText(definition), savedAt: Date.now() });
  await flow.files.open({ kind: 'new', connection: connection.name, draftId: id }, name);
}

/** Creates an agent from a file, after asking; the file stays as it is. */
export async function createAgentFromFile(flow: AgentFlow, file: vscode.Uri | undefined): Promise<void> {
  const source = file ?? vscode.window.activeTextEditor?.document.uri ?? (await pickAgentFile());
  const definition = read(await textOf(source, vscode.l10n.t('The file is larger than 4 MB: it cannot be the definition of an agent.')));
  const { connection, client } = await flow.service.reach((await connectionOf(flow)).name, 'userToChange');
  const name = toLabel(String(definition.name), 80);
  const confirmed = await confirmBeside(
    vscode.l10n.t('Create the agent {0} on {1}?', name, connection.name),
    vscode.l10n.t('Create Agent'),
    vscode.l10n.t(
      'From {0}. It becomes version 1. An agent can be archived, but not deleted.',
      toLabel(vscode.workspace.asRelativePath(source), 100),
    ),
    vscode.l10n.t('Leave It'),
  );
  if (!confirmed) {
    throw new CancelledError();
  }
  await created(flow, connection.name, (await client.agents.create(definition)).data);
}

/** Throws away what was not published, after asking. */
export async function discardDraft(flow: AgentFlow, target: AgentReference | vscode.Uri | undefined): Promise<void> {
  await flow.drafts.load();
  const place = await placeOf(flow, target, vscode.l10n.t('Discard the draft of which agent?'), 'hasDraft');
  const draftId = place.kind === 'new' ? place.draftId : draftIdOf(place.connection, place.agentId);
  const draft = flow.drafts.find(draftId);
  if (draft === undefined) {
    throw new Error(vscode.l10n.t('This agent has no draft.'));
  }
  const discard = vscode.l10n.t('Discard Draft');
  const answer = await askModal(
    vscode.l10n.t('Discard your draft of {0}?', toLabel(draft.name, 80)),
    {
      detail:
        draft.agentId === undefined
          ? vscode.l10n.t('The service does not have this agent: nothing of it remains.')
          : vscode.l10n.t('The document then shows the latest version of the service. This cannot be undone.'),
    },
    discard,
  );
  if (answer !== discard) {
    throw new CancelledError();
  }
  if (draft.agentId === undefined) {
    await revertTabs(toAgentUri({ kind: 'new', connection: draft.connection, draftId }, draft.name), true);
    await flow.drafts.remove(draftId);
  } else {
    await flow.drafts.remove(draftId);
    flow.files.touchAgent(draft.connection, draft.agentId);
    await revertTabs(flow.files.uriOf({ kind: 'agent', connection: draft.connection, agentId: draft.agentId }, draft.name), false);
  }
}

function pickAgentFile(): Promise<vscode.Uri> {
  return pickDefinitionFile('.agent.json', {
    question: vscode.l10n.t('Create the agent from which file?'),
    none: vscode.l10n.t('The workspace has no file whose name ends in .agent.json. Begin with a template instead.'),
  });
}
