import assert from 'node:assert/strict';
import { RequestsScanner } from '../../../../src/emulator/batches/requestsScanner';

/** Returns the requests that the scanner finds in a body that arrives in these pieces. */
function scan(pieces: readonly Buffer[]): { json: string; offset: number }[] {
  const found: { json: string; offset: number }[] = [];
  const scanner = new RequestsScanner((json, offset) => found.push({ json: json.toString(), offset }));
  for (const piece of pieces) {
    scanner.push(piece);
  }
  scanner.end();
  return found;
}

const requests = [
  '{"custom_id":"a","params":{"x":[1,{"y":"}]"}]}}',
  '{ "t": "quote \\" slash \\\\" }',
  '{"u":"\u2028 😀 \\u007d","e":""}',
  '{}',
];
const body = Buffer.from(` {\r\n "requests"\t: [ ${requests.join(' ,\n ')} ] } \n`);

describe('emulator/batches/requestsScanner', () => {
  it('cuts the same requests wherever the body is split in two', () => {
    const whole = scan([body]);
    assert.deepEqual(
      whole.map(request => request.json),
      requests,
    );
    for (const { json, offset } of whole) {
      assert.equal(body.subarray(offset, offset + Buffer.byteLength(json)).toString(), json);
    }
    for (let at = 0; at <= body.length; at++) {
      assert.deepEqual(scan([body.subarray(0, at), body.subarray(at)]), whole, `split at ${at}`);
    }
  });

  it('cuts the same requests when the body comes byte by byte', () => {
    assert.deepEqual(scan(Array.from(body, byte => Buffer.of(byte))), scan([body]));
  });

  it('skips other keys, whatever their values, wherever the body is split', () => {
    const others = '"a\\"b":"x\\\\", "deep":{"list":[1,{"requests":["}]"]}]}, "n" : -1.5e3 , "none":null';
    const text = Buffer.from(`{${others},"requests":[${requests.join()}],${others.replaceAll('"n"', '"m"')} }`);
    const found = scan([text]);
    assert.deepEqual(
      found.map(request => request.json),
      requests,
    );
    assert.deepEqual(scan(Array.from(text, byte => Buffer.of(byte))), found);
  });

  it('takes a list without requests', () => {
    assert.deepEqual(scan([Buffer.from('{"requests":[]}')]), []);
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
    it(`refuses ${text.slice(0, 40) || 'an empty body'}`, () => {
      assert.throws(() => scan([Buffer.from(text)]), message);
      assert.throws(() => scan(Array.from(Buffer.from(text), byte => Buffer.of(byte))), message);
    });
  }

  it('refuses a request that never ends before it fills the memory', () => {
    const scanner = new RequestsScanner(() => undefined);
    scanner.push(Buffer.from('{"requests":[{"a":"'));
    const piece = Buffer.alloc(1024 * 1024, 'a');
    assert.throws(() => {
      for (let n = 0; n < 64; n++) {
        scanner.push(piece);
      }
    }, /requests\.0: Request is larger than 32 MiB/);
  });
});
