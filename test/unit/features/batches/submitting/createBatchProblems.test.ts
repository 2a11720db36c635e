import assert from 'node:assert/strict';
import type { Problem } from '../../../../../src/contract/problem';
import { isForTheServiceToJudge } from '../../../../../src/features/batches/submitting/createBatchProblems';
import { checkRequestLine } from '../../../../../src/jsonl/checking/requestRules';
import { contractRules } from '../../../../../src/jsonl/rules/ruleOptions';

const good = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'x' }] };

function judges(problems: readonly Problem[], error = problems.filter(({ severity }) => severity === 'error').length): boolean {
  return isForTheServiceToJudge({ problems, problemCounts: { error, warning: 0, information: 0, hint: 0 } });
}

function judgesLine(line: object | string): boolean {
  return judges(checkRequestLine(typeof line === 'string' ? line : JSON.stringify(line), 0, contractRules()).problems);
}

describe('features/batches/submitting/createBatchProblems', () => {
  it('leaves values inside params to the service', () => {
    assert.equal(judgesLine({ custom_id: 'a', params: { ...good, max_tokens: -1 } }), true);
    assert.equal(judgesLine({ custom_id: 'a', params: { ...good, new_field: 1 } }), true);
    assert.equal(judgesLine({ custom_id: 'a', params: { max_tokens: 1, messages: [] } }), true);
    assert.equal(judgesLine({ ...good, max_tokens: 'many' }), true);
  });

  it('never sends a line that is no request, or whose id or shape is wrong', () => {
    assert.equal(judgesLine('{"custom_id":"a","params":'), false);
    assert.equal(judgesLine('{"custom_id":"a","params":{"model":"m","model":"n","max_tokens":1,"messages":[]}}'), false);
    assert.equal(judgesLine('[]'), false);
    assert.equal(judgesLine({ custom_id: 'not allowed', params: good }), false);
    assert.equal(judgesLine({ custom_id: 'a', params: 5 }), false);
    assert.equal(judgesLine({ custom_id: 'a', prams: good }), false);
  });

  it('does not speak for errors that the report does not list, nor for a file without any', () => {
    const { problems } = checkRequestLine(JSON.stringify({ custom_id: 'a', params: { ...good, max_tokens: -1 } }), 0, contractRules());
    assert.equal(judges(problems, 2), false);
    assert.equal(judges([]), false);
  });
});
