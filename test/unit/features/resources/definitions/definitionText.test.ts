import assert from 'node:assert/strict';
import { parseDefinition, toDefinition } from '../../../../../src/features/resources/definitions/definitionText';
import { fillPlaceholders } from '../../requests/fillPlaceholders';

const fields = { service: ['state'], order: ['name', 'config'], required: ['name'] };

describe('features/resources/definitions/definitionText', () => {
  it("leaves out the service's own fields, and keeps unknown ones, in one order", () => {
    const definition = toDefinition({ later: 1, config: {}, id: 'x', name: 'n', created_at: 't', state: 's', absent: undefined }, fields);
    assert.deepEqual(Object.entries(definition), [
      ['name', 'n'],
      ['config', {}],
      ['later', 1],
    ]);
  });

  it('parses a document, and reports what no service accepts', () => {
    const parse = (text: string) => parseDefinition(text, fields, fillPlaceholders);
    assert.deepEqual(parse('\uFEFF{"$schema":"s","id":"x","name":"n","more":1}'), { name: 'n', more: 1 });
    assert.throws(() => parse('{'), /Fix the errors in the document first/);
    assert.throws(() => parse('[]'), /must be a JSON object/);
    assert.throws(() => parse('{"name":""}'), /Add "name" first/);
  });
});
