import type * as vscode from 'vscode';
import { requestScheme } from '../documents/requestUri';

/** Text of one request: a line of a request file, or the whole document of an edited request. */
interface TextAtCursor {
  readonly text: string;
  /** Offset of the text in its document. */
  readonly start: number;
  /** Offset of the cursor in the text. */
  readonly cursor: number;
}

/** Returns whether a document is a single request that spans several lines. */
export function isEditedRequest({ uri }: vscode.TextDocument): boolean {
  return uri.scheme === requestScheme;
}

/** Returns the text of the request at a position. */
export function requestTextAt(document: vscode.TextDocument, position: vscode.Position): TextAtCursor {
  const offset = document.offsetAt(position);
  return isEditedRequest(document)
    ? { text: document.getText(), start: 0, cursor: offset }
    : { text: document.lineAt(position.line).text, start: offset - position.character, cursor: position.character };
}
