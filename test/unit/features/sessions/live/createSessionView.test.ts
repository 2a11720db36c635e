import assert from 'node:assert/strict';
import type { SessionSource } from '../../../../../src/features/sessions/facts/sessionSource';
import { createSessionView } from '../../../../../src/features/sessions/live/createSessionView';
import type { TranscriptEvent } from '../../../../../src/shared/session/event';
import type { SessionView } from '../../../../../src/shared/session/sessionView';
import { Transcript } from '../../../../../src/shared/session/transcript';

function viewOf(source: SessionSource, events: readonly TranscriptEvent[] = []): SessionView {
  const transcript = new Transcript();
  transcript.append(events);
  return createSessionView(source, transcript.state());
}

const second = (count: number) => `2026-11-21T09:00:${String(count).padStart(2, '0')}.000Z`;
const running = (count: number) => ({ type: 'session.status_running', id: `r${count}`, processed_at: second(count) });
const idle = (count: number, more: object = { type: 'end_turn' }) => ({
  type: 'session.status_idle',
  id: `i${count}`,
  processed_at: second(count),
  stop_reason: more,
});
const session = (more: object = {}) => ({ id: 'sesn_1', status: 'idle', updated_at: second(10), ...more });

describe('features/sessions/live/createSessionView', () => {
  it('trusts whichever is newer, the session or its events', () => {
    assert.equal(viewOf({ session: session() }, [running(5)]).state, 'idle');
    assert.equal(viewOf({ session: session() }, [running(10)]).state, 'running');
    assert.equal(viewOf({ session: session() }, [running(15)]).state, 'running');
    assert.equal(viewOf({ session: session({ updated_at: undefined }) }, [running(5)]).state, 'running');
    assert.equal(
      viewOf({ session: session({ updated_at: '2026-11-21T09:00:05.900Z' }) }, [{ ...running(5), processed_at: '2026-11-21T09:00:05Z' }])
        .state,
      'running',
    );
    assert.equal(viewOf({ session: session({ status: undefined }) }, [running(5)]).state, 'running');
    const renamed = { type: 'session.updated', id: 'u', title: 'New', processed_at: second(12) };
    assert.equal(viewOf({ session: session({ title: 'Old' }) }, [renamed]).title, 'New');
    assert.equal(viewOf({ session: session({ title: 'Newest', updated_at: second(13) }) }, [renamed]).title, 'Newest');
  });

  it("uses the user's first words if a session has no title", () => {
    const said = (text: string, id: string) => ({ type: 'user.message', id, content: [{ type: 'text', text }] });
    assert.equal(
      viewOf({ session: session() }, [said('Tidy up\nthe \u202enotes', 'm1'), said('Later', 'm2')]).firstWords,
      'Tidy up the \\u{202e}notes',
    );
    assert.equal(viewOf({ session: session() }, []).firstWords, '');
  });

  it('shows waiting whenever there is an open ask, even while the service says running', () => {
    const custom = { type: 'agent.custom_tool_use', id: 'c', name: 'weather', input: {}, processed_at: second(12) };
    const view = viewOf({ session: session() }, [running(11), custom]);
    assert.deepEqual([view.state, view.status], ['waiting', 'running']);
    assert.deepEqual(
      view.asks.map(({ eventId, kind }) => [eventId, kind]),
      [['c', 'customTool']],
    );
    const result = { type: 'user.custom_tool_result', id: 'r', custom_tool_use_id: 'c', content: [] };
    assert.equal(viewOf({ session: session() }, [running(11), custom, result]).state, 'running');
    const agent = { id: 'a', tools: [{ type: 'custom', name: 'weather', description: 'How it is outside.' }] };
    assert.equal(viewOf({ session: session({ agent }) }, [custom]).asks[0]?.definition?.description?.text, 'How it is outside.');
  });

  it('counts asks by thread, including sub-agents', () => {
    const call = { type: 'agent.tool_use', name: 'bash', input: {}, evaluated_permission: 'ask' };
    const threads = [
      { id: 'child', parent_thread_id: 'main', agent: { name: 'reviewer' }, created_at: second(2) },
      { id: 'main', parent_thread_id: null, created_at: second(1) },
    ];
    const view = viewOf({ session: session(), threads }, [
      running(11),
      { ...call, id: 'a' },
      { ...call, id: 'b', session_thread_id: 'child' },
      { ...call, id: 'c', session_thread_id: 'child' },
    ]);
    assert.deepEqual(
      view.threads.map(({ id, name, waiting }) => [id, name, waiting]),
      [
        ['main', 'Main', 1],
        ['child', 'reviewer', 2],
      ],
    );
    assert.deepEqual(
      view.asks.map(({ eventId, thread, threadName }) => [eventId, thread, threadName]),
      [
        ['a', undefined, undefined],
        ['b', 'child', 'reviewer'],
        ['c', 'child', 'reviewer'],
      ],
    );
  });

  it('shows an ask that the service lists without its call, with unknown arguments', () => {
    const events = [running(1), idle(2, { type: 'requires_action', event_ids: ['elsewhere'] })];
    const view = viewOf({}, events);
    assert.equal(view.state, 'waiting');
    assert.deepEqual(
      view.asks.map(({ eventId, rowKey, input }) => [eventId, rowKey, input]),
      [['elsewhere', 'i2', { type: 'json', text: '', cut: 1 }]],
    );
    const answer = { type: 'user.tool_confirmation', id: 'y', tool_use_id: 'elsewhere', result: 'allow' };
    assert.deepEqual(viewOf({}, [...events, answer]).asks, []);
    const call = { type: 'agent.tool_use', id: 'elsewhere', name: 'bash', input: { a: 1 } };
    assert.deepEqual(
      viewOf({}, [...events, call]).asks.map(({ tool, rowKey }) => [tool, rowKey]),
      [['bash', 'elsewhere']],
    );
    assert.deepEqual(viewOf({}, [...events, idle(3)]).asks, []);
  });

  it("doesn't count an ask while its answer is being sent", () => {
    const transcript = new Transcript();
    transcript.append([idle(1), { type: 'agent.tool_use', id: 'a', name: 'bash', input: {}, evaluated_permission: 'ask' }]);
    transcript.own.add({ clientId: 'x', events: [{ type: 'user.tool_confirmation', tool_use_id: 'a', result: 'allow' }] });
    const view = createSessionView({}, transcript.state());
    assert.equal(view.state, 'idle');
    assert.deepEqual(
      view.asks.map(({ answering }) => answering),
      [true],
    );
  });

  it("prefers the service's sums to those of the spans, and never makes up a bucket", () => {
    const span = (id: string) => ({ type: 'span.model_request_end', id, model_usage: { input_tokens: 10, output_tokens: 1 } });
    const none = { input: undefined, output: undefined, cacheRead: undefined, cacheWrite: undefined };
    assert.deepEqual(viewOf({ session: session() }).tokens, none);
    assert.deepEqual(viewOf({ session: session({ usage: {} }) }, [span('a'), span('b')]).tokens, { ...none, input: 20, output: 2 });
    assert.deepEqual(viewOf({ session: session({ usage: { input_tokens: 100 } }) }, [span('a')]).tokens, { ...none, input: 100 });
    const usage = { type: 'session.usage', id: 'u', usage: { input_tokens: 150, cache_read_input_tokens: 0 } };
    const view = viewOf({ session: session({ usage: { input_tokens: 100, output_tokens: 7 } }) }, [span('a'), usage]);
    assert.deepEqual(view.tokens, { ...none, input: 150, output: 7, cacheRead: 0 });
  });

  it("shows the events' sums, marked, if the service reports 0", () => {
    const span = { type: 'span.model_request_end', id: 'a', model_usage: { input_tokens: 20, output_tokens: 9 } };
    const zeros = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0 };
    const view = viewOf({ session: session({ usage: zeros }) }, [span]);
    assert.deepEqual([view.tokens.input, view.tokens.output, view.tokens.cacheRead, view.areTokensSummed], [20, 9, 0, true]);
    assert.equal(viewOf({ session: session({ usage: zeros }) }).areTokensSummed, undefined);
    assert.equal(viewOf({ session: session({ usage: { input_tokens: 30, output_tokens: 9 } }) }, [span]).areTokensSummed, undefined);
  });

  it("treats the thread with the session's ID as the main one if no thread lacks a parent", () => {
    const running = (id: string) => ({ type: 'session.thread_status_running', id: `e${id}`, session_thread_id: id, agent_name: '' });
    const names = (threads?: readonly { id: string; parent_thread_id?: string }[]) =>
      viewOf({ session: session(), ...(threads && { threads }) }, [running('sthr_1'), running('sthr_x')]).threads.map(({ id, name }) => [
        id,
        name,
      ]);
    const [main, other, ...more] = names();
    assert.deepEqual([main, other?.[0], more], [['sthr_1', 'Main'], 'sthr_x', []]);
    assert.deepEqual(names([{ id: 'sthr_x' }, { id: 'sthr_1' }])[0], ['sthr_1', 'Main']);
  });

  it('shows cost and budget in cents and a budget of another shape as JSON, and drops a removed one', () => {
    const budget = { type: 'limit', max_list_cost: { amount: '500', currency: 'USD' } };
    const usage = { list_cost: { amount: '125', currency: 'USD' } };
    const view = viewOf({ session: session({ budget, usage }) });
    assert.deepEqual(
      [view.budget, view.cost],
      [
        { cents: 500, currency: 'USD' },
        { cents: 125, currency: 'USD' },
      ],
    );
    assert.deepEqual(viewOf({ session: session({ budget: { points: 3 } }) }).budget, { json: '{\n  "points": 3\n}' });
    const removed = { type: 'session.updated', id: 'u', budget: null, processed_at: second(20) };
    assert.equal(viewOf({ session: session({ budget }) }, [removed]).budget, undefined);
    assert.equal(viewOf({ session: session({ budget, updated_at: second(21) }) }, [removed]).budget?.constructor, Object);
  });

  it("counts active time if the service doesn't", () => {
    assert.equal(viewOf({ session: session({ stats: { active_seconds: 4 } }) }, [running(1), idle(9)]).activeSeconds, 4);
    assert.equal(viewOf({}, [running(1), idle(3), running(10), idle(15)]).activeSeconds, 7);
    assert.equal(viewOf({}).activeSeconds, undefined);
  });

  it('merges the outcome of the session and of its events', () => {
    const events = [
      { type: 'user.define_outcome', id: 'd', outcome_id: 'o', description: 'Goal', processed_at: second(1) },
      {
        type: 'span.outcome_evaluation_end',
        id: 'e',
        outcome_id: 'o',
        iteration: 1,
        result: 'failed',
        explanation: 'Not yet',
        processed_at: second(12),
      },
    ];
    const outcome_evaluations = [{ outcome_id: 'o', result: 'satisfied', iteration: 2, explanation: 'Done' }];
    assert.deepEqual(viewOf({ session: session({ outcome_evaluations }) }, events).outcomes, [
      { id: 'o', description: 'Goal', result: 'failed', iteration: 1, explanation: 'Not yet' },
    ]);
    assert.deepEqual(viewOf({ session: session({ outcome_evaluations, updated_at: second(13) }) }, events).outcomes, [
      { id: 'o', description: 'Goal', result: 'satisfied', iteration: 2, explanation: 'Done' },
    ]);
  });

  it('reports that only a part was read, and derives no name from the middle', () => {
    const transcript = new Transcript();
    transcript.append([{ type: 'user.message', id: 'm', content: [{ type: 'text', text: 'Go on' }] }]);
    const view = createSessionView({ isPartial: true }, transcript.state());
    assert.deepEqual([view.isPartial, view.firstWords], [true, '']);
    assert.deepEqual(
      [createSessionView({}, transcript.state())].map(({ isPartial, firstWords }) => [isPartial, firstWords]),
      [[undefined, 'Go on']],
    );
  });

  it('reports that a turn ended with a question, until the user answers it', () => {
    const asks = { type: 'agent.message', id: 'm', content: [{ type: 'text', text: 'Which branch?' }], processed_at: second(11) };
    const idle = { type: 'session.status_idle', id: 'i', stop_reason: { type: 'end_turn' }, processed_at: second(12) };
    const answer = { type: 'user.message', id: 'a', content: [{ type: 'text', text: 'main' }], processed_at: second(13) };
    assert.equal(viewOf({ session: session() }, [asks]).rest, undefined);
    assert.deepEqual(viewOf({ session: session() }, [asks, idle]).rest, { kind: 'asked', eventId: asks.id });
    assert.equal(viewOf({ session: session() }, [asks, idle, answer]).rest, undefined);
    assert.equal(viewOf({ session: session() }, [asks, { ...idle, stop_reason: { type: 'requires_action' } }]).rest, undefined);
  });

  it('explains why nothing can be sent', () => {
    assert.equal(viewOf({ session: session() }).canSend, true);
    const archived = viewOf({ session: session({ archived_at: second(11) }) }, [{ type: 'agent.custom_tool_use', id: 'c', name: 'x' }]);
    assert.deepEqual([archived.state, archived.canSend, archived.asks], ['archived', false, []]);
    assert.equal(viewOf({ session: session({ status: 'terminated' }) }).whyNot, 'This session was terminated.');
    assert.equal(viewOf({ session: session(), isDeleted: true }).state, 'deleted');
    const again = [{ type: 'session.status_terminated', id: 't', processed_at: second(11) }, running(12)];
    assert.deepEqual([viewOf({ session: session() }, again).state, viewOf({ session: session() }, again).canSend], ['running', true]);
  });

  it('accepts no message while its budget is used up', () => {
    const spent = { type: 'session.status_idle', id: 'i', stop_reason: { type: 'budget_reached' }, processed_at: second(12) };
    const limit = (amount: string) => ({ type: 'limit', max_list_cost: { amount, currency: 'USD' } });
    const viewAt = (more: object, events: readonly object[] = [spent]) =>
      viewOf(
        { session: session({ usage: { list_cost: { amount: '50', currency: 'USD' } }, budget: limit('50'), ...more }) },
        events as never,
      );
    assert.deepEqual([viewAt({}).canSend, viewAt({}).whyNot], [false, 'Out of budget']);
    assert.equal(viewAt({ usage: {} }).canSend, false);
    assert.equal(viewAt({ budget: limit('80') }).canSend, true);
    assert.equal(viewAt({ budget: null }).canSend, true);
    assert.equal(viewAt({}, [spent, { type: 'session.updated', id: 'u', budget: limit('80'), processed_at: second(13) }]).canSend, true);
    assert.equal(viewAt({}, [{ ...spent, stop_reason: { type: 'end_turn' } }]).canSend, true);
  });

  it('keeps an unknown status', () => {
    const view = viewOf({ session: session({ status: 'hibernating' }) });
    assert.deepEqual([view.state, view.status, view.canSend], ['other', 'hibernating', true]);
  });

  it('shows a past moment from its events alone', () => {
    const events = [
      running(1),
      { type: 'session.thread_created', id: 't', session_thread_id: 'child', agent_name: 'reviewer', processed_at: second(2) },
      { type: 'span.model_request_end', id: 's', model_usage: { input_tokens: 3 }, processed_at: second(3) },
      idle(4),
    ];
    const source = {
      session: session({
        archived_at: second(9),
        usage: { input_tokens: 99 },
        title: 'Title',
        agent: { id: 'a', name: 'Agent', version: 2 },
      }),
      threads: [
        { id: 'main', parent_thread_id: null },
        { id: 'child', parent_thread_id: 'main' },
      ],
      isPast: true,
    };
    const before = viewOf(source, events.slice(0, 1));
    assert.deepEqual([before.state, before.title, before.agent?.name, before.canSend], ['running', 'Title', 'Agent', false]);
    assert.deepEqual([before.threads.length, before.tokens.input], [1, undefined]);
    const after = viewOf(source, events.slice(0, 4));
    assert.deepEqual([after.state, after.threads.length, after.tokens.input], ['idle', 2, 3]);
    assert.equal(viewOf(source, []).state, 'other');
  });

  it("makes safe labels from the service's names", () => {
    const agent = { id: 'a', name: 'A\u202eb', model: { id: 'm\u0007' } };
    const view = viewOf({ session: session({ title: 'x\ny', agent, resources: [{ type: 'file', file_id: 'f\u200b' }, null] }) });
    assert.deepEqual([view.title, view.agent?.name, view.agent?.model], ['x\\u{a}y', 'A\\u{202e}b', 'm\\u{7}']);
    assert.deepEqual(view.resources[0], { type: 'file', name: 'f\\u{200b}', mountPath: '' });
  });

  it('shows vaults, files that the session made, and the cost of each thread', () => {
    const bare = viewOf({ session: session({ vault_ids: [] }), files: [] });
    assert.deepEqual(['vaults' in bare, 'createdFiles' in bare], [false, false]);
    const usage = { list_cost: { amount: '12', currency: 'USD' } };
    const view = viewOf({
      session: session({ vault_ids: ['vlt_1', 7] }),
      files: [
        { id: 'file_1', filename: 'a\u202e.md', size_bytes: 5 },
        { id: 'file_2', filename: null },
      ],
      threads: [
        { id: 'main', parent_thread_id: null, usage },
        { id: 'child', parent_thread_id: 'main', usage: null },
      ],
    });
    assert.deepEqual(view.vaults, ['vlt_1']);
    const named = viewOf({ session: session({ vault_ids: ['vlt_1', 'vlt_2'] }), vaultNames: new Map([['vlt_2', 'Keys']]) });
    assert.deepEqual(named.vaults, ['vlt_1', 'Keys']);
    assert.deepEqual(view.createdFiles, [
      { id: 'file_1', name: 'a\\u{202e}.md', bytes: 5 },
      { id: 'file_2', name: 'file_2', bytes: undefined },
    ]);
    assert.deepEqual(
      view.threads.map(({ cost }) => cost),
      [{ cents: 12, currency: 'USD' }, undefined],
    );
  });
});
