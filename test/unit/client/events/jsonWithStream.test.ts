import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonWithStream } from '../../../../src/client/events/jsonWithStream';

describe('client/events/jsonWithStream', () => {
  const cases: readonly (readonly [text: string, result: string])[] = [
    ['{"a":1.0}', '{"stream":true,"a":1.0}'],
    ['{}', '{"stream":true}'],
    [' \n{ }', ' \n{"stream":true }'],
    ['{"stream":false}', '{"stream":true}'],
    ['{"a":"}\\"{", "stream" : false , "b":[{"stream":false}]}', '{"a":"}\\"{", "stream" : true , "b":[{"stream":false}]}'],
    ['{"s\\u0074ream":null}', '{"s\\u0074ream":true}'],
    ['{"stream":{"x":[1,"]"]},"y":12345678901234567890}', '{"stream":true,"y":12345678901234567890}'],
    ['{"stream":false,"stream":false}', '{"stream":true,"stream":true}'],
    ['{"a":"stream"}', '{"stream":true,"a":"stream"}'],
    ['{"a":"\\\\","stream":0}', '{"a":"\\\\","stream":true}'],
    ['[1]', '[1]'],
    ['', ''],
  ];
  for (const [text, result] of cases) {
    it(`makes ${result} of ${text}`, () => {
      assert.equal(jsonWithStream(text), result);
    });
  }

  it('changes the value of the top-level member and nothing else, whatever the object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.oneof(fc.string(), fc.constant('stream')), fc.jsonValue()),
        fc.integer({ min: 0, max: 3 }),
        (value, indent) => {
          const text = JSON.stringify(value, undefined, indent);
          const parsed: unknown = JSON.parse(jsonWithStream(text));
          assert.deepEqual(parsed, JSON.parse(JSON.stringify({ ...value, stream: true })));
        },
      ),
    );
  });
});
