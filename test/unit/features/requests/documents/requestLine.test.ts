import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readRequestLine } from '../../../../../src/features/requests/documents/requestLine';

describe('features/requests/documents/requestLine', () => {
  it('returns the params of a whole request unchanged, numbers and escapes included', () => {
    const params = '{ "seed": 12345678901234567890, "t": 1.0, "text": "\\u00e9\\/é", "a": [1, {"b": null}] }';
    assert.deepEqual(readRequestLine(`{"custom_id": "q-1", "params":  ${params} , "extra": 1}  \r`), { customId: 'q-1', params });
  });

  it('returns bare params without surrounding white space', () => {
    assert.deepEqual(readRequestLine('\ufeff  {"model":"m","messages":[]} '), {
      customId: undefined,
      params: '{"model":"m","messages":[]}',
    });
  });

  it('uses the last of duplicate keys, and keys with escapes, as JSON.parse does', () => {
    assert.deepEqual(readRequestLine('{"params":{"a":1},"p\\u0061rams":{"a":2},"custom_id":"x"}'), { customId: 'x', params: '{"a":2}' });
  });

  it("rejects lines that aren't requests", () => {
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

  it('finds the same params as JSON.parse', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (params, id) => {
        const read = readRequestLine(JSON.stringify({ custom_id: id, params }));
        assert.deepEqual(JSON.parse(read?.params ?? 'null'), JSON.parse(JSON.stringify(params)));
        assert.equal(read?.customId, id);
      }),
    );
  });
});
