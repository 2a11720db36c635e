import assert from 'node:assert/strict';
import type { TranscriptEvent } from '../../../../src/shared/session/event';
import { Transcript } from '../../../../src/shared/session/transcript';
import { message, rowsOf, toolsOf } from './transcriptUnderTest';

describe('shared/session/transcript: own words', () => {
  it('shows streamed words until they are stored', () => {
    const transcript = new Transcript();
    transcript.preview([{ type: 'event_start', event: { type: 'agent.message', id: 'm1' } }]);
    transcript.preview([{ type: 'event_delta', event_id: 'm1', delta: { content: { text: 'Hel' } } }]);
    transcript.preview([{ type: 'event_delta', event_id: 'm1', delta: { index: 0, content: { text: 'lo' } } }]);
    assert.deepEqual(
      transcript.rows.map(row => row.kind === 'agent' && [row.key, row.preview, row.parts]),
      [['m1', true, [{ type: 'text', text: 'Hello' }]]],
    );
    transcript.append([{ type: 'session.status_running', id: 's1' }]);
    assert.deepEqual(
      transcript.rows.map(({ key }) => key),
      ['s1', 'm1'],
    );
    transcript.append([{ type: 'agent.message', id: 'm1', content: [{ type: 'text', text: 'Hello.' }] }]);
    assert.ok(transcript.rows[1]?.kind === 'agent' && transcript.rows[1].preview === undefined);
    transcript.preview([{ type: 'event_start', event: { type: 'agent.message', id: 'm1' } }]);
    assert.equal(transcript.rows.length, 2);
  });

  it('closes previews at the end of their request, restarts them, and limits their size', () => {
    const transcript = new Transcript();
    const start = { type: 'event_start', event: { type: 'agent.message', id: 'm1' } };
    const delta = (text: string, index?: unknown) => ({ type: 'event_delta', event_id: 'm1', delta: { index, content: { text } } });
    transcript.preview([start, delta('old'), start, delta('new'), delta('far', 1e9), delta('odd', -1), delta('half', 0.5)]);
    assert.deepEqual(
      transcript.rows.map(row => row.kind === 'agent' && row.parts),
      [[{ type: 'text', text: 'new' }]],
    );
    transcript.preview([delta('x'.repeat(100_000))]);
    const [row] = transcript.rows;
    assert.ok(row?.kind === 'agent' && row.parts[0]?.type === 'text');
    assert.equal(row.parts[0].text.length, 65_536);
    transcript.append([{ type: 'span.model_request_end', id: 'end' }]);
    assert.deepEqual(
      transcript.rows.map(({ key }) => key),
      ['end'],
    );
    transcript.preview([delta('late')]);
    assert.equal(transcript.rows.length, 1);
    transcript.preview([{ type: 'event_start', event: { type: 'agent.thinking', id: 't1' } }]);
    assert.deepEqual(
      transcript.rows.map(({ kind }) => kind),
      ['model', 'thinking'],
    );
  });

  it('never shows own words twice, whether the log or the response comes first', () => {
    const sent = { type: 'user.message', content: [{ type: 'text', text: 'hello' }] };
    const stored = message('e1', 'hello', { processed_at: null });
    for (const order of ['log first', 'answer first']) {
      const transcript = new Transcript();
      const deliveries = () => transcript.rows.map(row => row.kind === 'user' && [row.key, row.delivery]);
      transcript.own.add({ clientId: 'a', events: [sent] });
      assert.deepEqual(deliveries(), [['own a 0', 'sending']]);
      assert.deepEqual(transcript.eventOf('own a 0'), sent);
      const log = () => transcript.append([stored]);
      const answer = () => transcript.own.store({ clientId: 'a', events: [stored] });
      for (const step of order === 'log first' ? [log, answer] : [answer, log]) {
        step();
        assert.deepEqual(deliveries(), [['e1', 'queued']], order);
      }
      assert.ok(transcript.own.isStored('a') && !transcript.own.isStored('b'));
      transcript.change([message('e1', 'hello')]);
      assert.deepEqual(deliveries(), [['e1', 'delivered']]);
    }
  });

  it("treats a client's event as processed once later events show it, if the service never says when", () => {
    const queued = (id: string) => message(id, id, { processed_at: null });
    const event = (type: string, more: object = {}): TranscriptEvent => ({ type, ...more });
    const idle = (reason: string) => event('session.status_idle', { stop_reason: { type: reason } });
    const states = (events: readonly TranscriptEvent[]) =>
      rowsOf(events).flatMap(row => (row.kind === 'user' ? [`${row.key} ${row.delivery}`] : []));
    const running = event('session.status_running');
    assert.deepEqual(states([queued('a')]), ['a queued']);
    assert.deepEqual(states([queued('a'), running]), ['a delivered']);
    assert.deepEqual(states([queued('a'), event('agent.message', { content: 'hi' })]), ['a delivered']);
    // A message that arrives during a turn is handled after that turn, even if the turn waits for the user meanwhile.
    const during = [queued('a'), running, queued('b'), event('agent.message', { content: 'hi' })];
    assert.deepEqual(states(during), ['a delivered', 'b queued']);
    assert.deepEqual(states([...during, idle('requires_action'), running, event('span.model_request_start')]), ['a delivered', 'b queued']);
    assert.deepEqual(states([...during, idle('requires_action'), running, idle('end_turn')]), ['a delivered', 'b delivered']);
    assert.deepEqual(states([...during, idle('budget_reached')]), ['a delivered', 'b queued']);
    assert.deepEqual(states([...during, idle('budget_reached'), running]), ['a delivered', 'b delivered']);
    // A message of another thread doesn't show that `a` was delivered.
    assert.deepEqual(states([queued('a'), event('agent.message', { content: 'hi', session_thread_id: 'child' })]), ['a queued']);
  });

  it('marks queued messages as not delivered when the turn failed or the session ended, until the service says otherwise', () => {
    const words = (text: string) => ({ type: 'user.message', id: text, content: [{ type: 'text', text }], processed_at: null });
    const during = [words('a'), { type: 'session.status_running' }, words('b')];
    const failed = { type: 'session.status_idle', stop_reason: { type: 'retries_exhausted' } };
    const terminal = { type: 'session.error', error: { type: 'billing_error', retry_status: { type: 'terminal' } } };
    for (const death of [failed, terminal, { type: 'session.status_terminated' }, { type: 'session.deleted' }]) {
      const transcript = new Transcript();
      const deliveries = () => transcript.rows.flatMap(row => (row.kind === 'user' ? [row.delivery] : []));
      transcript.append([...during, death]);
      assert.deepEqual(deliveries(), ['delivered', 'undelivered'], death.type);
      transcript.append([words('c'), { type: 'session.status_running' }]);
      assert.deepEqual(deliveries(), ['delivered', 'undelivered', 'delivered']);
      transcript.change([{ ...words('b'), processed_at: '2026-11-28T19:00:00Z' }]);
      assert.deepEqual(deliveries(), ['delivered', 'delivered', 'delivered']);
    }
    const alone = new Transcript();
    alone.append([...during, failed, { type: 'session.status_running' }]);
    assert.deepEqual(
      alone.rows.flatMap(row => (row.kind === 'user' ? [row.delivery] : [])),
      ['delivered', 'delivered'],
    );
  });

  it('shows two events with one ID, and changes each by its own copy', () => {
    const transcript = new Transcript();
    const said = (text: string) => ({ type: 'agent.message', id: 'x', content: [{ type: 'text', text }] });
    const call = { type: 'agent.tool_use', id: 'x', name: 'bash', input: {} };
    transcript.append([said('Now'), call]);
    transcript.append([call, said('Later')]);
    assert.deepEqual(
      transcript.rows.map(({ kind, summary }) => [kind, summary]),
      [
        ['agent', 'Later'],
        ['tool', 'bash {}'],
      ],
    );
  });

  it('closes an ask when a later event shows that its answer was processed', () => {
    const transcript = new Transcript();
    const call = { type: 'agent.tool_use', id: 'c', name: 'bash', input: {}, evaluated_permission: 'ask', processed_at: 'x' };
    transcript.append([call, { type: 'session.status_idle', id: 'i', stop_reason: { type: 'requires_action', event_ids: ['c'] } }]);
    transcript.append([{ type: 'user.tool_confirmation', id: 'u', tool_use_id: 'c', result: 'allow', processed_at: null }]);
    assert.deepEqual(
      transcript.state().asks.map(({ answering }) => answering),
      [true],
    );
    transcript.append([{ type: 'session.status_running', id: 'r' }]);
    assert.deepEqual(transcript.state().asks, []);
  });

  it('tells own words from the same words of someone else by the IDs in the response', () => {
    const sent = { type: 'user.message', content: 'hello' };
    const transcript = new Transcript();
    transcript.own.add({ clientId: 'a', events: [sent] });
    transcript.append([message('theirs', 'hello')]);
    assert.deepEqual(
      transcript.rows.map(({ key }) => key),
      ['theirs'],
    );
    assert.ok(transcript.own.isStored('a'));
    transcript.own.store({ clientId: 'a', events: [message('mine', 'hello')] });
    assert.deepEqual(
      transcript.rows.map(({ key }) => key),
      ['theirs', 'mine'],
    );
    transcript.append([message('mine', 'hello')]);
    assert.deepEqual(
      transcript.rows.map(({ key }) => key),
      ['theirs', 'mine'],
    );
  });

  it('gives each of two equal messages the event that the response names', () => {
    const sent = { type: 'user.message', content: 'again' };
    const transcript = new Transcript();
    transcript.own.add({ clientId: 'a', events: [sent] });
    transcript.own.add({ clientId: 'b', events: [sent] });
    transcript.append([message('second', 'again')]);
    transcript.own.store({ clientId: 'b', events: [message('second', 'again')] });
    assert.deepEqual(
      transcript.rows.map(row => row.kind === 'user' && [row.key, row.delivery]),
      [
        ['second', 'delivered'],
        ['own a 0', 'sending'],
      ],
    );
    transcript.append([message('first', 'again')]);
    transcript.own.store({ clientId: 'a', events: [message('first', 'again')] });
    assert.equal(transcript.rows.length, 2);
  });

  it('keeps unsent words until the log shows them or the user removes them', () => {
    const transcript = new Transcript();
    transcript.own.add({ clientId: 'a', events: [{ type: 'user.message', content: 'hello' }] });
    transcript.own.fail('a', 'connection lost');
    assert.deepEqual(
      transcript.rows.map(row => row.kind === 'user' && [row.delivery, row.problem]),
      [['failed', 'connection lost']],
    );
    transcript.append([message('e1', 'hello')]);
    assert.deepEqual(
      transcript.rows.map(({ key }) => key),
      ['e1'],
    );
    transcript.own.add({ clientId: 'b', events: [{ type: 'user.message', content: 'bye' }, { type: 'user.interrupt' }] });
    assert.equal(transcript.rows.length, 3);
    transcript.own.fail('b', 'refused');
    assert.equal(transcript.rows.length, 2);
    transcript.own.remove('b');
    assert.equal(transcript.rows.length, 1);
  });

  it('recognizes own words in the log of a service that gives them no ID', () => {
    const transcript = new Transcript();
    const stored = { type: 'user.message', content: [{ type: 'text', text: 'hello' }], seq: 7, processed_at_ms: 1_795_253_663_123 };
    transcript.own.add({ clientId: 'a', events: [{ type: 'user.message', content: 'hello' }] });
    transcript.own.store({ clientId: 'a', events: [] });
    assert.deepEqual(
      transcript.rows.map(row => row.kind === 'user' && row.delivery),
      ['delivered'],
    );
    transcript.append([stored, { type: 'agent.message', message_id: 'msg_1', content: 'hi' }]);
    assert.deepEqual(
      transcript.rows.map(({ key, at }) => [key, at]),
      [
        ['#0', 1_795_253_663_123],
        ['msg_1', undefined],
      ],
    );
    assert.equal(transcript.eventOf('#0'), stored);
  });

  it('shows an answer that is being sent in the asks, not as a row', () => {
    const transcript = new Transcript();
    transcript.append([{ type: 'agent.tool_use', id: 'call', name: 'bash', input: {}, evaluated_permission: 'ask' }]);
    const asks = () => transcript.state().asks.map(({ eventId, answering }) => [eventId, answering]);
    assert.deepEqual(asks(), [['call', undefined]]);
    const confirmation = { type: 'user.tool_confirmation', tool_use_id: 'call', result: 'allow' };
    transcript.own.add({ clientId: 'a', events: [confirmation] });
    assert.equal(transcript.rows.length, 1);
    assert.deepEqual(asks(), [['call', true]]);
    transcript.own.fail('a', 'lost');
    assert.deepEqual(asks(), [['call', undefined]]);
    transcript.own.add({ clientId: 'b', events: [confirmation] });
    transcript.append([{ ...confirmation, id: 'c1', processed_at: null }]);
    assert.deepEqual(asks(), [['call', true]]);
    transcript.change([{ ...confirmation, id: 'c1', processed_at: '2026-11-21T09:00:00Z' }]);
    assert.deepEqual(asks(), []);
    assert.equal(toolsOf(transcript.rows)[0]?.state, 'running');
  });
});
