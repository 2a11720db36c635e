import type { PresentationContext } from '../../common/text/presentation';
import type { ExpectationProblem, JudgedGroup, UnmetExpectation } from '../../jsonl/expecting/expectingJobs';
import { toStatusName } from '../../shared/results/resultStatus';
import { toLabel } from '../../shared/text';

type Context = Pick<PresentationContext, 'translate' | 'locale'>;

/** Describes the common outcome of the requests in a group, without their number. */
export function describeGroup({ kind, check, errorType, message }: Omit<JudgedGroup, 'count'>, { translate }: Context): string {
  switch (kind) {
    case 'passed':
      return translate('Passed');
    case 'failed':
      return toLabel(
        message === '' || message === '…' ? (errorType ?? toStatusName(kind, translate)) : `${errorType ?? ''}: ${message}`,
        160,
      );
    case 'unmet':
      return describeCheck({ check, keyword: errorType, at: message }, { translate });
    default:
      return toStatusName(kind, translate);
  }
}

function describeCheck(
  { check, keyword, at = '' }: { readonly check: JudgedGroup['check']; readonly keyword: string | undefined; readonly at?: string },
  { translate }: Pick<Context, 'translate'>,
): string {
  const checks: Readonly<Partial<Record<UnmetExpectation['check'], string>>> = {
    contains: translate('Missing text'),
    pattern: translate('Pattern not matched'),
    equals: translate('Not the expected answer'),
    json_schema:
      keyword === 'json'
        ? translate('Not valid JSON')
        : translate("Doesn't match the schema: {0} at {1}", keyword ?? '', toLabel(at === '' ? '/' : at, 80)),
    max_output_tokens: translate('Too many tokens'),
    expectation: keyword === 'too-slow' ? translate('Pattern takes too long') : translate('Invalid check'),
  };
  return (check && checks[check]) ?? translate('Not as expected');
}

/** Describes the failure of one request in a sentence. `text` is the error message. */
export function describeFailure(group: JudgedGroup, failure: UnmetExpectation | undefined, text: string, context: Context): string {
  const { translate } = context;
  if (failure === undefined) {
    const kinds: Readonly<Partial<Record<JudgedGroup['kind'], string>>> = {
      cut_short: translate('The answer was cut short. Raise max_tokens, or ask for less.'),
      refused: translate('The model refused to answer.'),
      canceled: translate('Canceled, not charged. Send it again.'),
      expired: translate('Expired, not charged. Send it again.'),
      empty: translate('The answer is empty.'),
      failed: toLabel(`${group.errorType ?? translate('error')}: ${text}`, 1000),
    };
    return kinds[group.kind] ?? describeGroup(group, context);
  }
  const { check, expected, actual, keyword, at } = failure;
  switch (check) {
    case 'contains':
      return translate('The answer does not contain “{0}”.', toLabel(expected, 200));
    case 'pattern':
      return translate('The answer does not match /{0}/.', toLabel(expected, 200));
    case 'equals':
      return translate('Not the expected answer');
    case 'max_output_tokens':
      return translate('The answer has {0} tokens. Expected at most {1}.', actual, expected);
    case 'expectation':
      return keyword === 'too-slow'
        ? translate('The pattern takes too long. Simplify it.')
        : translate('The check is invalid. See the Problems view.');
    case 'json_schema':
      return keyword === 'json'
        ? translate('Not valid JSON')
        : translate(
            "Doesn't match the schema at {0}: {1} expects {2}.",
            toLabel(at === undefined || at === '' ? '/' : at, 200),
            keyword ?? '',
            toLabel(expected, 300),
          );
  }
}

/** Describes a problem in a line of an expectations file. */
export function describeProblem({ code, name }: ExpectationProblem, { translate }: Context): string {
  const shown = toLabel(name, 200);
  const problems: Readonly<Record<ExpectationProblem['code'], string>> = {
    'not-json': translate('Not valid JSON'),
    'not-object': translate('Expected a JSON object.'),
    'unknown-key': translate('Unknown field "{0}".', shown),
    'bad-pattern': translate('Invalid pattern: {0}.', shown),
    'wrong-value': translate('This value isn\'t allowed for "{0}".', shown),
    'unknown-keyword': translate('This value isn\'t allowed for "{0}".', shown),
    twice: translate('An earlier line has this check too.'),
    'no-such-id': translate('No request has this ID, or several have it.'),
    'too-slow': translate('The pattern takes too long. Simplify it.'),
  };
  return problems[code];
}
