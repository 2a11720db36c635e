import assert from 'node:assert/strict';
import { checkBySchema } from '../../../../../src/webview/controls/asks/schemaCheck';

const schemaOf = (value: unknown) => ({ type: 'json', text: JSON.stringify(value) }) as const;

describe('webview/controls/asks/schemaCheck', () => {
  it('reports the first mismatch', () => {
    const schema = schemaOf({ type: 'object', required: ['a'], additionalProperties: false, properties: { a: { type: 'string' } } });
    assert.equal(checkBySchema('{"a": "b"}', schema), undefined);
    assert.equal(checkBySchema('{}', schema)?.keyword, 'required');
    assert.equal(checkBySchema('{"a": 1}', schema)?.at, '/a');
    assert.equal(checkBySchema('{"a": "b", "c": 1}', schema)?.at, '/c');
  });

  it("reports nothing if it can't judge, and never starts what may not end", () => {
    const strict = { type: 'string' };
    assert.equal(checkBySchema('not JSON', schemaOf(strict)), undefined);
    assert.equal(checkBySchema('1', undefined), undefined);
    assert.equal(checkBySchema('1', { ...schemaOf(strict), cut: 30_000 }), undefined);
    assert.equal(checkBySchema('1', schemaOf({ ...strict, unheardOf: true })), undefined);
    assert.equal(checkBySchema(`"${'a'.repeat(40)}!"`, schemaOf({ pattern: '^(a|a)*$' })), undefined);
    const again = { $ref: '#' };
    assert.equal(checkBySchema('1', schemaOf({ anyOf: [again, again], ...strict })), undefined);
    assert.equal(checkBySchema(JSON.stringify('x'.repeat(100_000)), schemaOf({ type: 'number' })), undefined);
  });
});
