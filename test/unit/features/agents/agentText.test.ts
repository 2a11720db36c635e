import assert from 'node:assert/strict';
import type { Agent } from '../../../../src/client/schemas/agents';
import { parseDefinition, toAgentText, toDefinition } from '../../../../src/features/agents/agentText';

const agent: Agent = {
  id: 'agent_1',
  type: 'agent',
  version: 3,
  created_at: '2026-11-21T10:00:00Z',
  updated_at: '2026-11-21T10:00:00Z',
  archived_at: null,
  execution_identity: { type: 'service_account' },
  metadata: { team: 'ops' },
  system: null,
  model: { id: 'vendor-opus-5', speed: 'standard' },
  name: 'Researcher',
};

describe('features/agents/agentText', () => {
  it('shows what can be changed, in one order, with fields it does not know', () => {
    assert.deepEqual(Object.keys(toDefinition(agent)), ['name', 'model', 'system', 'metadata', 'execution_identity']);
    assert.equal(toDefinition(agent).system, null);
  });

  it('is text that parses back to the same definition', () => {
    const text = toAgentText(agent);
    assert.ok(text.endsWith('}\n'));
    assert.deepEqual(parseDefinition(text), { definition: toDefinition(agent) });
  });

  it('leaves what the service makes out of a document from elsewhere', () => {
    const parsed = parseDefinition(
      '\uFEFF{"$schema": "x", "id": "agent_9", "version": 4, "name": "A", "model": "m", "__proto__": {"a": 1}}',
    );
    assert.ok('definition' in parsed);
    assert.deepEqual(Object.keys(parsed.definition), ['name', 'model', '__proto__']);
  });

  it('says what no service would take', () => {
    assert.deepEqual(parseDefinition('{"name": '), { problem: 'notJson' });
    assert.deepEqual(parseDefinition('[1]'), { problem: 'notAnObject' });
    assert.deepEqual(parseDefinition('null'), { problem: 'notAnObject' });
    assert.deepEqual(parseDefinition('{"model": "m"}'), { problem: 'missing', field: 'name' });
    assert.deepEqual(parseDefinition('{"name": "A"}'), { problem: 'missing', field: 'model' });
  });
});
