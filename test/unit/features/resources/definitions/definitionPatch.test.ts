import assert from 'node:assert/strict';
import { toPatch } from '../../../../../src/features/resources/definitions/definitionPatch';

describe('features/resources/definitions/definitionPatch', () => {
  it('sends what changes, null for what is taken out, and metadata key by key', () => {
    const before = { name: 'a', description: 'x', config: { type: 'cloud' }, metadata: { kept: '1', gone: '2' } };
    const after = { name: 'a', config: { type: 'cloud', networking: { type: 'limited' } }, metadata: { kept: '1', fresh: '3' } };
    const { fields, changed } = toPatch(before, after);
    assert.deepEqual(fields, { config: after.config, metadata: { fresh: '3', gone: null }, description: null });
    assert.deepEqual([...changed].sort(), ['config', 'description', 'metadata']);
  });

  it('sends nothing where only the order differs', () => {
    assert.deepEqual(toPatch({ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }), { fields: {}, changed: [] });
  });
});
