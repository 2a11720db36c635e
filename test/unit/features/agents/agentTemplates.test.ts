import assert from 'node:assert/strict';
import { agentTemplates } from '../../../../src/features/agents/agentTemplates';
import { parseDefinition, toDefinitionText } from '../../../../src/features/agents/agentText';

describe('features/agents/agentTemplates', () => {
  it('are whole definitions', () => {
    for (const { definition } of agentTemplates(text => text, 'vendor-sonnet-5')) {
      assert.deepEqual(parseDefinition(toDefinitionText(definition)), { definition });
    }
  });
});
