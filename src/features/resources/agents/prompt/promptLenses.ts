import * as vscode from 'vscode';
import { commandLink } from '../../../../common/commands';
import { lensTitle } from '../../../../common/text/lensTitle';
import { memberOf, parseLoose } from '../../../../jsonl/guide/looseJson';
import { parseResourceUri } from '../../documents/resourceUri';

/** Returns the code lens that opens the system prompt in its own document: at the prompt, or above line 1 if there is none. */
export function promptLensesOf(document: vscode.TextDocument): vscode.CodeLens[] {
  const text = document.getText();
  const key = memberOf(text, parseLoose(text), 'system')?.key;
  const location = parseResourceUri(document.uri);
  const isVersion = location?.view === 'edit' && location.reference.kind === 'agentVersion';
  if (key === undefined && isVersion) {
    return [];
  }
  const at = document.positionAt(key?.start ?? 0);
  const title = vscode.l10n.t('Open Prompt as Markdown');
  return [
    new vscode.CodeLens(
      new vscode.Range(at, at),
      commandLink('managedAgents.agent.editPrompt', lensTitle('markdown', title), document.uri),
    ),
  ];
}
