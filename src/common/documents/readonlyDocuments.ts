import * as vscode from 'vscode';
import { isInTab, urisOf } from './tabs';

/** Read-only documents of one scheme. The texts of open documents are in memory. */
export class ReadonlyDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly closed = new vscode.EventEmitter<vscode.Uri>();
  private readonly subscriptions: vscode.Disposable;
  private count = 0;
  readonly onDidChange = this.changed.event;
  /** Fires when the last tab of a document was closed and its text was dropped. */
  readonly onDidClose = this.closed.event;

  /** `lostText` returns the text for a document that a reloaded window restores without its text. */
  constructor(
    private readonly scheme: string,
    private readonly lostText = () => vscode.l10n.t('This document has expired. Run the command again.'),
  ) {
    this.subscriptions = vscode.Disposable.from(
      ...[this.changed, this.closed],
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      // VS Code requests the text before it opens the document, and ignores change events until the document is open.
      vscode.workspace.onDidOpenTextDocument(({ uri }) => this.texts.has(uri.toString()) && this.changed.fire(uri)),
      vscode.window.tabGroups.onDidChangeTabs(event => this.release(event.closed)),
    );
  }

  /** Creates a unique URI whose last part is `name`, which tabs show. */
  create(name: string, text: string): vscode.Uri {
    const path = `/${++this.count}/${name.replace(/[^\p{L}\p{N}_. ()-]/gu, '_')}`;
    const uri = vscode.Uri.from({ scheme: this.scheme, path });
    this.texts.set(uri.toString(), text);
    return uri;
  }

  /** Replaces the text of a document that is open or is being opened. */
  update(uri: vscode.Uri, text: string): void {
    if (this.texts.has(uri.toString())) {
      this.texts.set(uri.toString(), text);
      this.changed.fire(uri);
    }
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? this.lostText();
  }

  private release(tabs: readonly vscode.Tab[]): void {
    for (const uri of tabs.flatMap(({ input }) => urisOf(input))) {
      if (uri.scheme === this.scheme && !isInTab(uri) && this.texts.delete(uri.toString())) {
        this.closed.fire(uri);
      }
    }
  }

  dispose(): void {
    this.subscriptions.dispose();
    this.texts.clear();
  }
}
