import type { MessageRow, Row, ToolRow } from '../../../../src/shared/session/rows/rows';

/** A message of the agent. */
export function message(seq: number, text = `Message ${seq}`, changes: Partial<MessageRow> = {}): MessageRow {
  return {
    ...{ key: `k${seq}`, kind: 'agent', type: 'agent.message', seq, at: seq * 1000, summary: text.slice(0, 200) },
    parts: [{ type: 'text', text }],
    ...changes,
  };
}

/** A tool call with a result. */
export function tool(seq: number, changes: Partial<ToolRow> = {}): ToolRow {
  return {
    ...{ key: `k${seq}`, kind: 'tool', type: 'agent.tool_use', seq, at: seq * 1000, summary: `bash ${seq}` },
    ...{ tool: 'builtin', name: 'bash', state: 'done' },
    input: { type: 'json', text: '{"command":"ls"}' },
    result: { parts: [{ type: 'text', text: 'README.md' }], isError: false, seq: seq + 1, at: undefined },
    ...changes,
  };
}

/** A status row, which is rendered as a thin line. */
export function status(seq: number): Row {
  return { key: `k${seq}`, kind: 'status', type: 'session.status_running', seq, at: undefined, summary: 'Running', status: 'running' };
}
