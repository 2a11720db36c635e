import type { MessageRow, Part, Row, ToolRow } from '../../src/shared/session/rows/rows';
import type { SessionView } from '../../src/shared/session/sessionView';

const start = Date.UTC(2026, 0, 5, 9, 30);

/** Saved state of a panel whose filter was "Everything". */
export const everything = { session: 's1', memory: { show: 'everything' } };

/** Returns the view of a running session, with changes. */
export function viewOf(changes: Partial<SessionView> = {}): SessionView {
  return {
    id: 'sesn_011CZ',
    title: 'Tidy up the release notes',
    firstWords: '',
    state: 'running',
    status: 'running',
    agent: { id: 'agent_01', name: 'Release helper', version: 3, model: 'model-small' },
    environmentId: 'env_01',
    createdAt: start,
    updatedAt: start + 90_000,
    activeSeconds: 61,
    durationSeconds: 90,
    tokens: { input: 12_400, output: 2310, cacheRead: 90_100, cacheWrite: 4000 },
    threads: [],
    asks: [],
    outcomes: [],
    resources: [{ type: 'file', name: 'notes.md', mountPath: '/workspace/notes.md' }],
    canSend: true,
    ...changes,
  };
}

export function textPart(text: string): Part {
  return { type: 'text', text };
}

function base(seq: number): { key: string; seq: number; at: number } {
  return { key: `sevt_${seq}`, seq, at: start + seq * 1000 };
}

export function messageRow(seq: number, text: string, changes: Partial<MessageRow> = {}): MessageRow {
  const kind = changes.kind ?? 'agent';
  return {
    ...base(seq),
    kind,
    type: `${kind}.message`,
    summary: text.split('\n')[0]?.slice(0, 200) ?? '',
    parts: [textPart(text)],
    ...changes,
  };
}

export function toolRow(seq: number, changes: Partial<ToolRow> = {}): ToolRow {
  return {
    ...base(seq),
    kind: 'tool',
    type: 'agent.tool_use',
    summary: 'bash: ls -la',
    tool: 'builtin',
    name: 'bash',
    input: { type: 'json', text: '{\n  "command": "ls -la"\n}' },
    state: 'done',
    permission: 'allow',
    result: { parts: [textPart('total 0\nREADME.md')], isError: false, seq: seq + 1, at: start + (seq + 1) * 1000 },
    durationMs: 1240,
    ...changes,
  };
}

/** Returns the rows of a long session: messages, tools and thinking in turn, all visible in the conversation. */
export function manyRows(count: number, from = 0): Row[] {
  return Array.from({ length: count }, (_, offset): Row => {
    const seq = from + offset;
    switch (seq % 5) {
      case 0:
        return messageRow(seq, `Message ${seq}: looked at **part ${seq}** of the notes.`);
      case 1:
        return toolRow(seq, { summary: `bash: grep -n ${seq}`, input: { type: 'json', text: `{"command":"grep -n ${seq}"}` } });
      case 2:
        return toolRow(seq, { name: 'read', summary: `read: ${seq}`, input: { type: 'json', text: `{"file_path":"${seq}.md"}` } });
      case 3:
        return { ...base(seq), kind: 'thinking', type: 'agent.thinking', summary: `Step ${seq}`, parts: [textPart(`Step ${seq}`)] };
      default:
        return toolRow(seq, { name: 'glob', summary: `glob: ${seq}`, input: { type: 'json', text: `{"pattern":"${seq}*"}` } });
    }
  });
}

