import * as vscode from 'vscode';

/**
 * Returns whether VS Code reads a file as UTF-8 by default. Otherwise the document needs a byte order mark, which VS Code keeps when it
 * saves.
 */
export function readsUtf8(uri: vscode.Uri): boolean {
  const files = vscode.workspace.getConfiguration('files', { uri, languageId: 'json' });
  return files.get('encoding', 'utf8') === 'utf8' && files.get('autoGuessEncoding') !== true;
}

/** Returns the indentation of VS Code's JSON formatter. */
export function indentOf(source: vscode.Uri): string {
  const editor = vscode.workspace.getConfiguration('editor', { uri: source, languageId: 'json' });
  if (editor.get<boolean>('detectIndentation') !== false) {
    return '  ';
  }
  return editor.get<boolean>('insertSpaces') === false ? '\t' : ' '.repeat(Math.max(1, Math.min(8, Number(editor.get('tabSize')) || 2)));
}
