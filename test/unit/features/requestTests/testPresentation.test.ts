import assert from 'node:assert/strict';
import { describeFailure, describeProblem, labelOf } from '../../../../src/features/requestTests/testPresentation';
import { fillPlaceholders } from '../requests/fillPlaceholders';

describe('features/requestTests/testPresentation', () => {
  const group = { check: undefined, errorType: undefined, message: '', count: 1 } as const;

  it("names causes, and makes the service's control characters visible", () => {
    const error = { ...group, kind: 'failed', errorType: 'api_error', message: 'bad \u202e' } as const;
    assert.equal(labelOf({ ...error, number: 1 }, fillPlaceholders), 'api_error: bad \\u{202e}');
    assert.equal(
      labelOf({ ...group, kind: 'unmet', check: 'json_schema', errorType: 'type', message: '/a', number: 1 }, fillPlaceholders),
      "Doesn't match the schema: type at /a",
    );
    assert.equal(describeFailure(error, undefined, 'bad 1', fillPlaceholders), 'api_error: bad 1');
  });

  it('shows the expected value and what to fix', () => {
    const unmet = { ...group, kind: 'unmet' } as const;
    assert.equal(
      describeFailure(unmet, { check: 'max_output_tokens', expected: '9', actual: '10' }, '', fillPlaceholders),
      'The answer has 10 tokens. Expected at most 9.',
    );
    assert.equal(
      describeFailure(unmet, { check: 'json_schema', expected: '"string"', actual: '1', keyword: 'type', at: '/a' }, '', fillPlaceholders),
      `Doesn't match the schema at /a: type expects "string".`,
    );
    assert.equal(describeProblem({ line: 0, code: 'twice', name: 'a' }, fillPlaceholders), 'An earlier line has the same check.');
  });
});
