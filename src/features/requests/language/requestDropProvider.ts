import * as vscode from 'vscode';
import { droppedJson } from './droppedJson';

/** Inserts the path of a dropped file into a request as JSON, instead of VS Code's plain path. If that is not possible, reports it. */
export class RequestDropProvider implements vscode.DocumentDropEditProvider {
  async provideDocumentDropEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    dataTransfer: vscode.DataTransfer,
    token: vscode.CancellationToken,
  ): Promise<vscode.DocumentDropEdit | undefined> {
    const list = (await dataTransfer.get('text/uri-list')?.asString()) ?? '';
    const paths = list.split(/\r?\n/).flatMap(line => (line === '' || line.startsWith('#') ? [] : [pathOf(line)]));
    if (paths.length === 0 || token.isCancellationRequested) {
      return undefined;
    }
    const json = droppedJson(document.lineAt(position.line).text, position.character, paths.join(' '));
    if (json === undefined) {
      vscode.window.setStatusBarMessage(vscode.l10n.t('Drop the file into a string.'), 8000);
    }
    return new vscode.DocumentDropEdit(json ?? '', vscode.l10n.t('Insert Path as JSON'), vscode.DocumentDropOrPasteEditKind.Text);
  }
}

function pathOf(uri: string): string {
  const parsed = vscode.Uri.parse(uri);
  return parsed.scheme === 'file' ? vscode.workspace.asRelativePath(parsed) : uri;
}
