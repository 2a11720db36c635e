import assert from 'node:assert/strict';
import { judge, type ToolCall, toBlocks } from '../../../../src/emulator/sessions/lineCalls';
import type { AgentSnapshot } from '../../../../src/emulator/sessions/sessionRecord';

describe('emulator/sessions/lineCalls', () => {
  const permissionOf = (agent: AgentSnapshot, call: ToolCall) => judge(agent, call).permission;
  const agentWith = (...tools: AgentSnapshot['tools']): AgentSnapshot => ({
    type: 'agent',
    id: 'agent_1',
    version: 1,
    name: 'A',
    description: null,
    system: null,
    model: { id: 'm', speed: 'standard', effort: { type: 'high' } },
    tools,
    mcp_servers: [],
    skills: [],
    multiagent: null,
    metadata: {},
  });
  const asks = { enabled: true, permission_policy: { type: 'always_ask' } };
  const allows = { enabled: true, permission_policy: { type: 'always_allow' } };
  const bash: ToolCall = { kind: 'builtin', name: 'bash', input: {} };
  const issues: ToolCall = { kind: 'mcp', name: 'search', server: 'issues', input: {} };

  it("decides by a tool's entry before its toolset's default", () => {
    const agent = agentWith({ type: 'agent_toolset_20260401', default_config: asks, configs: [{ name: 'bash', ...allows }] });
    assert.equal(permissionOf(agent, bash), 'allow');
    assert.equal(permissionOf(agent, { ...bash, name: 'read' }), 'ask');
  });

  it('denies a disabled tool', () => {
    const agent = agentWith({
      type: 'agent_toolset_20260401',
      default_config: allows,
      configs: [{ name: 'bash', ...asks, enabled: false }],
    });
    assert.equal(permissionOf(agent, bash), 'deny');
  });

  it('asks for tools of MCP servers unless their own toolset allows them', () => {
    const other = { type: 'mcp_toolset', mcp_server_name: 'other', default_config: allows, configs: [] };
    assert.equal(permissionOf(agentWith(other), issues), 'ask');
    assert.equal(permissionOf(agentWith(other, { ...other, mcp_server_name: 'issues' }), issues), 'allow');
  });

  it('allows tools without a toolset, unless the call always asks', () => {
    assert.equal(permissionOf(agentWith(), bash), 'allow');
    assert.equal(permissionOf(agentWith(), { ...bash, alwaysAsks: true }), 'ask');
  });

  it('decides by itself with the policy auto, with a reason unless it allows', () => {
    const auto = { enabled: true, permission_policy: { type: 'auto' } };
    const agent = agentWith({ type: 'agent_toolset_20260401', default_config: auto, configs: [] });
    const judged = (command: string) => judge(agent, { ...bash, input: { command } });
    assert.deepEqual(judged('ls'), { permission: 'allow', isAuto: true });
    assert.deepEqual(judged('rm -rf /'), { permission: 'deny', isAuto: true, reason: 'high_risk' });
    assert.deepEqual(judged('./deploy.sh'), { permission: 'ask', isAuto: true, reason: 'indeterminate' });
  });

  it('converts text to blocks', () => {
    assert.deepEqual(toBlocks('x'), [{ type: 'text', text: 'x' }]);
    assert.deepEqual(toBlocks(undefined), []);
    assert.deepEqual(toBlocks([{ type: 'image' }]), [{ type: 'image' }]);
  });
});
