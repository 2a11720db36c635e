import assert from 'node:assert/strict';
import { parseRule } from '../../../../../src/features/sessions/rules/approvalRule';
import { ruleOf } from './ruleFixtures';

describe('features/sessions/rules/approvalRule', () => {
  it('reads rules of the earlier form narrower where they allow, and as they were where they deny', () => {
    const read = (words: string, result: 'allow' | 'deny') =>
      parseRule(JSON.stringify(ruleOf({ result, fields: [{ field: 'command', match: 'command', words }] }))).fields;
    assert.deepEqual(read('npm test', 'allow'), [{ field: 'command', match: 'equals', value: 'npm test' }]);
    assert.deepEqual(read('ls --time', 'allow'), [{ field: 'command', match: 'equals', value: 'ls --time' }]);
    assert.deepEqual(read('ls -la', 'allow'), [{ field: 'command', match: 'command', words: 'ls -la' }]);
    assert.deepEqual(read('ls -la', 'deny'), [{ field: 'command', match: 'anyArguments', words: 'ls -la' }]);
  });
});
