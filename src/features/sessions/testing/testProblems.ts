import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { Throttle } from '../../../common/lists/throttle';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { findSecretTexts, maskText } from '../../../jsonl/survey/sensitiveText';
import { rangeOf, readTest, testEnding, type TestProblem } from './testDocument';

/** Shows the problems of open test documents: errors that prevent a run, and possible secrets. */
export class TestProblems implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('managedAgents.sessionTest');
  private readonly checking = new Throttle(() => this.checkAll());
  private readonly subscriptions: vscode.Disposable;

  constructor() {
    const soon = (document: vscode.TextDocument) => isTestDocument(document) && this.checking.ask();
    this.subscriptions = combine(
      this.collection,
      this.checking,
      vscode.workspace.onDidOpenTextDocument(soon),
      vscode.workspace.onDidCloseTextDocument(soon),
      vscode.workspace.onDidChangeTextDocument(({ document }) => soon(document)),
      onDidChangeSettings(['managedAgents.editor.problems'], () => this.checking.ask()),
    );
    this.checkAll();
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private checkAll(): void {
    this.collection.clear();
    for (const document of vscode.workspace.textDocuments.filter(isTestDocument)) {
      if (readSetting('managedAgents.editor.problems', document.uri)) {
        this.collection.set(document.uri, problemsOf(document));
      }
    }
  }
}

/** Returns the range of a path in a test document. */
export function toRange(document: vscode.TextDocument, path: TestProblem['path']): vscode.Range {
  const { start, end } = rangeOf(document.getText(), path);
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

function isTestDocument({ uri }: vscode.TextDocument): boolean {
  return uri.scheme === 'file' && uri.path.endsWith(testEnding);
}

function problemsOf(document: vscode.TextDocument): readonly vscode.Diagnostic[] {
  const text = document.getText();
  const secrets = findSecretTexts(text).map(({ start, end }) => {
    const message = vscode.l10n.t('This looks like a secret ({0}). Everyone with this file can read it.', maskText(text.slice(start, end)));
    return toDiagnostic(new vscode.Range(document.positionAt(start), document.positionAt(end)), message, 'secret');
  });
  const { problems } = readTest(text, vscode.l10n.t);
  return [...problems.map(({ path, message }) => toDiagnostic(toRange(document, path), message, 'session-test')), ...secrets];
}

function toDiagnostic(range: vscode.Range, message: string, code: string): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Warning);
  diagnostic.source = 'Managed Agents';
  diagnostic.code = code;
  return diagnostic;
}
