import * as vscode from 'vscode';
import { toTestMessage } from '../../common/testing/runTests';
import type { ExpectationProblem, JudgedGroup, JudgedRow } from '../../jsonl/expecting/expectingJobs';
import type { TestGroup } from './testedFile';
import { describeFailure, describeGroup, describeProblem } from './testPresentation';

/** Returns a short description of a group. */
export function labelOf(group: TestGroup): string {
  return group.kind === 'missing'
    ? vscode.l10n.t('Without an answer')
    : describeGroup(group, { translate: vscode.l10n.t, locale: vscode.env.language });
}

/** Returns a message with the reason of a failure, its location (0-based line, -1 for none), and expected and actual text. */
export function toFailureMessage(
  item: vscode.TestItem,
  line: number,
  group: JudgedGroup | undefined,
  detail: JudgedRow | undefined,
): vscode.TestMessage {
  const context = { translate: vscode.l10n.t, locale: vscode.env.language };
  const failure = detail?.failure;
  const text = group === undefined ? vscode.l10n.t('no answer') : describeFailure(group, failure, detail?.text ?? '', context);
  const isCompared = failure !== undefined && failure.check !== 'max_output_tokens' && failure.check !== 'expectation';
  const location = item.uri !== undefined && line >= 0 ? new vscode.Location(item.uri, new vscode.Position(line, 0)) : undefined;
  return toTestMessage(text, isCompared ? failure : undefined, location);
}

/** Returns a diagnostic for a problem in an expectations file. */
export function toDiagnostic(problem: ExpectationProblem): vscode.Diagnostic {
  const range = new vscode.Range(problem.line, 0, problem.line, Number.MAX_SAFE_INTEGER);
  const text = describeProblem(problem, { translate: vscode.l10n.t, locale: vscode.env.language });
  const diagnostic = new vscode.Diagnostic(range, text, vscode.DiagnosticSeverity.Warning);
  diagnostic.source = 'Managed Agents';
  diagnostic.code = problem.code;
  return diagnostic;
}
