import assert from 'node:assert/strict';
import { foundIn, problemsIn } from './foundIn';

const tool = (name: string) => ({ name, input_schema: { type: 'object' } });
const tools = [tool('get_weather'), { type: 'bash_20250124', name: 'bash' }];

describe('jsonl/rules/findTools', () => {
  it('finds a choice of a missing tool', () => {
    const rule = 'tool-not-defined';
    assert.deepEqual(foundIn(rule, { tools, tool_choice: { type: 'tool', name: 'bash' } }), []);
    assert.deepEqual(foundIn(rule, { tools, tool_choice: { type: 'tool', name: 'Bash2' } }), ['warning tool_choice.name "Bash2"']);
    assert.deepEqual(problemsIn(rule, { tools, tool_choice: { type: 'tool', name: 'get_wether' } })[0]?.hint, {
      suggestion: 'get_weather',
    });
    assert.deepEqual(foundIn(rule, { tools, tool_choice: { type: 'any' } }), []);
    assert.deepEqual(foundIn(rule, { tools: [], tool_choice: { type: 'any' } }), ['warning tool_choice {"type":"any"}']);
    assert.deepEqual(foundIn(rule, { tool_choice: { type: 'tool', name: 'a' } }).length, 1);
    assert.deepEqual(foundIn(rule, { tool_choice: { type: 'auto' } }), []);
    assert.deepEqual(foundIn(rule, { tool_choice: { type: 'none' } }), []);
  });

  it('finds tools with one name at the second of them', () => {
    assert.deepEqual(foundIn('duplicate-tool', { tools }), []);
    assert.deepEqual(foundIn('duplicate-tool', { tools: [...tools, tool('bash'), tool('bash')] }), [
      'warning tools.2.name "bash"',
      'warning tools.3.name "bash"',
    ]);
  });

  it('finds servers with one name at the second of them', () => {
    const server = (name: string) => ({ type: 'url', name, url: 'https://x' });
    assert.deepEqual(foundIn('duplicate-server', { mcp_servers: [server('a'), server('b')] }), []);
    assert.deepEqual(foundIn('duplicate-server', { mcp_servers: [server('a'), server('b'), server('a')] }), [
      'warning mcp_servers.2.name "a"',
    ]);
  });

  it('finds a toolset without its server', () => {
    const rule = 'server-not-defined';
    const set = { tools: [{ type: 'mcp_toolset', mcp_server_name: 'files' }] };
    const servers = (name: string) => ({ mcp_servers: [{ type: 'url', name, url: 'https://x' }] });
    assert.deepEqual(foundIn(rule, { ...set, ...servers('files') }), []);
    assert.deepEqual(foundIn(rule, set), ['warning tools.0.mcp_server_name "files"']);
    assert.deepEqual(problemsIn(rule, { ...set, ...servers('file') })[0]?.hint, { suggestion: 'file' });
  });
});
