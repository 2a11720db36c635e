import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { createDiagnostic } from '../../../common/documents/documentChecks';
import { isShown, onDidChangeShown } from '../../../common/documents/tabs';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import type { Problem, Severity } from '../../../contract/problem';
import type { OpenRequestFile, RequestDocuments } from '../documents/requestDocuments';
import type { RuleSettings } from '../ruleSettings';
import { shownProblemsLimit, toHiddenProblemsSentence, toProblemSentence } from './problemsPresentation';

/** Tags of diagnostics that editors render differently: deprecated and unnecessary code. */
const tags: ReadonlyMap<string, vscode.DiagnosticTag> = new Map([
  ['deprecated-field', vscode.DiagnosticTag.Deprecated],
  ['deprecated-model', vscode.DiagnosticTag.Deprecated],
  ['stream-in-batch', vscode.DiagnosticTag.Unnecessary],
  ['output-format-twice', vscode.DiagnosticTag.Unnecessary],
]);

/** Shows the problems of request files in the editor and in the Problems view, if the setting is on and a tab shows the file. */
export function registerDiagnostics(documents: RequestDocuments): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('managedAgents');
  const show = ({ checker, document }: OpenRequestFile) => {
    const { uri } = document;
    if (!isShown(uri) || !readSetting('managedAgents.editor.problems', document)) {
      collection.delete(uri);
    } else if (checker !== undefined) {
      const problems = checker.problems(shownProblemsLimit);
      const diagnostics = problems.map(problem => toDiagnostic(problem, uri));
      const hidden = toHiddenProblemsSentence(problems.length, checker.totals.problemCounts, vscode.l10n.t, vscode.env.language);
      if (hidden !== undefined) {
        // Problems are sorted by severity, so no hidden problem is more severe than the last shown problem.
        const severity = severities[problems.at(-1)?.severity ?? 'error'];
        diagnostics.push(createDiagnostic(new vscode.Range(0, 0, 0, 1), hidden, severity, 'more-problems'));
      }
      collection.set(uri, diagnostics);
    }
  };
  return combine(
    collection,
    documents.onDidChange(show),
    documents.onDidClose(({ document: { uri } }) => collection.delete(uri)),
    onDidChangeShown(() =>
      documents
        .all()
        .filter(({ document: { uri } }) => isShown(uri) !== collection.has(uri))
        .forEach(show),
    ),
    onDidChangeSettings(['managedAgents.editor.problems'], () => documents.all().forEach(show)),
  );
}

/** Returns a problem as a diagnostic of `uri`, with a link to the page of its rule. */
export function toDiagnostic(problem: Problem, uri: vscode.Uri): vscode.Diagnostic {
  const range = new vscode.Range(problem.line, problem.start, problem.line, problem.end);
  const message = toProblemSentence(problem.text, vscode.l10n.t);
  const code = { value: problem.rule, target: toRuleUri(problem.rule) };
  const diagnostic = createDiagnostic(range, message, severities[problem.severity], code);
  const tag = tags.get(problem.rule);
  if (tag !== undefined) {
    diagnostic.tags = [tag];
  }
  if (problem.related !== undefined) {
    diagnostic.relatedInformation = problem.related.map(
      ({ line, text }) =>
        new vscode.DiagnosticRelatedInformation(
          new vscode.Location(uri, new vscode.Position(line, 0)),
          toProblemSentence(text, vscode.l10n.t),
        ),
    );
  }
  return diagnostic;
}

const severities: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

const ruleScheme = 'managed-agents-rule';

/** Returns the URI of a rule's page. */
export function toRuleUri(rule: string): vscode.Uri {
  return vscode.Uri.from({ scheme: ruleScheme, path: `/${rule}.md` });
}

/** Provides the pages of rules as read-only Markdown, with their current severity. */
export function registerRulePages({ rules }: { readonly rules: RuleSettings }): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  return combine(
    changed,
    rules.onDidChange(() => {
      for (const { uri } of vscode.workspace.textDocuments) {
        if (uri.scheme === ruleScheme) {
          changed.fire(uri);
        }
      }
    }),
    vscode.workspace.registerTextDocumentContentProvider(ruleScheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: async uri => {
        const { toRulePage } = await import('./rulePagePresentation');
        return toRulePage(uri.path.slice(1, -'.md'.length), rules.options(vscode.window.activeTextEditor?.document.uri), vscode.l10n.t);
      },
    }),
  );
}
