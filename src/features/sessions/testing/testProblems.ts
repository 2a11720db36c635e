import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { createDiagnostic, DocumentChecks, toRange } from '../../../common/documents/documentChecks';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { findSecretTexts, maskText } from '../../../jsonl/survey/sensitiveText';
import { rangeIn } from './runOn';
import { readTest, testEnding } from './testDocument';

/** Shows the problems of open test documents: errors that prevent a run, and possible secrets. */
export function registerTestProblems(): vscode.Disposable {
  const checks = new DocumentChecks({
    name: 'managedAgents.sessionTest',
    matches: ({ uri }) => uri.scheme === 'file' && uri.path.endsWith(testEnding),
    delay: 50,
    find: document => (readSetting('managedAgents.editor.problems', document.uri) ? problemsOf(document) : []),
  });
  return combine(
    checks,
    onDidChangeSettings(['managedAgents.editor.problems'], () => checks.checkAll()),
  );
}

function problemsOf(document: vscode.TextDocument): readonly vscode.Diagnostic[] {
  const text = document.getText();
  const { Warning } = vscode.DiagnosticSeverity;
  const secrets = findSecretTexts(text).map(found => {
    const secret = maskText(text.slice(found.start, found.end));
    const message = vscode.l10n.t('This looks like a secret ({0}). Anyone with this file can read it.', secret);
    return createDiagnostic(toRange(document, found), message, Warning, 'secret');
  });
  const { problems } = readTest(text, vscode.l10n.t);
  return [...problems.map(({ path, message }) => createDiagnostic(rangeIn(document, path), message, Warning, 'session-test')), ...secrets];
}
