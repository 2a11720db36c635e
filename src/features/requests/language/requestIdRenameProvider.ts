import * as vscode from 'vscode';
import { customIdPattern } from '../../../contract/customId';
import { memberOf, parseLoose, textOf } from '../../../jsonl/guide/looseJson';
import { toLabel } from '../../../shared/text';
import type { OpenRequestFile, RequestDocuments } from '../documents/requestDocuments';

/** Renames the `custom_id` under the cursor. Rejects a name that is invalid or used by another request. */
export class RequestIdRenameProvider implements vscode.RenameProvider {
  constructor(private readonly documents: RequestDocuments) {}

  prepareRename(document: vscode.TextDocument, position: vscode.Position): { range: vscode.Range; placeholder: string } {
    return this.demandId(document, position).id;
  }

  async provideRenameEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    newName: string,
    token: vscode.CancellationToken,
  ): Promise<vscode.WorkspaceEdit | undefined> {
    const { file, id } = this.demandId(document, position);
    if (!customIdPattern.test(newName)) {
      throw new Error(vscode.l10n.t('Use 1 to 64 letters, digits, hyphens or underscores.'));
    }
    const { version } = document;
    await file.whenSwept();
    if (token.isCancellationRequested || document.version !== version) {
      return undefined;
    }
    const other = file.checker?.lineOfId(newName);
    if (other !== undefined && other !== position.line) {
      throw new Error(vscode.l10n.t('Line {0} already has the ID {1}.', other + 1, newName));
    }
    const edit = new vscode.WorkspaceEdit();
    if (newName !== id.placeholder) {
      edit.replace(document.uri, id.range, newName);
    }
    return edit;
  }

  /** Returns the id under the cursor. Throws an error for the user if there is none. */
  private demandId(
    document: vscode.TextDocument,
    { line, character }: vscode.Position,
  ): { readonly file: OpenRequestFile; readonly id: { readonly range: vscode.Range; readonly placeholder: string } } {
    const file = this.documents.get(document);
    if (file === undefined) {
      throw new Error(vscode.l10n.t('{0} has no requests.', toLabel(document.fileName, 80)));
    }
    const { text } = document.lineAt(line);
    const value = memberOf(text, parseLoose(text), 'custom_id')?.value;
    if (value?.kind !== 'text' || !value.closed || character < value.start || character > value.end) {
      throw new Error(vscode.l10n.t('Only a custom_id can be renamed.'));
    }
    const range = new vscode.Range(line, value.start + 1, line, value.end - 1);
    return { file, id: { range, placeholder: textOf(text, value) } };
  }
}
