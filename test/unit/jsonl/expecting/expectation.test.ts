import assert from 'node:assert/strict';
import { checksOf, combineExpectations, type Expectation, parseExpectation, unmetOf } from '../../../../src/jsonl/expecting/expectation';

function expectation(fields: object): Expectation {
  const { expectation: parsed, problems } = parseExpectation(JSON.stringify(fields), 3);
  assert.deepEqual(problems, []);
  assert.ok(parsed);
  return parsed;
}

const check = (fields: object, text: string, outputTokens = 10) => [...unmetOf(expectation(fields), { text, outputTokens })][0];

describe('jsonl/expecting/expectation', () => {
  it('checks texts, a pattern, equality, a schema and a token limit', () => {
    assert.equal(check({ contains: 'ell' }, 'hello'), undefined);
    assert.equal(check({ contains: [] }, 'hello'), undefined);
    assert.deepEqual(check({ contains: ['h', 'x'] }, 'hello'), { check: 'contains', expected: 'x', actual: 'hello' });
    assert.equal(check({ pattern: '^h.*o$' }, 'hello'), undefined);
    assert.equal(check({ pattern: '^x' }, 'hello')?.check, 'pattern');
    assert.equal(check({ equals: 'hello' }, 'hello'), undefined);
    assert.deepEqual(check({ equals: 'hello' }, 'hello '), { check: 'equals', expected: 'hello', actual: 'hello ' });
    assert.equal(check({ equals: { a: 1, b: [2] } }, '{"b":[2],"a":1}'), undefined);
    assert.deepEqual(check({ equals: { a: 1 } }, '{"a":2}'), { check: 'equals', expected: '{\n  "a": 1\n}', actual: '{\n  "a": 2\n}' });
    assert.equal(check({ equals: 3 }, 'three')?.actual, 'three');
    assert.equal(check({ json_schema: { type: 'object' } }, '{}'), undefined);
    assert.equal(check({ json_schema: { type: 'object' } }, 'no')?.keyword, 'json');
    assert.deepEqual(check({ json_schema: { properties: { a: { type: 'string' } } } }, '{"a":1}'), {
      check: 'json_schema',
      expected: '"string"',
      actual: '1',
      at: '/a',
      keyword: 'type',
    });
    assert.equal(check({ max_output_tokens: 10 }, ''), undefined);
    assert.deepEqual(check({ max_output_tokens: 9 }, ''), { check: 'max_output_tokens', expected: '9', actual: '10' });
  });

  it('reads JSON from a Markdown block, unless the whole answer must be JSON', () => {
    const fenced = 'Here:\n```json\n{"a":1.0}\n```';
    assert.equal(check({ json_schema: { required: ['a'] } }, fenced), undefined);
    assert.equal(check({ equals: { a: 1 } }, fenced), undefined);
    assert.deepEqual(check({ equals: { a: 2 } }, fenced), { check: 'equals', expected: '{\n  "a": 2\n}', actual: '{\n  "a": 1.0\n}' });
    assert.equal(check({ json: 'strict', json_schema: { required: ['a'] } }, fenced)?.keyword, 'json');
    assert.equal(check({ json: 'strict', equals: { a: 1 } }, fenced)?.check, 'equals');
    assert.equal(check({ json: 'strict' }, fenced)?.keyword, 'json');
    assert.equal(check({ json: 'strict' }, ' {"a":1} '), undefined);
    assert.deepEqual(checksOf(expectation({ json: 'strict' })), ['json_schema']);
    assert.deepEqual(checksOf(expectation({ json: 'strict', equals: { a: 1 } })), ['equals']);
    assert.deepEqual(
      parseExpectation('{"json":"loose"}', 0).problems.map(({ code }) => code),
      ['wrong-value'],
    );
    assert.deepEqual(
      parseExpectation('1.0', 0).problems.map(({ code }) => code),
      ['not-object'],
    );
  });

  it('applies the expectations of all requests unless the own line has others', () => {
    const combined = combineExpectations(
      expectation({ contains: 'a', max_output_tokens: 5 }),
      expectation({ custom_id: 'x', contains: 'b' }),
    );
    assert.deepEqual([combined?.customId, combined?.contains, combined?.maxOutputTokens], ['x', ['b'], 5]);
  });

  it('reports errors of a line, by key', () => {
    const codes = (text: string) => parseExpectation(text, 7).problems.map(({ line, code, name }) => `${line} ${code} ${name}`);
    assert.deepEqual(codes('{'), ['7 not-json ']);
    assert.deepEqual(codes('[]'), ['7 not-object ']);
    assert.deepEqual(codes('{"contain":"x","contains":[1],"max_output_tokens":-1,"custom_id":5}'), [
      '7 unknown-key contain',
      '7 wrong-value contains',
      '7 wrong-value max_output_tokens',
      '7 wrong-value custom_id',
    ]);
    assert.deepEqual(codes('{"pattern":"(","json_schema":{"format":"date"}}'), ['7 bad-pattern (', '7 unknown-keyword format']);
  });
});