/** Returns one row of every kind and state. */
export function everyRow(): Row[] {
  let seq = 0;
  const next = (): { key: string; seq: number; at: number } => base(seq++);
  return [
    { ...messageRow(0, 'Please tidy up the **release notes** and check the links.', { kind: 'user' }), ...next() },
    { ...next(), kind: 'status', type: 'session.status_running', summary: 'Running', status: 'running', agentName: 'Release helper' },
    {
      ...next(),
      ...{
        kind: 'model',
        type: 'span.model_request_start',
        summary: 'Model request',
        end: { seq: 9, at: undefined },
        isError: false,
        durationMs: 2310,
      },
      tokens: { input: 1200, output: 340, cacheRead: 9000, cacheWrite: undefined },
    },
    {
      ...next(),
      kind: 'thinking',
      type: 'agent.thinking',
      summary: 'First look at what is there',
      parts: [textPart('First look at *what is there*.')],
    },
    {
      ...messageRow(0, richText),
      ...next(),
    },
    { ...toolRow(0), ...next() },
    {
      ...toolRow(0, { name: 'read', summary: 'read', input: { type: 'json', text: '{"path":"notes.md","lines":40}' }, state: 'running' }),
      ...next(),
    },
    {
      ...toolRow(0, { name: 'issues', server: 'tracker', tool: 'mcp', state: 'failed', durationMs: 312, summary: 'issues' }),
      ...next(),
      result: { parts: [textPart('Connection refused')], isError: true, seq, at: start },
    },
    {
      ...toolRow(0, { state: 'denied', summary: 'bash: rm -rf build', input: { type: 'json', text: '{"command":"rm -rf build"}' } }),
      ...next(),
    },
    {
      ...toolRow(0, {
        state: 'waiting',
        permission: 'ask',
        summary: 'bash: git push',
        input: { type: 'json', text: '{"command":"git push"}' },
      }),
      ...next(),
    },
    {
      ...toolRow(0, { state: 'waiting', tool: 'custom', name: 'pick_colour', summary: 'pick_colour', input: { type: 'json', text: '{}' } }),
      ...next(),
    },
    {
      ...next(),
      kind: 'thread',
      type: 'session.thread_created',
      summary: 'Thread',
      step: 'created',
      otherThread: 'thread_2',
      agentName: 'Link checker',
      parts: [],
    },
    {
      ...next(),
      kind: 'thread',
      type: 'agent.thread_message_sent',
      summary: 'Check all links',
      step: 'sent',
      otherThread: 'thread_2',
      agentName: 'Link checker',
      parts: [textPart('Check all links.')],
    },
    {
      ...next(),
      kind: 'error',
      type: 'session.error',
      summary: 'Overloaded',
      errorType: 'model_overloaded_error',
      message: 'The model is overloaded.',
      retry: 'retrying',
    },
    {
      ...next(),
      kind: 'error',
      type: 'session.error',
      summary: 'Failed',
      errorType: 'model_request_failed_error',
      message: 'The request was not accepted.',
      retry: 'terminal',
      details: { type: 'json', text: '{\n  "type": "x"\n}' },
    },
    {
      ...next(),
      kind: 'outcome',
      type: 'span.outcome_evaluation_end',
      summary: 'Needs revision',
      step: 'ended',
      outcomeId: 'o1',
      iteration: 1,
      maxIterations: 3,
      result: 'needs_revision',
      explanation: 'Two links still lead nowhere.',
    },
    { ...next(), kind: 'note', type: 'agent.thread_context_compacted', summary: '' },
    {
      ...next(),
      kind: 'usage',
      type: 'session.usage',
      summary: '',
      tokens: { input: 4, output: 5, cacheRead: 6, cacheWrite: 7 },
      cost: { cents: 12.5, currency: 'USD' },
    },
    { ...next(), kind: 'update', type: 'session.updated', summary: 'Title changed', details: { type: 'json', text: '{"title":"x"}' } },
    {
      ...next(),
      kind: 'unknown',
      type: 'agent.dreamt',
      summary: 'An event of an unknown type',
      json: { type: 'json', text: '{\n  "type": "agent.dreamt"\n}' },
    },
    {
      ...next(),
      kind: 'gap',
      type: '',
      summary: 'Events may be missing here',
      problem: 'The history could not be read: 503 from 127.0.0.1.',
    },
    { ...messageRow(0, 'And push it, please.', { kind: 'user', delivery: 'queued' }), ...next() },
    { ...messageRow(0, 'And tag it.', { kind: 'user', delivery: 'undelivered' }), ...next() },
    {
      ...next(),
      kind: 'status',
      type: 'session.status_idle',
      summary: '',
      status: 'idle',
      stopReason: 'refusal',
      refusal: { category: 'cyber' },
    },
    {
      ...messageRow(0, 'One more thing.', {
        kind: 'user',
        delivery: 'failed',
        problem: 'The service did not answer within 120 s. Whether it has the message is not known.',
      }),
      ...next(),
    },
    { ...messageRow(0, 'I am writing', { preview: true }), ...next() },
  ];
}

const richText = `## What I found

The notes have **three** parts, see [the guide](https://example.com/guide "Guide") and \`notes.md\`:

1. *Added*: fine
2. Fixed: ~~two~~ three links are broken
   - nested one
   - nested two

> A quotation from the notes.

| file | links | broken |
|---|---:|:---:|
| notes.md | 14 | 2 |
| CHANGELOG.md | 3 | 1 |

\`\`\`ts
const broken = links.filter(link => !link.ok);
\`\`\`

![chart](https://example.com/chart.png)`;
