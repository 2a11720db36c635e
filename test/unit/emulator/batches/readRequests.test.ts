import assert from 'node:assert/strict';
import { splitRequests } from '../../../../src/emulator/batches/readRequests';

const split = (body: string | Buffer) => splitRequests(Buffer.from(body)).map(String);

const requests = [
  '{"custom_id":"a","params":{"x":[1,{"y":"}]"}]}}',
  '{ "t": "quote \\" slash \\\\" }',
  '{"u":"\u2028 😀 \\u007d","e":""}',
  '{}',
];
const body = Buffer.from(` {\r\n "requests"\t: [ ${requests.join(' ,\n ')} ] } \n`);

describe('emulator/batches/readRequests', () => {
  it('cuts the requests out of the body, with any strings and brackets', () => {
    assert.deepEqual(split(body), requests);
  });

  it('skips other keys, with any values', () => {
    const others = '"a\\"b":"x\\\\", "deep":{"list":[1,{"requests":["}]"]}]}, "n" : -1.5e3 , "none":null, "items":[{"a":1},[{}]]';
    assert.deepEqual(split(`{${others},"requests":[${requests.join()}],${others.replaceAll('"n"', '"m"')} }`), requests);
  });

  it('accepts a list without requests', () => {
    assert.deepEqual(split('{"requests":[]}'), []);
  });

  for (const [text, message] of [
    ['', /Invalid JSON/],
    ['[]', /Invalid JSON/],
    ['{', /Invalid JSON/],
    ['{}', /requests: Field required/],
    ['{"model":1}', /requests: Field required/],
    ['{"model":}', /Invalid JSON/],
    ['{"model":tru,"requests":[]}', /Invalid JSON/],
    ['{"mod\\xel":1,"requests":[]}', /Invalid JSON/],
    ['{"requests":[{}],}', /Invalid JSON/],
    ['{"requests":[{}],"n":1', /Invalid JSON/],
    [`{"${'k'.repeat(300)}`, /Invalid JSON/],
    ['{"requests":{}}', /requests: Input should be a valid array/],
    ['{"requests" [', /Invalid JSON/],
    ['{"requests":[1]}', /requests\.0: Input should be an object/],
    ['{"requests":[{},"x"]}', /requests\.1: Input should be an object/],
    ['{"requests":[{},]}', /Invalid JSON/],
    ['{"requests":[,{}]}', /Invalid JSON/],
    ['{"requests":[{} {}]}', /Invalid JSON/],
    ['{"requests":[{}]', /Invalid JSON/],
    ['{"requests":[{}', /Invalid JSON/],
    ['{"requests":[{"a":"b', /Invalid JSON/],
    ['{"requests":[{}],"requests":[]}', /once/],
    ['{"requests":[{}],"requ\\u0065sts":[]}', /once/],
    ['{"requests":[{}]}}', /Invalid JSON/],
    ['{"requests":[{}]}x', /Invalid JSON/],
  ] as const) {
    it(`rejects ${text.slice(0, 40) || 'an empty body'}`, () => {
      assert.throws(() => split(text), message);
    });
  }

  it('rejects a request over 32 MiB and a frame over 1 MiB', () => {
    const long = Buffer.alloc(32 * 1024 * 1024, 'a');
    const whole = Buffer.concat([Buffer.from('{"requests":[{},{"a":"'), long, Buffer.from('"}]}')]);
    assert.throws(() => split(whole), /requests\.1: Request is larger than 32 MiB/);
    assert.throws(() => split(`{"a":"${long.subarray(0, 1024 * 1024)}","requests":[]}`), /more than 1 MiB besides/);
  });
});
