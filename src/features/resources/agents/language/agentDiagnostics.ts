import * as vscode from 'vscode';
import { combine } from '../../../../common/disposables';
import { createDiagnostic, DocumentChecks, toRange } from '../../../../common/documents/documentChecks';
import { onDidChangeSettings, readSetting } from '../../../../common/settings';
import { parseResourceUri } from '../../documents/resourceUri';
import { findProblems, groupsOf } from './agentProblems';
import { readReferences } from './agentReferences';
import { incompleteCacheDuration, noNames, type ServiceNames } from './serviceNames';

/** Maximum length of an agent document, in characters. Larger documents are ignored. */
const maxCharacters = 2_000_000;

/**
 * Reports problems in visible, editable agent documents: at once those of the text itself, and later names that the service lacks.
 * `connectionOf` returns the connection against which a document is checked.
 */
export function createAgentDiagnostics(
  names: ServiceNames,
  documents: vscode.DocumentSelector,
  connectionOf: (document: vscode.TextDocument) => string | undefined,
) {
  const checks = new DocumentChecks({
    name: 'managedAgents.agent',
    matches: document => vscode.languages.match(documents, document) > 0 && isEditable(document),
    delay: 250,
    find: async (document, showEarly) => {
      const isVisible = vscode.window.visibleTextEditors.some(editor => editor.document === document);
      if (!isVisible || !readSetting('managedAgents.editor.problems', document.uri)) {
        return [];
      }
      const read = readReferences(document.getText());
      const connection = connectionOf(document);
      const problems = () =>
        findProblems(read, connection === undefined ? noNames : names.known(connection), connection ?? '', vscode.l10n.t);
      const toDiagnostics = () =>
        problems().map(problem => createDiagnostic(toRange(document, problem), problem.message, vscode.DiagnosticSeverity.Warning));
      if (connection !== undefined) {
        showEarly(toDiagnostics());
        await names.refresh(connection, groupsOf(read));
        // Reads lists again that lack a name: it may have been created since they were read.
        const lacking = problems().flatMap(problem => problem.lacking ?? []);
        await names.refresh(connection, lacking, incompleteCacheDuration);
      }
      return document.isClosed ? [] : toDiagnostics();
    },
  });
  const checkAll = () => checks.checkAll();
  const subscriptions = combine(
    checks,
    vscode.window.onDidChangeVisibleTextEditors(checkAll),
    onDidChangeSettings(['managedAgents.editor.problems'], checkAll),
  );
  return { checkAll, dispose: () => subscriptions.dispose() };
}

/** Returns whether a document is an editable agent: problems of an old version can't be fixed. */
function isEditable(document: vscode.TextDocument): boolean {
  const location = parseResourceUri(document.uri);
  return !(location?.view === 'edit' && location.reference.kind === 'agentVersion') && document.getText().length <= maxCharacters;
}
