import type * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { DocumentChecks, foreignDiagnostics, onDidChangeForeignDiagnostics, toRange } from '../../../common/documents/documentChecks';
import { isShown, onDidChangeShown } from '../../../common/documents/tabs';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { checkRequestLine } from '../../../jsonl/checking/requestRules';
import { OffsetMap } from '../../../jsonl/pretty/offsetMap';
import { toLine } from '../../../jsonl/pretty/prettyLine';
import type { RuleOptions } from '../../../jsonl/rules/ruleOptions';
import { toDiagnostic } from '../checking/requestDiagnostics';
import { requestScheme } from '../documents/requestFile';
import type { EditingDependencies } from '../fileWork';

/** Problems that VS Code's JSON service reports in every JSON document. In requests, it uses the schema only for completions and hovers. */
const jsonRules: ReadonlySet<string> = new Set(['json-syntax', 'duplicate-key']);

/**
 * Shows the problems of single request documents, except problems that VS Code's JSON service already shows. Uses the settings of the
 * source, which `sourceOf` returns for a document.
 */
export function registerLensProblems(
  { rules }: EditingDependencies,
  sourceOf: (uri: vscode.Uri) => vscode.Uri | undefined,
): vscode.Disposable {
  const isRequest = ({ scheme }: vscode.Uri) => scheme === requestScheme;
  const checks = new DocumentChecks({
    name: 'managedAgentsRequest',
    matches: ({ uri }) => isRequest(uri),
    delay: 250,
    find: document => {
      const { uri } = document;
      const source = sourceOf(uri);
      if (!isShown(uri) || !readSetting('managedAgents.editor.problems', source)) {
        return [];
      }
      const others = foreignDiagnostics(uri);
      return problemsOf(document, rules.options(source)).filter(diagnostic => !isReportedByOther(diagnostic, others));
    },
  });
  const check = () => checks.checkAll();
  return combine(
    checks,
    onDidChangeShown(check),
    onDidChangeForeignDiagnostics(isRequest, check),
    onDidChangeSettings(['managedAgents.editor.problems'], check),
    rules.onDidChange(check),
  );
}

function problemsOf(document: vscode.TextDocument, options: RuleOptions): vscode.Diagnostic[] {
  const text = document.getText();
  const result = toLine(text, '');
  // An unclosed string has no line. The JSON service reports it.
  const line = 'line' in result ? result.line : '';
  const { problems } = checkRequestLine(line, 0, options);
  if (problems.length === 0) {
    return [];
  }
  const map = OffsetMap.between(line, text);
  return problems.map(problem => {
    const start = map.map(problem.start);
    const end = problem.end > problem.start ? map.map(problem.end - 1) + 1 : start;
    const diagnostic = toDiagnostic(problem, document.uri);
    diagnostic.range = toRange(document, { start, end });
    return diagnostic;
  });
}

/**
 * Returns whether another diagnostic of at least this severity reports the same problem. The ranges must intersect, except for broken
 * syntax, because parsers report different positions.
 */
function isReportedByOther({ code, range, severity }: vscode.Diagnostic, others: readonly vscode.Diagnostic[]): boolean {
  const rule = String(typeof code === 'object' ? code.value : code);
  return (
    jsonRules.has(rule) &&
    others.some(other => other.severity <= severity && (rule === 'json-syntax' || other.range.intersection(range) !== undefined))
  );
}
