import * as vscode from 'vscode';
import { maxMemoryBytes } from '../../../contract/memoryPath';
import { describeTooLarge } from './memoryLimits';
import { memoryScheme } from './memoryLocation';

/** Reports a problem while the user types if a memory exceeds the service's size limit. */
export function watchMemorySizes(): vscode.Disposable {
  const problems = vscode.languages.createDiagnosticCollection('managed-agents-memory');
  const look = (document: vscode.TextDocument) => {
    if (document.uri.scheme !== memoryScheme) {
      return;
    }
    const text = document.getText();
    // A UTF-16 code unit takes at most three bytes.
    const bytes = text.length * 3 > maxMemoryBytes ? Buffer.byteLength(text) : 0;
    const message = describeTooLarge(bytes, vscode.l10n.t, vscode.env.language);
    const end = document.lineAt(document.lineCount - 1).range.end;
    problems.set(document.uri, message === undefined ? [] : [toProblem(placeBehind(document, text) ?? end, end, message)]);
  };
  for (const document of vscode.workspace.textDocuments) {
    look(document);
  }
  return vscode.Disposable.from(
    problems,
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => uri.scheme === memoryScheme && problems.delete(uri)),
  );
}

/** Returns the position at which a text exceeds the limit. */
function placeBehind(document: vscode.TextDocument, text: string): vscode.Position | undefined {
  const start = Buffer.from(text).subarray(0, maxMemoryBytes).toString('utf8');
  return document.positionAt(Math.min(start.length, text.length - 1));
}

function toProblem(from: vscode.Position, end: vscode.Position, message: string): vscode.Diagnostic {
  const problem = new vscode.Diagnostic(new vscode.Range(from, end), message, vscode.DiagnosticSeverity.Error);
  problem.source = 'Managed Agents';
  return problem;
}
