import * as vscode from 'vscode';

const scheme = 'managed-agents-connection';

/** Reports of connection tests as read-only documents: nothing to save, and a new report takes the place of the old one. */
export class TestReportDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly reports = new Map<string, string>();
  // Before the registration, which looks for it.
  readonly onDidChange = this.changed.event;
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.reports.get(uri.query) ?? '';
  }

  /** Shows the report of a connection. */
  async show(connection: string, report: string): Promise<void> {
    const path = `/${vscode.l10n.t('Connection Test')}.txt`;
    const uri = vscode.Uri.from({ scheme, path, query: connection });
    this.reports.set(uri.query, report);
    this.changed.fire(uri);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
    this.reports.clear();
  }
}
