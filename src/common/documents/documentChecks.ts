import * as vscode from 'vscode';
import { Debounce } from '../debounce';
import { combine } from '../disposables';

type Problems = readonly vscode.Diagnostic[];
type ShowProblems = (problems: Problems) => void;

interface DocumentCheck {
  readonly name: string;
  matches(document: vscode.TextDocument): boolean;
  /**
   * Returns the problems of a document. A slow check can report its first problems early with `showEarly`. The problems are dropped if the
   * document changes or is checked again in the meantime.
   */
  find(document: vscode.TextDocument, showEarly: ShowProblems): Problems | Promise<Problems>;
  /** Delay between the last keystroke and the check, in milliseconds. */
  readonly delay: number;
  onFailure?(error: unknown): void;
}

/** Reports the problems of open documents when they open, and shortly after each change. */
export class DocumentChecks implements vscode.Disposable {
  private readonly collection: vscode.DiagnosticCollection;
  private readonly debounce = new Debounce();
  private readonly latest = new WeakMap<vscode.TextDocument, ShowProblems>();
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly check: DocumentCheck) {
    this.collection = vscode.languages.createDiagnosticCollection(check.name);
    this.subscriptions = combine(
      this.collection,
      this.debounce,
      vscode.workspace.onDidOpenTextDocument(document => this.checkSoon(document, 0)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.checkSoon(document, check.delay)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.debounce.cancel(uri.toString());
        this.collection.delete(uri);
      }),
    );
    this.checkAll();
  }

  checkAll(): void {
    for (const document of vscode.workspace.textDocuments) {
      this.checkSoon(document, 0);
    }
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private checkSoon(document: vscode.TextDocument, delay: number): void {
    if (this.check.matches(document)) {
      this.debounce.run(document.uri.toString(), delay, () => {
        this.checkNow(document).catch(error => this.check.onFailure?.(error));
      });
    }
  }

  private async checkNow(document: vscode.TextDocument): Promise<void> {
    const { version } = document;
    const show = (problems: Problems) => {
      if (!document.isClosed && document.version === version && this.latest.get(document) === show) {
        this.collection.set(document.uri, problems);
      }
    };
    this.latest.set(document, show);
    show(document.isClosed ? [] : await this.check.find(document, show));
  }
}

/** Source of all problems that this extension reports. */
export const diagnosticSource = 'managed-agents';

export function createDiagnostic(
  range: vscode.Range,
  message: string,
  severity: vscode.DiagnosticSeverity,
  code?: vscode.Diagnostic['code'],
): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(range, message, severity);
  diagnostic.source = diagnosticSource;
  diagnostic.code = code;
  return diagnostic;
}

export function toRange(document: vscode.TextDocument, { start, end }: { readonly start: number; readonly end: number }): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** Returns the diagnostics of a document that VS Code or other extensions report. */
export function foreignDiagnostics(uri: vscode.Uri): readonly vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => source !== diagnosticSource);
}

/** Calls back when the `foreignDiagnostics` of a matching document change. */
export function onDidChangeForeignDiagnostics(
  matches: (uri: vscode.Uri) => boolean,
  callback: (uri: vscode.Uri) => void,
): vscode.Disposable {
  const known = new Map<string, string>();
  return vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    for (const uri of uris.filter(matches)) {
      const current = JSON.stringify(foreignDiagnostics(uri).map(({ range, message }) => [range, message]));
      if (current !== (known.get(uri.toString()) ?? '[]')) {
        known.set(uri.toString(), current);
        callback(uri);
      }
    }
  });
}
