import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';

/** Range of a report's text that links to a position in its source file. All numbers are 0-based. */
export interface ReportLink {
  readonly reportLine: number;
  /** Column in the report. 0 by default. */
  readonly start?: number;
  readonly length: number;
  readonly line: number;
  readonly column: number;
}

export interface Report {
  readonly text: string;
  readonly links: readonly ReportLink[];
}

/** Shows reports about files as read-only documents in a tab to the side, with links to positions in the file. */
export class ReportDocuments implements vscode.DocumentLinkProvider, vscode.Disposable {
  private readonly documents: ReadonlyDocuments;
  private readonly links = new Map<string, { readonly source: vscode.Uri; readonly links: readonly ReportLink[] }>();
  private readonly subscriptions: vscode.Disposable;

  constructor(scheme: string) {
    this.documents = new ReadonlyDocuments(scheme);
    this.subscriptions = combine(
      this.documents,
      vscode.languages.registerDocumentLinkProvider({ scheme }, this),
      this.documents.onDidClose(uri => this.links.delete(uri.toString())),
    );
  }

  /** Shows a report about `source` in a tab named `name`. */
  async show(name: string, source: vscode.Uri, { text, links }: Report): Promise<void> {
    const uri = this.documents.create(`${name}.txt`, text);
    this.links.set(uri.toString(), { source, links });
    const shown = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(shown, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const report = this.links.get(document.uri.toString());
    return (report?.links ?? []).map(({ reportLine, start = 0, length, line, column }) => {
      const range = new vscode.Range(reportLine, start, reportLine, start + length);
      return new vscode.DocumentLink(range, report?.source.with({ fragment: `L${line + 1},${column + 1}` }));
    });
  }

  dispose(): void {
    this.subscriptions.dispose();
    this.links.clear();
  }
}
