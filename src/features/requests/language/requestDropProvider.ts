import * as vscode from 'vscode';
import { isJson } from '../../../jsonl/scanning/jsonMembers';

/** Inserts the path of a dropped file into a request as JSON, instead of VS Code's plain path. Shows a message if that is not possible. */
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

/**
 * Returns a text as it can be inserted into a line of JSON: escaped within a string, or quoted if the line stays valid JSON. Returns
 * `undefined` if neither is possible.
 */
export function droppedJson(line: string, character: number, text: string): string | undefined {
  const context = contextAt(line, character);
  if (context === 'escape' || line.trim() === '') {
    return undefined;
  }
  const quoted = JSON.stringify(text);
  const inserted = context === 'string' ? quoted.slice(1, -1) : quoted;
  const isSound = isJson(line.slice(0, character) + inserted + line.slice(character));
  // An unfinished line also accepts escaped text in a string.
  return isSound || (context === 'string' && !isJson(line)) ? inserted : undefined;
}

function contextAt(line: string, character: number): 'string' | 'escape' | 'between' {
  let isString = false;
  for (let at = 0; at < character; at++) {
    if (line[at] === '"') {
      isString = !isString;
    } else if (isString && line[at] === '\\') {
      at += line[at + 1] === 'u' ? 5 : 1;
      if (at >= character) {
        return 'escape';
      }
    }
  }
  return isString ? 'string' : 'between';
}
