import assert from 'node:assert/strict';
import { parseDefinition, toDefinition } from '../../../../../src/features/resources/definitions/definitionText';

const fields = { service: ['state'], order: ['name', 'config'], required: ['name'] };

describe('features/resources/definitions/definitionText', () => {
  it('leaves out what the service makes, and keeps what it does not know, in one order', () => {
    const definition = toDefinition({ later: 1, config: {}, id: 'x', name: 'n', created_at: 't', state: 's', absent: undefined }, fields);
    assert.deepEqual(Object.entries(definition), [
      ['name', 'n'],
      ['config', {}],
      ['later', 1],
    ]);
  });

  it('reads a document, and says what no service takes', () => {
    assert.deepEqual(parseDefinition('\uFEFF{"$schema":"s","id":"x","name":"n","more":1}', fields), { definition: { name: 'n', more: 1 } });
    assert.deepEqual(parseDefinition('{', fields), { problem: 'notJson' });
    assert.deepEqual(parseDefinition('[]', fields), { problem: 'notAnObject' });
    assert.deepEqual(parseDefinition('{"name":""}', fields), { problem: 'missing', field: 'name' });
  });
});
