import * as vscode from 'vscode';
import { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';

const scheme = 'managed-agents-run';

/** Pages about runs, in VS Code's Markdown preview; they cannot be edited. */
export interface RunPages extends vscode.Disposable {
  show(name: string, text: string): Promise<void>;
}

export function createRunPages(): RunPages {
  const documents = new ReadonlyDocuments(scheme, () =>
    vscode.l10n.t('This page was made before the window was reloaded. Run the command again to see it as things stand now.'),
  );
  return {
    show: async (name, text) => {
      await vscode.commands.executeCommand('markdown.showPreview', documents.create(`${name}.md`, `${text}\n`));
    },
    dispose: () => documents.dispose(),
  };
}
