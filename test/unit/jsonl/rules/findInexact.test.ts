import assert from 'node:assert/strict';
import { checkRequestLine } from '../../../../src/jsonl/checking/requestRules';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';
import { sound } from './foundIn';

function found(field: string, number: string): string[] {
  const line = JSON.stringify({ custom_id: 'a', params: { ...sound, [field]: 0 } }).replace(`"${field}":0`, `"${field}":${number}`);
  return checkRequestLine(line, 0, contractRules())
    .problems.filter(({ rule }) => rule !== 'deprecated-field' && rule !== 'number-precision')
    .map(({ rule, severity, start, end }) => `${severity} ${rule} ${line.slice(start, end)}`);
}

describe('jsonl/rules/findInexact', () => {
  it('refuses numbers that only rounding makes right', () => {
    assert.deepEqual(found('max_tokens', '0.99999999999999999999'), ['error wrong-type 0.99999999999999999999']);
    assert.deepEqual(found('max_tokens', '1e-400').sort(), ['error wrong-type 1e-400', 'information zero-max-tokens 1e-400']);
    assert.deepEqual(found('temperature', '1.00000000000000001'), ['error number-out-of-range 1.00000000000000001']);
    assert.deepEqual(found('temperature', '-1e-400'), ['error number-out-of-range -1e-400']);
  });

  it('says nothing of numbers that are right as they are written, and nothing twice', () => {
    for (const number of ['0.99999999999999999999', '1.00000000000000000000', '0.1234567890123456789', '1e-400']) {
      assert.deepEqual(found('temperature', number), [], number);
    }
    assert.deepEqual(found('max_tokens', '9007199254740993'), []);
    assert.equal(found('max_tokens', '1.51234567890123456789').length, 1);
    assert.equal(found('temperature', '1.51234567890123456789').length, 1);
    assert.deepEqual(found('system', '1.00000000000000001').length, 1);
  });
});
