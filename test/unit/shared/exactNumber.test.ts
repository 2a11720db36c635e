import assert from 'node:assert/strict';
import { checkRequestLine } from '../../../src/jsonl/checking/requestRules';
import { contractRules } from '../../../src/jsonl/rules/ruleOptions';
import { compareNumbers, isExactNumber, isMultipleOf, isWholeNumber, toNormalNumber } from '../../../src/shared/exactNumber';
import { foundIn } from '../jsonl/rules/foundIn';

describe('shared/exactNumber', () => {
  it('recognizes numbers that keep their value', () => {
    for (const text of [
      '0',
      '-0',
      '0.0',
      '1.0',
      '1.50',
      '0.1',
      '9007199254740991',
      '9007199254740992',
      '-9007199254740994',
      '1e308',
      '1E+2',
      '0.30000000000000004',
      '100000000000000000000',
      '5e-324',
      '1.7976931348623157e308',
      '0e99999',
      '0.000e-500',
      '123456789012345.0',
      '1.0000000000000000000',
    ]) {
      assert.equal(isExactNumber(text), true, text);
    }
  });

  it('recognizes numbers that JavaScript changes', () => {
    for (const text of [
      '9007199254740993',
      '-9007199254740993',
      '12345678901234567890',
      '1e309',
      '-1e309',
      '1e-400',
      '0.1234567890123456789',
      '4e-324',
      `1e-${'9'.repeat(5000)}`,
      `1e${'9'.repeat(5000)}`,
    ]) {
      assert.equal(isExactNumber(text), false, text.slice(0, 40));
    }
  });

  it('compares and recognizes whole numbers by their digits', () => {
    for (const [text, bound, expected] of [
      ['1.00000000000000001', 1, 1],
      ['0.99999999999999999999', 1, -1],
      ['1.000', 1, 0],
      ['10e-1', 1, 0],
      ['1e-400', 0, 1],
      ['-1e-400', 0, -1],
      ['-0.0', 0, 0],
      ['-1.00000000000000001', -1, -1],
      ['1023.99999999999999999999', 1024, -1],
      ['0.98999999999999999999', 0.99, -1],
    ] as const) {
      assert.equal(compareNumbers(text, String(bound)), expected, text);
    }
    for (const [text, expected] of [
      ['1.0', true],
      ['0.00', true],
      ['1e3', true],
      ['1.50e1', true],
      ['15e-1', false],
      ['0.99999999999999999999', false],
      ['1e-400', false],
    ] as const) {
      assert.equal(isWholeNumber(text), expected, text);
    }
  });

  it('compares numbers that are equal as doubles', () => {
    assert.equal(compareNumbers('9007199254740993', '9007199254740992'), 1);
    assert.equal(compareNumbers('1e400', '2e400'), -1);
    assert.equal(compareNumbers('1e400', '10e399'), 0);
    assert.equal(toNormalNumber('0.10'), toNormalNumber('1e-1'));
    assert.equal(toNormalNumber('-0.0'), toNormalNumber('0'));
    assert.notEqual(toNormalNumber('1e400'), toNormalNumber('2e400'));
  });

  it('finds multiples by their digits', () => {
    assert.equal(isMultipleOf('0.3', '0.1'), true);
    assert.equal(isMultipleOf('9007199254740993', '2'), false);
    assert.equal(isMultipleOf('9007199254740994', '2'), true);
    assert.equal(isMultipleOf('1e400', '3'), false);
    assert.equal(isMultipleOf('1e999999999', '3'), false);
    assert.equal(isMultipleOf('0', '3'), true);
  });

  it('finds such a number anywhere, with the value it would become', () => {
    const line = '{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"x"}],"metadata":{"n":[9007199254740993]}}';
    const [problem, ...others] = checkRequestLine(line, 0, contractRules()).problems;
    assert.deepEqual(others, []);
    assert.deepEqual([problem?.rule, problem?.severity, problem?.path.join('.')], ['number-precision', 'information', 'metadata.n.0']);
    assert.equal(line.slice(problem?.start, problem?.end), '9007199254740993');
    assert.deepEqual(problem?.text.args, ['9007199254740992']);
    assert.deepEqual(foundIn('number-precision', { metadata: { n: 0.1 } }), []);
  });
});
