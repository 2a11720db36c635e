import * as vscode from 'vscode';

/** Whether VS Code takes a file for UTF-8 by itself; otherwise a byte order mark says so, which it gives back when it saves. */
export function readsUtf8(uri: vscode.Uri): boolean {
  const files = vscode.workspace.getConfiguration('files', { uri, languageId: 'json' });
  return files.get('encoding', 'utf8') === 'utf8' && files.get('autoGuessEncoding') !== true;
}

/** As VS Code indents JSON here, and as its formatter leaves it. */
export function indentOf(source: vscode.Uri): string {
  const editor = vscode.workspace.getConfiguration('editor', { uri: source, languageId: 'json' });
  if (editor.get<boolean>('detectIndentation') !== false) {
    return '  ';
  }
  return editor.get<boolean>('insertSpaces') === false ? '\t' : ' '.repeat(Math.max(1, Math.min(8, Number(editor.get('tabSize')) || 2)));
}
