import assert from 'node:assert/strict';
import type { Problem } from '../../../../../src/contract/problem';
import {
  errorsOfRequest,
  toHiddenProblemsSentence,
  toProblemSentence,
} from '../../../../../src/features/requests/checking/problemsPresentation';
import { toProblemCount } from '../../../../../src/shared/text';
import { fillPlaceholders } from '../fillPlaceholders';

const none = { error: 0, warning: 0, information: 0, hint: 0 };

describe('features/requests/checking/problemsPresentation', () => {
  it('counts the problems in the Problems view by severity', () => {
    assert.equal(toProblemCount(none, fillPlaceholders), 'No problems');
    assert.equal(toProblemCount({ ...none, error: 1, hint: 5 }, fillPlaceholders), '1 error, 5 hints');
    assert.equal(
      toProblemCount({ ...none, error: 1000, warning: 234, information: 2 }, fillPlaceholders, 'en'),
      '1,000 errors, 234 warnings, 2 infos',
    );
  });

  it('counts hidden problems, and links to them', () => {
    assert.equal(toHiddenProblemsSentence(5, { ...none, error: 5 }, fillPlaceholders), undefined);
    assert.match(
      toHiddenProblemsSentence(999, { ...none, error: 2000 }, fillPlaceholders, 'en') ?? '',
      /^1,001 more problems.*Check Request File/,
    );
  });

  it('shows invisible characters of quoted values as escapes', () => {
    assert.equal(toProblemSentence({ template: 'Other use of {0}', args: ['a\u202e'] }, fillPlaceholders), 'Other use of a\\u{202e}');
  });

  it('ignores id and stream for a single run', () => {
    const problem = (severity: Problem['severity'], ...path: string[]): Problem => ({
      rule: 'r',
      severity,
      text: { template: '', args: [] },
      line: 0,
      start: 0,
      end: 1,
      path,
    });
    const model = problem('error', 'params', 'model');
    const problems = [problem('error', 'custom_id'), model, problem('warning', 'params', 'x'), problem('error', 'params', 'stream')];
    assert.deepEqual(errorsOfRequest(problems), [model]);
  });
});
