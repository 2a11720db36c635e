import * as vscode from 'vscode';
import type { LineSpan } from './lensPresentation';

/** What is visible or selected of a document, in all of its editors. */
export function spansOf(document: vscode.TextDocument): readonly LineSpan[] {
  return vscode.window.visibleTextEditors
    .filter(editor => editor.document === document)
    .flatMap(editor => [
      ...editor.visibleRanges.map(range => ({ first: range.start.line, last: range.end.line })),
      ...editor.selections.map(selection => ({ first: selection.active.line, last: selection.active.line })),
    ]);
}
