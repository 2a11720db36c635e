import assert from 'node:assert/strict';
import { dialects } from '../../../../src/client/dialect';
import { checkRequestLine } from '../../../../src/jsonl/checking/requestRules';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';
import { foundIn, problemsIn, sound } from './foundIn';

const block = (content: object) => ({ messages: [{ role: 'user', content: [content] }] });
const problemsOf = (more: object, newerParams: readonly string[]) =>
  checkRequestLine(JSON.stringify({ ...sound, ...more }), 0, { ...contractRules(), newerParams }).problems.map(({ rule }) => rule);
const tool = { name: 'a', input_schema: { type: 'object' } };

describe('jsonl/rules/schemaRules', () => {
  it('rejects unknown fields only if the contract allows no others', () => {
    const rule = 'unknown-field';
    const line = JSON.stringify({ custom_id: 'a', params: sound, extra: 1 });
    assert.deepEqual(
      checkRequestLine(line, 0, contractRules()).problems.map(problem => [problem.rule, problem.severity]),
      [[rule, 'error']],
    );
    const closed: readonly object[] = [
      { zzzzzz: 1 },
      { messages: [{ role: 'user', content: 'x', zzzzzz: 1 }] },
      { fallbacks: [{ model: 'm', zzzzzz: 1 }] },
      { mcp_servers: [{ type: 'url', name: 'n', url: 'u', zzzzzz: 1 }] },
      { tools: [{ type: 'bash_20250124', name: 'bash', zzzzzz: 1 }] },
      { tools: [{ type: 'text_editor_20241022', name: 'str_replace_editor', zzzzzz: 1 }] },
    ];
    for (const more of closed) {
      const [found, ...others] = problemsIn(rule, more);
      assert.deepEqual([found?.severity, found?.marked, others], ['error', '"zzzzzz"', []], JSON.stringify(more));
    }
    const open: readonly object[] = [
      block({ type: 'text', text: 'x', zzzzzz: 1 }),
      { metadata: { zzzzzz: 1 } },
      { thinking: { type: 'disabled', zzzzzz: 1 } },
      { output_config: { zzzzzz: 1 } },
      { tool_choice: { type: 'auto', zzzzzz: 1 } },
      { container: { zzzzzz: 1 } },
      { context_management: { zzzzzz: 1, edits: [{ type: 'compact_20260112', zzzzzz: 1 }] } },
    ];
    for (const more of open) {
      assert.deepEqual(foundIn(rule, more), [], JSON.stringify(more));
    }
  });

  it('rejects a description of a built-in tool, whose fields the contract lists, and warns in a custom one', () => {
    const rule = 'unknown-field';
    const found = (tool: object) => foundIn(rule, { tools: [tool] });
    assert.deepEqual(found({ type: 'bash_20250124', name: 'bash', description: 'x' }), ['error tools.0.description "description"']);
    assert.deepEqual(found({ type: 'web_search_20250305', name: 'web_search', description: 'x' }), [
      'warning tools.0.description "description"',
    ]);
    assert.deepEqual(found({ ...tool, zzzzzz: 1, description: 'x' }), ['warning tools.0.zzzzzz "zzzzzz"']);
    const [problem] = problemsIn(rule, { tools: [{ name: 'a', parameters: {} }] });
    assert.deepEqual(problem?.hint, { suggestion: 'input_schema' });
    assert.equal(problemsIn(rule, { tools: [{ ...tool, parameters: {} }] })[0]?.hint, undefined);
  });

  it("warns of a user profile that isn't a string, because the contract shows no type", () => {
    assert.deepEqual(foundIn('wrong-type', { user_profile_id: 5 }), ['warning user_profile_id 5']);
  });

  it("proposes the intended field, if it doesn't exist already", () => {
    const hint = (more: object) => problemsIn('unknown-field', more)[0]?.hint?.suggestion;
    assert.equal(hint({ stop_sequence: ['x'] }), 'stop_sequences');
    assert.equal(hint({ max_token: 5 }), undefined);
    assert.equal(hint({ fallbacks: [{ model: 'm', maxTokens: 5 }] }), 'max_tokens');
    assert.equal(hint({ mcp_servers: [{ type: 'url', name: 'n', url: 'u', authorisation_token: 't' }] }), 'authorization_token');
    assert.equal(
      hint({ tools: [{ type: 'computer_20250124', name: 'computer', display_width_px: 1, display_height_px: 1, displaynumber: 1 }] }),
      'display_number',
    );
    assert.equal(hint({ messages: [{ role: 'user', content: 'x', cache_control: null }] }), undefined);
  });

  it('accepts whole numbers of any size, and reports those that become infinite', () => {
    const found = (field: string, number: string) => {
      const line = JSON.stringify({ ...sound, [field]: 0 }).replace(`"${field}":0`, `"${field}":${number}`);
      return checkRequestLine(line, 0, contractRules())
        .problems.filter(({ rule }) => rule !== 'deprecated-field')
        .map(({ rule, severity }) => `${severity} ${rule}`);
    };
    const large = '1'.padEnd(21, '0');
    assert.deepEqual(found('max_tokens', large), []);
    assert.deepEqual(found('max_tokens', '9007199254740992'), []);
    assert.deepEqual(found('max_tokens', '9007199254740993'), ['information number-precision']);
    assert.deepEqual(found('top_k', '1e17'), []);
    assert.deepEqual(found('max_tokens', '1e400'), ['warning number-precision']);
    assert.deepEqual(found('top_k', '1e400'), ['warning number-precision']);
    assert.deepEqual(found('max_tokens', '-1e400').sort(), ['error number-out-of-range', 'warning number-precision']);
    assert.deepEqual(found('temperature', '1e400').sort(), ['error number-out-of-range', 'warning number-precision']);
    assert.deepEqual(found('service_tier', '1e400').sort(), ['error value-not-allowed', 'warning number-precision']);
  });

  it('knows newer fields only on a connection of the newer dialect', () => {
    for (const field of ['billing_policy', 'compaction', 'thread']) {
      const { newerParams } = dialects['anthropic-2026'];
      assert.deepEqual(foundIn('newer-field', { [field]: {} }), [`error ${field} "${field}"`]);
      assert.deepEqual(foundIn('newer-field', { [field]: {} }, { newerParams: dialects.contract.newerParams }).length, 1);
      assert.deepEqual(problemsOf({ [field]: {} }, newerParams), []);
      assert.deepEqual(problemsOf({ [field]: {}, [`${field}_x`]: {} }, newerParams), ['unknown-field']);
    }
  });

  it("recognizes another API's form of a tool without a name", () => {
    const sentence = (one: object) => problemsIn('missing-field', { tools: [one] })[0]?.sentence ?? '';
    assert.match(sentence({ type: 'function', function: { name: 'f' } }), /another API.*Convert to Request File/);
    assert.match(sentence({ function: { name: 'f' } }), /another API/);
    assert.doesNotMatch(sentence({ type: 'new_20290101' }), /another API/);
    assert.deepEqual(foundIn('missing-field', { tools: [{ type: 'new_20290101' }] }), ['error tools.0.name {']);
    assert.deepEqual(foundIn('missing-field', { tools: [{ type: 'mcp_toolset', mcp_server_name: 'n' }] }), []);
  });

  it('proposes the intended value', () => {
    const hint = (more: object) => problemsIn('value-not-allowed', more)[0]?.hint?.suggestion;
    assert.equal(hint({ service_tier: 'Auto' }), 'auto');
    assert.equal(hint({ cache_control: { type: 'persistent' } }), 'ephemeral');
    assert.equal(hint({ messages: [{ role: 'asistant', content: 'x' }] }), 'assistant');
    assert.equal(hint({ service_tier: 'gold' }), undefined);
  });

  it('reports an error by the contract, and a warning by what only services show', () => {
    const severity = (more: object) => {
      const { problems } = checkRequestLine(JSON.stringify({ ...sound, ...more }), 0, contractRules());
      return [...new Set(problems.map(problem => problem.severity))].join();
    };
    const certain: readonly object[] = [
      block({ type: 'text', text: '' }),
      block({ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '2h' } }),
      block({ type: 'text', text: 'x', citations: 5 }),
      { system: [{ type: 'text' }] },
      { thinking: { type: 'deep' } },
      { thinking: { type: 'enabled', budget_tokens: 1023 } },
      { tools: [{ ...tool, strict: 'yes' }] },
      { tools: [{ name: 'a' }] },
      { tools: [{ type: 'bash_20250124', name: 'sh' }] },
      { tool_choice: { type: 'some' } },
      { container: { skills: Array.from({ length: 9 }, () => ({ skill_id: 's', type: 'custom' })) } },
      { context_management: { edits: [{ type: 'clear_all' }] } },
      { output_config: { effort: 'huge' } },
      { output_config: { format: { type: 'json_schema' } } },
      { fallbacks: [{ model: 'm', output_config: { effort: 'huge' } }] },
      { fallbacks: [] },
      { metadata: { user_id: 'x'.repeat(513) } },
      { messages: [{ role: 'user', content: '' }] },
      { tools: [{ type: 'web_search_20250305' }] },
      { tools: [{ name: 'a', input_schema: 'x' }] },
      { tools: [{ name: 'a', input_schema: null }] },
      { fallbacks: [{ model: 'm', max_tokens: 1.5 }] },
    ];
    for (const more of certain) {
      assert.equal(severity(more), 'error', JSON.stringify(more));
    }
    const shownByServices: readonly object[] = [
      block({ type: 'text', text: 'x', citations: [{ type: 'char_location' }] }),
      block({ type: 'image', source: { type: 'base64', media_type: 'image/tiff', data: '' } }),
      { thinking: { type: 'adaptive', display: 'all' } },
      { tools: [{ ...tool, input_schema: { type: 'array' } }] },
      { tools: [{ ...tool, input_schema: true }] },
      { tools: [{ ...tool, input_schema: {} }] },
      { tools: [{ ...tool, description: null }] },
      { fallbacks: [{ model: 'm', max_tokens: -1 }] },
      { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 'many' }] },
      { tools: [{ type: 'web_search_20250305', name: 'web_search', zzzzzz: 1 }] },
      { context_management: { edits: [{ type: 'clear_tool_uses_20250919', keep: 3 }] } },
      { container: { skills: [{ skill_id: 's' }] } },
      { output_config: { task_budget: { type: 'tokens', total: 5 } } },
      { mcp_servers: [{ type: 'url', name: 'n', url: 'u', tool_configuration: { enabled: 'yes' } }] },
      { fallbacks: [{ model: 'm', thinking: { type: 'adaptive', display: 'all' } }] },
    ];
    for (const more of shownByServices) {
      assert.equal(severity(more), 'warning', JSON.stringify(more));
    }
  });
});
