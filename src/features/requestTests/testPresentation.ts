import type { Translate } from '../../common/text/translate';
import type { ExpectationProblem, UnmetExpectation } from '../../jsonl/expecting/expectation';
import type { JudgedGroup } from '../../jsonl/expecting/judgeResults';
import { toStatusName } from '../../shared/results/resultStatus';
import { toLabel } from '../../shared/text';
import type { TestGroup } from './testedFile';

/** Returns a short description of a group. */
export function labelOf(group: TestGroup, t: Translate): string {
  return group.kind === 'missing' ? t('Without an answer') : describeGroup(group, t);
}

/** Describes the common outcome of the requests in a group, without their number. */
function describeGroup({ kind, check, errorType, message }: Omit<JudgedGroup, 'count'>, t: Translate): string {
  switch (kind) {
    case 'passed':
      return t('Passed');
    case 'failed':
      return toLabel(message === '' || message === '…' ? (errorType ?? toStatusName(kind, t)) : `${errorType ?? ''}: ${message}`, 160);
    case 'unmet':
      return describeCheck(check, errorType, message, t);
    default:
      return toStatusName(kind, t);
  }
}

function describeCheck(check: JudgedGroup['check'], keyword: string | undefined, at: string, t: Translate): string {
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
export function describeFailure(group: JudgedGroup, failure: UnmetExpectation | undefined, text: string, t: Translate): string {
  if (failure === undefined) {
    const kinds: Readonly<Partial<Record<JudgedGroup['kind'], string>>> = {
      cut_short: t('The answer was cut short. Raise max_tokens, or ask for less.'),
      refused: t('The model refused to answer.'),
      canceled: t('Canceled, not charged. Send it again.'),
      expired: t('Expired, not charged. Send it again.'),
      empty: t('The answer is empty.'),
      failed: toLabel(`${group.errorType ?? t('error')}: ${text}`, 1000),
    };
    return kinds[group.kind] ?? describeGroup(group, t);
  }
  const { check, expected, actual, keyword = '', at } = failure;
  const mismatch = t("Doesn't match the schema at {0}: {1} expects {2}.", toLabel(at || '/', 200), keyword, toLabel(expected, 300));
  return {
    contains: t('The answer doesn\'t contain "{0}".', toLabel(expected, 200)),
    pattern: t("The answer doesn't match /{0}/.", toLabel(expected, 200)),
    equals: t('Unexpected answer'),
    max_output_tokens: t('The answer has {0} tokens. Expected at most {1}.', actual, expected),
    expectation: keyword === 'too-slow' ? t('The pattern is too slow. Simplify it.') : t('The check is invalid. See the Problems view.'),
    json_schema: keyword === 'json' ? t('Not valid JSON') : mismatch,
  }[check];
}

/** Describes a problem in a line of an expectations file. */
export function describeProblem({ code, name }: ExpectationProblem, t: Translate): string {
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
