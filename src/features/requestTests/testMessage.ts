import * as vscode from 'vscode';
import { toTestMessage } from '../../common/testing/runTests';
import type { ExpectationProblem, UnmetExpectation } from '../../jsonl/expecting/expectation';
import type { JudgedGroup, JudgedRow } from '../../jsonl/expecting/judgeResults';
import { toStatusName } from '../../shared/results/resultStatus';
import { toLabel } from '../../shared/text';
import type { TestGroup } from './testedFile';

/** Returns a short description of a group. */
export function labelOf(group: TestGroup): string {
  return group.kind === 'missing' ? vscode.l10n.t('Without an answer') : describeGroup(group);
}

/** Returns a message with the reason of a failure, its location (0-based line, -1 for none), and expected and actual text. */
export function toFailureMessage(
  item: vscode.TestItem,
  line: number,
  group: JudgedGroup | undefined,
  detail: JudgedRow | undefined,
): vscode.TestMessage {
  const failure = detail?.failure;
  const text = group === undefined ? vscode.l10n.t('no answer') : describeFailure(group, failure, detail?.text ?? '');
  const isCompared = failure !== undefined && failure.check !== 'max_output_tokens' && failure.check !== 'expectation';
  const location = item.uri !== undefined && line >= 0 ? new vscode.Location(item.uri, new vscode.Position(line, 0)) : undefined;
  return toTestMessage(text, isCompared ? failure : undefined, location);
}

/** Returns a diagnostic for a problem in an expectations file. */
export function toDiagnostic(problem: ExpectationProblem): vscode.Diagnostic {
  const range = new vscode.Range(problem.line, 0, problem.line, Number.MAX_SAFE_INTEGER);
  const text = describeProblem(problem);
  const diagnostic = new vscode.Diagnostic(range, text, vscode.DiagnosticSeverity.Warning);
  diagnostic.source = 'Managed Agents';
  diagnostic.code = problem.code;
  return diagnostic;
}

/** Describes the common outcome of the requests in a group, without their number. */
function describeGroup({ kind, check, errorType, message }: Omit<JudgedGroup, 'count'>): string {
  const { t } = vscode.l10n;
  switch (kind) {
    case 'passed':
      return t('Passed');
    case 'failed':
      return toLabel(message === '' || message === '…' ? (errorType ?? toStatusName(kind, t)) : `${errorType ?? ''}: ${message}`, 160);
    case 'unmet':
      return describeCheck(check, errorType, message);
    default:
      return toStatusName(kind, t);
  }
}

function describeCheck(check: JudgedGroup['check'], keyword: string | undefined, at: string): string {
  const { t } = vscode.l10n;
  const checks: Readonly<Partial<Record<UnmetExpectation['check'], string>>> = {
    contains: t('Missing text'),
    pattern: t('Pattern not matched'),
    equals: t('Unexpected answer'),
    json_schema:
      keyword === 'json'
        ? t('Not valid JSON')
        : t("Doesn't match the schema: {0} at {1}", keyword ?? '', toLabel(at === '' ? '/' : at, 80)),
    max_output_tokens: t('Too many tokens'),
    expectation: keyword === 'too-slow' ? t('Pattern too slow') : t('Invalid check'),
  };
  return (check && checks[check]) ?? t('Not as expected');
}

/** Describes the failure of one request in a sentence. `text` is the error message. */
export function describeFailure(group: JudgedGroup, failure: UnmetExpectation | undefined, text: string): string {
  const { t } = vscode.l10n;
  if (failure === undefined) {
    const kinds: Readonly<Partial<Record<JudgedGroup['kind'], string>>> = {
      cut_short: t('The answer was cut short. Raise max_tokens, or ask for less.'),
      refused: t('The model refused to answer.'),
      canceled: t('Canceled, not charged. Send it again.'),
      expired: t('Expired, not charged. Send it again.'),
      empty: t('The answer is empty.'),
      failed: toLabel(`${group.errorType ?? t('error')}: ${text}`, 1000),
    };
    return kinds[group.kind] ?? describeGroup(group);
  }
  const { check, expected, actual, keyword, at } = failure;
  switch (check) {
    case 'contains':
      return t('The answer doesn\'t contain "{0}".', toLabel(expected, 200));
    case 'pattern':
      return t("The answer doesn't match /{0}/.", toLabel(expected, 200));
    case 'equals':
      return t('Unexpected answer');
    case 'max_output_tokens':
      return t('The answer has {0} tokens. Expected at most {1}.', actual, expected);
    case 'expectation':
      return keyword === 'too-slow' ? t('The pattern is too slow. Simplify it.') : t('The check is invalid. See the Problems view.');
    case 'json_schema':
      return keyword === 'json'
        ? t('Not valid JSON')
        : t(
            "Doesn't match the schema at {0}: {1} expects {2}.",
            toLabel(at === undefined || at === '' ? '/' : at, 200),
            keyword ?? '',
            toLabel(expected, 300),
          );
  }
}

/** Describes a problem in a line of an expectations file. */
export function describeProblem({ code, name }: ExpectationProblem): string {
  const { t } = vscode.l10n;
  const shown = toLabel(name, 200);
  const problems: Readonly<Record<ExpectationProblem['code'], string>> = {
    'not-json': t('Not valid JSON'),
    'not-object': t('Expected a JSON object.'),
    'unknown-key': t('Unknown field "{0}".', shown),
    'bad-pattern': t('Invalid pattern: {0}.', shown),
    'wrong-value': t('This value isn\'t allowed for "{0}".', shown),
    'unknown-keyword': t('This value isn\'t allowed for "{0}".', shown),
    twice: t('An earlier line has the same check.'),
    'no-such-id': t('No request has this ID, or several have it.'),
    'too-slow': t('The pattern is too slow. Simplify it.'),
  };
  return problems[code];
}
