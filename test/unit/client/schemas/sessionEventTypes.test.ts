import assert from 'node:assert/strict';
import { decodeTolerantly } from '../../../../src/client/schemas/decode';
import { sessionEventSchemas } from '../../../../src/client/schemas/sessionEventTypes';

describe('client/schemas/sessionEventTypes', () => {
  it('knows the 35 types that are stored and the 2 that only the stream tells', () => {
    const types = Object.keys(sessionEventSchemas);
    assert.equal(types.length, 37);
    assert.equal(types.filter(type => /^(user\.|system\.message)/.test(type)).length, 7);
    assert.equal(types.filter(type => type.startsWith('agent.')).length, 10);
    assert.equal(types.filter(type => type.startsWith('session.')).length, 13);
    assert.equal(types.filter(type => type.startsWith('span.')).length, 5);
  });

  it('demands nothing but the type of what is stored, keeps what it does not know, and no other type', () => {
    for (const [type, schema] of Object.entries(sessionEventSchemas)) {
      const bare = { type, later: { field: [1] } };
      if (!type.startsWith('event_')) {
        assert.deepEqual(decodeTolerantly(schema, bare), bare, type);
      }
      assert.equal(decodeTolerantly(schema, { ...bare, type: 'another' }), undefined);
    }
  });

  it('leaves out a field of a wrong type and keeps all others', () => {
    const event = { type: 'agent.tool_use', id: 'e', name: 5, input: { a: 1 }, x: 1 };
    assert.deepEqual(decodeTolerantly(sessionEventSchemas['agent.tool_use'], event), {
      type: 'agent.tool_use',
      id: 'e',
      input: { a: 1 },
      x: 1,
    });
  });

  it('reads spans whose usage is told by model', () => {
    const event = { type: 'span.model_request_end', model_usage: { 'm-1': { inputTokens: 12 } } };
    assert.deepEqual(sessionEventSchemas['span.model_request_end'].parse(event), event);
  });
});
