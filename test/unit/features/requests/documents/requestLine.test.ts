import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readRequestLine } from '../../../../../src/features/requests/documents/requestLine';

describe('features/requests/documents/requestLine', () => {
  it('gives params of a whole request as they stand, numbers and escapes included', () => {
    const params = '{ "seed": 12345678901234567890, "t": 1.0, "text": "\\u00e9\\/é", "a": [1, {"b": null}] }';
    assert.deepEqual(readRequestLine(`{"custom_id": "q-1", "params":  ${params} , "extra": 1}  \r`), { customId: 'q-1', params });
  });

  it('gives bare params without the space around them', () => {
    assert.deepEqual(readRequestLine('\ufeff  {"model":"m","messages":[]} '), {
      customId: undefined,
      params: '{"model":"m","messages":[]}',
    });
  });

  it('takes the last of doubled keys, and keys with escapes, as JSON.parse does', () => {
    assert.deepEqual(readRequestLine('{"params":{"a":1},"p\\u0061rams":{"a":2},"custom_id":"x"}'), { customId: 'x', params: '{"a":2}' });
  });

  it('refuses what is no request', () => {
    for (const text of [
      '',
      '[]',
      '{',
      '{"a":1,}',
      '{"a" 1}',
      '{"a":1}}',
      '{"custom_id":"x"}',
      '{"params":[]}',
      '{"params":{}',
      '{"a":tru}',
      '3',
    ]) {
      assert.equal(readRequestLine(text), undefined, text);
    }
  });

  it('agrees with JSON.parse about what the params are', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (params, id) => {
        const read = readRequestLine(JSON.stringify({ custom_id: id, params }));
        assert.deepEqual(JSON.parse(read?.params ?? 'null'), JSON.parse(JSON.stringify(params)));
        assert.equal(read?.customId, id);
      }),
    );
  });
});
