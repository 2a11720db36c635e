import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { checkRequestLine } from '../../../../src/jsonl/checking/requestRules';
import { fieldsNameOf } from '../../../../src/jsonl/fields/fieldsName';
import { splitFields } from '../../../../src/jsonl/fields/splitFields';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';

describe('jsonl/fields/splitFields', () => {
  it('moves fields of the user out of requests, and leaves these right', () => {
    const lines = readFileSync('test/fixtures/answers/17-own-fields.requests.jsonl', 'utf8').trim().split('\n');
    assert.equal(lines.length, 3);
    for (const [at, line] of lines.entries()) {
      const { request, fields } = splitFields(line) ?? assert.fail();
      assert.deepEqual(checkRequestLine(request, at, contractRules()).problems, []);
      assert.deepEqual(JSON.parse(fields), {
        custom_id: `o-${at + 1}`,
        product_id: `sku-${at + 1}`,
        images: ['a', 'b'],
        metadata: { run: 'may', row: at + 1 },
      });
    }
  });

  it('keeps every byte of values', () => {
    assert.deepEqual(splitFields('{ "n": 9007199254740993, "params": {"a" : 1.0}, "custom_id": "\\u0061", "__proto__": [ ] }'), {
      request: '{"custom_id":"\\u0061","params":{"a" : 1.0}}',
      fields: '{"custom_id":"\\u0061","n":9007199254740993,"__proto__":[ ]}',
    });
  });

  it('leaves other lines alone', () => {
    for (const line of ['', 'x', '[]', '{"custom_id":"a","params":{}}', '{"custom_id":1,"params":{},"x":1}', '{"custom_id":"a","x":1}']) {
      assert.equal(splitFields(line), undefined, line);
    }
  });

  it('names the file beside', () => {
    assert.equal(fieldsNameOf('a.jsonl'), 'a.fields.jsonl');
  });
});
