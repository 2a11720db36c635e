import type { TranscriptEvent } from '../../src/shared/session/event';
import type { Row } from '../../src/shared/session/rows/rows';
import { Transcript } from '../../src/shared/session/transcript';

type Told = Readonly<Record<string, unknown>> & { readonly type: string };

/** Builds events. Each event gets an id, and a time `after` seconds after the previous event. */
function toEvents(timed: readonly (readonly [after: number, event: Told])[]): readonly TranscriptEvent[] {
  let at = Date.UTC(2026, 0, 5, 9, 30);
  return timed.map(([after, event], index) => {
    at += after * 1000;
    return { id: `sevt_${index}`, processed_at: new Date(at).toISOString(), ...event };
  });
}

const text = (words: string) => [{ type: 'text', text: words }];
const says = (words: string): Told => ({ type: 'agent.message', content: text(words) });
const asksModel = (id: string): Told => ({ type: 'span.model_request_start', id });
const modelEnds = (id: string, input: number, output: number): Told => ({
  type: 'span.model_request_end',
  model_request_start_id: id,
  is_error: false,
  model_usage: { input_tokens: input, output_tokens: output, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
});
const calls = (id: string, name: string, input: object, more: object = {}): Told => ({ type: 'agent.tool_use', id, name, input, ...more });
const gives = (call: string, words: string): Told => ({ type: 'agent.tool_result', tool_use_id: call, content: text(words) });
const running: Told = { type: 'session.status_running' };
const usage: Told = {
  type: 'session.usage',
  usage: { input_tokens: 9000, output_tokens: 700, list_cost: { amount: '2', currency: 'USD' } },
};

/** A simple turn with four tool calls, each from its own model request, and an answer. */
export const simpleTurn: readonly TranscriptEvent[] = toEvents([
  [0, { type: 'user.message', content: text('Which files mention the old host name?') }],
  [0, running],
  ...(
    [
      ['glob', { pattern: 'docs/**/*.md' }, 'docs/a.md\ndocs/b.md\ndocs/c.md'],
      ['grep', { pattern: 'old.example.com', path: 'docs' }, 'docs/a.md:3'],
      ['read', { file_path: 'docs/a.md', offset: 1, limit: 20 }, '# A\n\nSee old.example.com.'],
      ['bash', { command: 'grep -rn old.example.com src | wc -l' }, '0'],
    ] as const
  ).flatMap(
    ([name, input, result], index) =>
      [
        [0.2, asksModel(`span_${index}`)],
        [1, { type: 'agent.thinking' }],
        [0.4, calls(`call_${index}`, name, input)],
        [0.1, modelEnds(`span_${index}`, 2000 + 300 * index, 90)],
        [1.3, gives(`call_${index}`, result)],
      ] as const,
  ),
  [0.2, asksModel('span_4')],
  [1.5, says('Only **docs/a.md** mentions it, on line 3. No source file does.')],
  [0.1, modelEnds('span_4', 3400, 40)],
  [0, usage],
  [0, { type: 'session.status_idle', stop_reason: { type: 'end_turn' } }],
]);

/**
 * Returns a turn that delegates a task to another agent, which asks for an approval. With `isAnswered`, the user has given the approval.
 */
export function approval(isAnswered: boolean): readonly TranscriptEvent[] {
  const checker = { session_thread_id: 'thread_2', agent_name: 'Link checker' };
  const asked = { type: 'session.status_idle', stop_reason: { type: 'requires_action', event_ids: ['deploy'] } };
  const answered: readonly (readonly [number, Told])[] = [
    [27, { type: 'user.tool_confirmation', tool_use_id: 'deploy', result: 'allow' }],
    [0, running],
    [3, gives('deploy', 'Deployed.')],
    [0.3, asksModel('span_2')],
    [1.2, says('The docs are deployed to **staging**.')],
    [0.1, modelEnds('span_2', 2100, 30)],
    [0, usage],
    [0, { type: 'session.status_idle', stop_reason: { type: 'end_turn' } }],
  ];
  return toEvents([
    [0, { type: 'user.message', content: text('Deploy the docs to staging.') }],
    [0, running],
    [0.2, asksModel('span_0')],
    [1, { type: 'agent.thinking', content: [{ type: 'thinking', thinking: 'First build, then have the links checked, then deploy.' }] }],
    [1, says("I'll build first, have the links checked, then run the deploy script.")],
    [0.3, calls('build', 'bash', { command: 'npm run build' })],
    [0.1, modelEnds('span_0', 1800, 120)],
    [4.1, gives('build', 'Built 42 pages.')],
    [0.1, { type: 'session.thread_created', ...checker }],
    [0, { type: 'session.thread_status_running', ...checker }],
    [
      0,
      {
        type: 'agent.thread_message_sent',
        to_session_thread_id: 'thread_2',
        to_agent_name: 'Link checker',
        content: text('Check all links.'),
      },
    ],
    [
      8,
      {
        type: 'agent.thread_message_received',
        from_session_thread_id: 'thread_2',
        from_agent_name: 'Link checker',
        content: text('All 120 links work.'),
      },
    ],
    [0, { type: 'session.thread_status_idle', ...checker, stop_reason: { type: 'end_turn' } }],
    [0.2, asksModel('span_1')],
    [1, calls('deploy', 'bash', { command: './deploy.sh staging' }, { evaluated_permission: 'ask' })],
    [0.1, modelEnds('span_1', 2000, 60)],
    [0, asked],
    ...(isAnswered ? answered : []),
  ]);
}

/** Returns the rows that a host builds from events. */
export function rowsOf(events: readonly TranscriptEvent[]): readonly Row[] {
  const transcript = new Transcript();
  transcript.append(events);
  return transcript.rows;
}
