import assert from 'node:assert/strict';
import { agentDefinition } from '../../../../src/features/agents/agentKind';
import { agentTemplates } from '../../../../src/features/agents/agentTemplates';
import { parseDefinition, toDefinitionText } from '../../../../src/features/resources/definitions';

describe('features/agents/agentTemplates', () => {
  it('are whole definitions', () => {
    for (const { definition } of agentTemplates(text => text, 'vendor-sonnet-5')) {
      assert.deepEqual(parseDefinition(toDefinitionText(definition), agentDefinition), { definition });
    }
  });
});
