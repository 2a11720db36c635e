import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import { readSetting } from '../../../common/settings';
import { lensTitle } from '../../../common/text/lensTitle';
import { memberOf, parseLoose } from '../../../jsonl/guide/looseJson';
import { parseAgentUri } from '../agentUri';

/** What leads from the system prompt of an agent's document to the prompt as a document of its own; above the first line where there is none yet. */
export function promptLensesOf(document: vscode.TextDocument): vscode.CodeLens[] {
  if (!readSetting('managedAgents.editor.codeLens', document)) {
    return [];
  }
  const text = document.getText();
  const key = memberOf(text, parseLoose(text), 'system')?.key;
  const isVersion = parseAgentUri(document.uri)?.kind === 'version';
  if (key === undefined && isVersion) {
    return [];
  }
  const at = document.positionAt(key?.start ?? 0);
  const title = isVersion ? vscode.l10n.t('Open Prompt as Markdown') : vscode.l10n.t('Edit Prompt as Markdown');
  return [
    new vscode.CodeLens(
      new vscode.Range(at, at),
      commandLink('managedAgents.agent.editPrompt', lensTitle('markdown', title), document.uri),
    ),
  ];
}
