import type { MessageRow, Row, ToolRow } from '../../../../src/shared/session/rows/rows';

/** Returns the row of an agent's message. */
export function message(seq: number, text = `Message ${seq}`, changes: Partial<MessageRow> = {}): MessageRow {
  return {
    ...{ key: `k${seq}`, kind: 'agent', type: 'agent.message', seq, at: seq * 1000, summary: text.slice(0, 200) },
    parts: [{ type: 'text', text }],
    ...changes,
  };
}

/** Returns the row of a tool call with a result. */
export function tool(seq: number, changes: Partial<ToolRow> = {}): ToolRow {
  return {
    ...{ key: `k${seq}`, kind: 'tool', type: 'agent.tool_use', seq, at: seq * 1000, summary: `bash ${seq}` },
    ...{ tool: 'builtin', name: 'bash', state: 'done' },
    input: { type: 'json', text: '{"command":"ls"}' },
    result: { parts: [{ type: 'text', text: 'README.md' }], isError: false, seq: seq + 1, at: undefined },
    ...changes,
  };
}

/** Returns a status row. Status rows are rendered as thin lines. */
export function status(seq: number): Row {
  return { key: `k${seq}`, kind: 'status', type: 'session.status_running', seq, at: undefined, summary: 'Running', status: 'running' };
}
