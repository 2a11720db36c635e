import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { tabsOf } from '../../../common/documents/tabs';
import { lensTitle } from '../../../common/text/lensTitle';
import type { Commands } from '../../../contributions';
import { placeholdersOf } from '../../../shared/session/promptPlaceholders';

const startSession = 'managedAgents.session.create' satisfies keyof Commands;

/** Untitled document for the first message of a session, which can have several lines. A code lens in it continues the start. */
export class FirstMessageDocument implements vscode.Disposable {
  private document: vscode.TextDocument | undefined;
  private listening: vscode.Disposable | undefined;

  /** Current text. `undefined` if the document was never opened or is closed. */
  get text(): string | undefined {
    return this.document?.isClosed === false ? this.document.getText() : undefined;
  }

  is(uri: vscode.Uri): boolean {
    return this.text !== undefined && this.document?.uri.toString() === uri.toString();
  }

  /** Opens the document, or shows it again. A new one starts with `text`, whose placeholders in braces are tab stops. */
  async write(text: string): Promise<void> {
    const known = this.text !== undefined;
    const document = known && this.document ? this.document : await vscode.workspace.openTextDocument({ language: 'markdown' });
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    if (this.document !== document) {
      this.document = document;
      this.listen(document);
    }
    const whole = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
    if (document.getText() !== text) {
      await editor.insertSnippet(toSnippet(text), whole);
    }
  }

  /** Closes the document without asking, after the message was sent. */
  async close(): Promise<void> {
    const { document } = this;
    if (document === undefined || this.text === undefined) {
      return;
    }
    // VS Code closes an empty untitled document without asking to save it.
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length)), '');
    await vscode.workspace.applyEdit(edit);
    await vscode.window.tabGroups.close(tabsOf(document.uri));
    this.dispose();
  }

  dispose(): void {
    this.listening?.dispose();
    this.listening = undefined;
    this.document = undefined;
  }

  private listen({ uri }: vscode.TextDocument): void {
    this.listening?.dispose();
    this.listening = combine(
      vscode.languages.registerCodeLensProvider(
        { scheme: uri.scheme, language: 'markdown' },
        { provideCodeLenses: document => (this.is(document.uri) ? [this.lens(document.uri)] : []) },
      ),
      vscode.workspace.onDidCloseTextDocument(closed => {
        if (closed.uri.toString() === uri.toString()) {
          this.dispose();
        }
      }),
    );
  }

  private lens(uri: vscode.Uri): vscode.CodeLens {
    const title = lensTitle('play', vscode.l10n.t('Start Session with This Message...'));
    return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command: startSession, arguments: [uri] });
  }
}

/** Converts a text to a snippet whose tab stops are the placeholders in braces. */
function toSnippet(text: string): vscode.SnippetString {
  const snippet = new vscode.SnippetString();
  let end = 0;
  for (const place of placeholdersOf(text)) {
    snippet.appendText(text.slice(end, place.start)).appendPlaceholder(text.slice(place.start, place.end));
    end = place.end;
  }
  return snippet.appendText(text.slice(end));
}
