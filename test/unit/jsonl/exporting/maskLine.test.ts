import assert from 'node:assert/strict';
import fc from 'fast-check';
import { maskLine } from '../../../../src/jsonl/exporting/maskLine';
import { toMaskedJson } from '../../../../src/shared/maskedJson';
import { runs } from '../../../helpers/runs';

describe('jsonl/exporting/maskLine', () => {
  const cases: readonly (readonly [name: string, line: string, masked: string])[] = [
    ['a plain field', '{"api_key": "s3cret", "a":1}', '{"api_key": "[hidden]", "a":1}'],
    ['a name with escapes', String.raw`{"api\u005fkey":"s3cret"}`, String.raw`{"api\u005fkey":"[hidden]"}`],
    ['a name all of escapes', `{"${[...'password'].map(c => `\\u00${c.charCodeAt(0).toString(16)}`).join('')}":"s3cret"}`, ''],
    ['a name in upper case', '{"API_KEY":"s3cret"}', '{"API_KEY":"[hidden]"}'],
    [
      'a token that is an object with others in it',
      '{"fallback_credit_token":{"a":{"b":["s3cret","}"]},"c":"s3cret"},"d":1}',
      '{"fallback_credit_token":"[hidden]","d":1}',
    ],
    ['a token that is a list', '{"fallback_credit_token":[["s3cret"],"]"],"d":1}', '{"fallback_credit_token":"[hidden]","d":1}'],
    ['a token that is cut', '{"fallback_credit_token":{"a":{"b":"s3cret', '{"fallback_credit_token":"[hidden]"'],
    ['an escaped quote in it', String.raw`{"password":"s3\"cret","a":"b"}`, '{"password":"[hidden]","a":"b"}'],
    ['a password in an address', '{"a":"https://me:s3cret@host/x"}', '{"a":"https://me:[hidden]@host/x"}'],
    ['a password in an address with escapes', String.raw`{"a":"https:\/\/me:s3cret@host"}`, String.raw`{"a":"https:\/\/me:[hidden]@host"}`],
  ];
  for (const [name, line, masked] of cases) {
    it(`masks ${name}`, () => {
      const shown = maskLine(line);
      assert.equal(shown.includes('s3'), false, shown);
      if (masked !== '') {
        assert.equal(shown, masked);
      }
    });
  }

  it('keeps all other characters', () => {
    for (const line of [
      '{"a":"the api_key is \\"api_key\\": none"}',
      '{"password":"","access_token":null,"api_key":7}',
      String.raw`{"\u0061":["password", "x"]}`,
      '{"password',
      '{"fallback_credit_token":null}',
    ]) {
      assert.equal(maskLine(line), line);
    }
  });

  it('masks what is masked in the value itself', () => {
    const name = fc.constantFrom('a', 'api_key', 'fallback_credit_token', 'Password', '"', '\\');
    const { value } = fc.letrec<{ value: unknown }>(tie => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.integer(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(value, json => {
        assert.deepEqual(JSON.parse(maskLine(JSON.stringify(json))), JSON.parse(toMaskedJson(json)));
      }),
      { numRuns: runs(500) },
    );
  });
});
