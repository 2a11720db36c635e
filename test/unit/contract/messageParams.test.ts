import assert from 'node:assert/strict';
import { batchRequestSchema } from '../../../src/contract/batchRequest';
import { messageParamsSchema } from '../../../src/contract/messageParams';

const minimal = { model: 'any-model', max_tokens: 0, messages: [{ role: 'user', content: 'Hello' }] };

function issuesOf(change: Record<string, unknown>): string[] {
  const result = messageParamsSchema.safeParse({ ...minimal, ...change });
  return (result.error?.issues ?? []).map(issue => issue.path.join('.'));
}

const accepted: Record<string, Record<string, unknown>> = {
  'any model': { model: 'somebody-else/model-1' },
  'the smallest request': {},
  'system as blocks': { system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
  'a custom tool without type': { tools: [{ name: 'a', input_schema: { type: 'object' } }] },
  'a custom tool with type null': { tools: [{ type: null, name: 'a', input_schema: { type: 'object', properties: null } }] },
  'a tool type from the future': { tools: [{ type: 'bash_20991231', name: 'x', anything: 1 }] },
  'a content block type from the future': { messages: [{ role: 'user', content: [{ type: 'hologram', data: {} }] }] },
  'every documented tool': {
    tools: [
      { type: 'bash_20250124', name: 'bash' },
      { type: 'computer_20251124', name: 'computer', display_height_px: 1, display_width_px: 1, display_number: null },
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool', max_characters: null },
      { type: 'web_search_20250305', name: 'web_search', user_location: { type: 'approximate', country: 'DE' } },
      { type: 'mcp_toolset', mcp_server_name: 'm', configs: { a: { enabled: true } } },
    ],
  },
  'fallbacks by name': { fallbacks: 'default' },
  'fallbacks as a list': { fallbacks: [{ model: 'b', max_tokens: null, thinking: { type: 'disabled' } }] },
  'nulls where the contract allows them': { speed: null, inference_geo: null, container: null, diagnostics: null, fallbacks: null },
  '512 characters beyond the basic plane': { metadata: { user_id: '😀'.repeat(512) } },
  'the role system': { messages: [{ role: 'system', content: 'x' }] },
  'a tool result without content': { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] }] },
};

const refused: Record<string, [change: Record<string, unknown>, path: string]> = {
  'an unknown key': [{ max_token: 1 }, ''],
  'max_tokens below 0': [{ max_tokens: -1 }, 'max_tokens'],
  'a fraction of a token': [{ max_tokens: 1.5 }, 'max_tokens'],
  'a temperature above 1': [{ temperature: 1.1 }, 'temperature'],
  'an unknown role': [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages.0.role'],
  'an unknown key of a message': [{ messages: [{ role: 'user', content: 'x', name: 'y' }] }, 'messages.0'],
  'a thinking budget below 1,024': [{ thinking: { type: 'enabled', budget_tokens: 1023 } }, 'thinking.budget_tokens'],
  'an unknown thinking type': [{ thinking: { type: 'deep' } }, 'thinking.type'],
  'an unknown tool choice': [{ tool_choice: { type: 'some' } }, 'tool_choice.type'],
  'an unknown context edit': [{ context_management: { edits: [{ type: 'forget' }] } }, 'context_management.edits.0.type'],
  'four fallbacks': [{ fallbacks: Array(4).fill({ model: 'b' }) }, 'fallbacks'],
  'a further key of a fallback': [{ fallbacks: [{ model: 'b', top_k: 1 }] }, 'fallbacks.0'],
  '21 servers': [{ mcp_servers: Array(21).fill({ type: 'url', name: 'n', url: 'u' }) }, 'mcp_servers'],
  'nine skills': [{ container: { skills: Array(9).fill({ skill_id: 's', type: 'custom' }) } }, 'container'],
  '513 characters': [{ metadata: { user_id: '😀'.repeat(513) } }, 'metadata.user_id'],
  'an empty text block': [{ system: [{ type: 'text', text: '' }] }, 'system.0.text'],
  'another name for a built-in tool': [{ tools: [{ type: 'bash_20250124', name: 'shell' }] }, 'tools.0'],
  'a further key of a built-in tool': [{ tools: [{ type: 'memory_20250818', name: 'memory', size: 1 }] }, 'tools.0'],
  'a tool name with a space': [{ tools: [{ name: 'a b', input_schema: { type: 'object' } }] }, 'tools.0.name'],
  'a cache time of an hour and a half': [{ cache_control: { type: 'ephemeral', ttl: '90m' } }, 'cache_control.ttl'],
  'an unknown effort': [{ output_config: { effort: 'huge' } }, 'output_config.effort'],
};

describe('contract/messageParams', () => {
  for (const [what, change] of Object.entries(accepted)) {
    it(`accepts ${what}`, () => assert.deepEqual(issuesOf(change), []));
  }
  for (const [what, [change, path]] of Object.entries(refused)) {
    it(`rejects ${what}`, () => assert.deepEqual(issuesOf(change), [path]));
  }
  for (const key of ['model', 'messages', 'max_tokens']) {
    it(`requires ${key}`, () => {
      const { [key]: _, ...rest } = minimal as Record<string, unknown>;
      assert.deepEqual(
        messageParamsSchema.safeParse(rest).error?.issues.map(issue => issue.path),
        [[key]],
      );
    });
  }
});

describe('contract/batchRequest', () => {
  for (const id of ['a', 'A-Z_09', 'x'.repeat(64), '__proto__']) {
    it(`accepts the ID ${id}`, () => assert.ok(batchRequestSchema.safeParse({ custom_id: id, params: minimal }).success));
  }
  for (const id of ['', 'a b', 'ä', 'x'.repeat(65), ' a', 'a\n', 7]) {
    it(`rejects the ID ${JSON.stringify(id)}`, () => assert.ok(!batchRequestSchema.safeParse({ custom_id: id, params: minimal }).success));
  }
  it('rejects an extra key', () => {
    assert.ok(!batchRequestSchema.safeParse({ custom_id: 'a', params: minimal, body: {} }).success);
  });
});
