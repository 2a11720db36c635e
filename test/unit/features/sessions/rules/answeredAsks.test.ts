import assert from 'node:assert/strict';
import { answeredAsks } from '../../../../../src/features/sessions/rules/proposeRules';
import { Transcript } from '../../../../../src/shared/session/transcript';

describe('features/sessions/rules/answeredAsks', () => {
  const events = [
    { type: 'agent.tool_use', id: 'a', name: 'bash', input: { command: 'make' }, evaluated_permission: 'ask' },
    { type: 'agent.mcp_tool_use', id: 'b', name: 'search', mcp_server_name: 'docs', input: {}, session_thread_id: 'sub' },
    { type: 'agent.tool_use', id: 'c', name: 'bash', input: { command: 'rm -rf /' }, evaluated_permission: 'ask' },
    { type: 'user.tool_confirmation', id: '1', tool_use_id: 'b', result: 'deny', processed_at: '2026-11-23T10:00:00Z' },
    { type: 'user.tool_confirmation', id: '2', tool_use_id: 'a', result: 'allow' },
    { type: 'user.tool_confirmation', id: '3', tool_use_id: 'of another log', result: 'allow' },
  ];

  it("finds in a session's log which asks were answered and how, with the asking agent", () => {
    const transcript = new Transcript();
    transcript.append(events);
    const session = {
      reference: { connection: 'Lab', sessionId: 'sesn_1' },
      view: { agent: { id: 'agent_1', name: 'Operator' } } as never,
      described: { threads: [{ id: 'sub', parent_thread_id: 'main', agent: { id: 'agent_2' } }] as never },
      transcript: () => transcript,
    };
    const common = { connection: 'Lab', service: 'https://lab.example', session: 'sesn_1' };
    assert.deepEqual(answeredAsks(session, 'https://lab.example'), [
      { ...common, agent: 'agent_2', agentName: 'agent_2', tool: 'search', server: 'docs', input: {}, decided: 'deny' },
      { ...common, agent: 'agent_1', agentName: 'Operator', tool: 'bash', server: undefined, input: { command: 'make' }, decided: 'allow' },
    ]);
  });
});
