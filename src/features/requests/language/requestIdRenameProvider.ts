import * as vscode from 'vscode';
import { customIdPattern } from '../../../contract/customId';
import { memberOf, parseLoose, textOf } from '../../../jsonl/guide/looseJson';
import type { RequestDocuments } from '../documents/requestDocuments';
import { nameOf } from '../documents/requestFile';

/** Renames the `custom_id` under the cursor. Rejects a name that is invalid or used by another request. */
export class RequestIdRenameProvider implements vscode.RenameProvider {
  constructor(private readonly documents: RequestDocuments) {}

  /** Returns the id under the cursor. Throws an error for the user if there is none. */
  prepareRename(document: vscode.TextDocument, { line, character }: vscode.Position): { range: vscode.Range; placeholder: string } {
    if (this.documents.get(document) === undefined) {
      throw new Error(vscode.l10n.t('{0} has no requests.', nameOf(document.uri)));
    }
    const { text } = document.lineAt(line);
    const value = memberOf(text, parseLoose(text), 'custom_id')?.value;
    if (value?.kind !== 'text' || !value.closed || character < value.start || character > value.end) {
      throw new Error(vscode.l10n.t('Only a custom_id can be renamed.'));
    }
    return { range: new vscode.Range(line, value.start + 1, line, value.end - 1), placeholder: textOf(text, value) };
  }

  async provideRenameEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    newName: string,
    token: vscode.CancellationToken,
  ): Promise<vscode.WorkspaceEdit | undefined> {
    const { range, placeholder } = this.prepareRename(document, position);
    if (!customIdPattern.test(newName)) {
      throw new Error(vscode.l10n.t('Use 1 to 64 letters, digits, hyphens or underscores.'));
    }
    const { version } = document;
    const file = this.documents.get(document);
    await file?.whenSwept();
    if (token.isCancellationRequested || document.version !== version) {
      return undefined;
    }
    const other = file?.checker?.lineOfId(newName);
    if (other !== undefined && other !== position.line) {
      throw new Error(vscode.l10n.t('Line {0} already has the ID {1}.', other + 1, newName));
    }
    const edit = new vscode.WorkspaceEdit();
    if (newName !== placeholder) {
      edit.replace(document.uri, range, newName);
    }
    return edit;
  }
}
