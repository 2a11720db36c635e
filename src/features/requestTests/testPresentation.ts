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
  switch (check) {
    case 'contains':
      return translate('Missing text');
    case 'pattern':
      return translate('Pattern not matched');
    case 'equals':
      return translate('Not the expected answer');
    case 'json_schema':
      return keyword === 'json'
        ? translate('Not valid JSON')
        : translate("Doesn't match the schema: {0} at {1}", keyword ?? '', toLabel(at === '' ? '/' : at, 80));
    case 'max_output_tokens':
      return translate('Too many tokens');
    case 'expectation':
      return keyword === 'too-slow' ? translate('Pattern takes too long') : translate('Invalid check');
    default:
      return translate('Not as expected');
  }
}

/** Describes the failure of one request in a sentence. `text` is the error message. */
export function describeFailure(group: JudgedGroup, failure: UnmetExpectation | undefined, text: string, context: Context): string {
  const { translate } = context;
  if (failure === undefined) {
    switch (group.kind) {
      case 'cut_short':
        return translate('The answer was cut short. Raise max_tokens, or ask for less.');
      case 'refused':
        return translate('The model refused to answer.');
      case 'canceled':
        return translate('Canceled, not charged. Send it again.');
      case 'expired':
        return translate('Expired, not charged. Send it again.');
      case 'empty':
        return translate('The answer is empty.');
      case 'failed':
        return toLabel(`${group.errorType ?? translate('error')}: ${text}`, 1000);
      default:
        return describeGroup(group, context);
    }
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
  switch (code) {
    case 'not-json':
      return translate('Not valid JSON');
    case 'not-object':
      return translate('Expected a JSON object.');
    case 'unknown-key':
      return translate('Unknown field "{0}".', shown);
    case 'bad-pattern':
      return translate('Invalid pattern: {0}.', shown);
    case 'wrong-value':
    case 'unknown-keyword':
      return translate('This value isn\'t allowed for "{0}".', shown);
    case 'twice':
      return translate('An earlier line has this check too.');
    case 'no-such-id':
      return translate('No request has this ID, or several have it.');
    case 'too-slow':
      return translate('The pattern takes too long. Simplify it.');
  }
}
