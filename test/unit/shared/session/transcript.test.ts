import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TranscriptEvent } from '../../../../src/shared/session/event';
import { knownEventTypes } from '../../../../src/shared/session/rows/eventRows';
import type { Row, ToolRow } from '../../../../src/shared/session/rows/rows';
import { Transcript } from '../../../../src/shared/session/transcript';
import { eventLogs } from './eventLogs';
import { recordedStream } from './recordings';

/** Returns the previews of the messages in some events. */
function previewsOf(events: readonly TranscriptEvent[]): readonly TranscriptEvent[] {
  return events
    .filter(({ type }) => type === 'agent.message')
    .flatMap(({ id, type }) => [
      { type: 'event_start', event: { type, id } },
      { type: 'event_delta', event_id: id, delta: { type: 'content_delta', content: { type: 'text', text: 'wor' } } },
      { type: 'event_delta', event_id: id, delta: { type: 'content_delta', index: 1, content: { type: 'text', text: 'ds' } } },
      { type: 'event_delta', event_id: 'never begun', delta: { type: 'content_delta', content: { type: 'text', text: '?' } } },
    ]);
}

function rowsOf(events: readonly TranscriptEvent[]): readonly Row[] {
  const transcript = new Transcript();
  transcript.append(events);
  return transcript.rows;
}

function toolsOf(rows: readonly Row[]): readonly ToolRow[] {
  return rows.filter(row => row.kind === 'tool');
}

const message = (id: string, text: string, more: object = {}): TranscriptEvent => ({
  type: 'user.message',
  id,
  content: [{ type: 'text', text }],
  processed_at: '2026-11-21T09:00:00.000Z',
  ...more,
});

describe('shared/session/transcript', () => {
  it('shows one row per call of a recorded stream that sends calls twice', () => {
    const tools = toolsOf(rowsOf(recordedStream('125-stream-tool-confirm.sse')));
    assert.deepEqual(
      tools.map(({ name, state, askId, confirmation }) => ({ name, state, askId, answer: confirmation?.result })),
      [
        { name: 'Bash', state: 'done', askId: 'sevt_6383d8a14231bf1df97d4e11189bbc4f', answer: 'allow' },
        { name: 'Bash', state: 'denied', askId: 'sevt_bbeb8488346359acd4fa2c7cc53540da', answer: 'deny' },
        { name: 'get_weather', state: 'done', askId: 'sevt_customf09363c6d8a6', answer: undefined },
      ],
    );
  });

  it('returns the same rows for any batching of a log and any previews in between', () => {
    fc.assert(
      fc.property(eventLogs, fc.array(fc.record({ size: fc.nat(7), noise: fc.nat(5) })), (events, batches) => {
        const transcript = new Transcript();
        let start = 0;
        for (const { size, noise } of [...batches, { size: events.length, noise: 0 }]) {
          transcript.preview(previewsOf(events.slice(start, start + noise)));
          transcript.append(events.slice(start, start + size));
          start += size;
        }
        transcript.dropPreviews();
        assert.deepEqual(transcript.rows, rowsOf(events));
      }),
    );
  });

  it('returns the same rows for a log whose gap was filled later', () => {
    fc.assert(
      fc.property(eventLogs, fc.nat(60), fc.nat(60), (events, one, other) => {
        const [from = 0, to = 0] = [one, other].map(place => place % (events.length + 1)).sort((a, b) => a - b);
        const transcript = new Transcript();
        transcript.append(events.slice(0, from));
        transcript.gap('g', 'no history');
        transcript.append(events.slice(to));
        assert.equal(transcript.rows.filter(({ kind }) => kind === 'gap').length, 1);
        transcript.correct(events.slice(Math.max(0, from - 2)));
        assert.deepEqual(transcript.rows, rowsOf(events));
        assert.deepEqual(transcript.events, events);
        const whole = new Transcript();
        whole.append(events);
        assert.deepEqual(transcript.state(), whole.state());
      }),
    );
  });

  it('returns the same rows for a log in which events changed later', () => {
    fc.assert(
      fc.property(eventLogs, fc.nat(), fc.nat(), (events, one, other) => {
        const before = events[one % Math.max(1, events.length)];
        const alike = events.filter(({ type }) => type === before?.type);
        const after = { ...before, ...alike[other % Math.max(1, alike.length)], id: before?.id ?? '', type: before?.type ?? '' };
        const changed = events.map(event => (event === before ? after : event));
        const transcript = new Transcript('main');
        transcript.append(events);
        transcript.change(before === undefined ? [] : [after]);
        const whole = new Transcript('main');
        whole.append(changed);
        assert.deepEqual(transcript.rows, whole.rows);
        assert.deepEqual(transcript.state(), whole.state());
      }),
    );
  });

  it('measures a thought from the message before it, also if the time of the message comes later', () => {
    const thought = { type: 'agent.thinking', id: 'e1', processed_at: '2026-11-21T09:00:05.500Z' };
    const transcript = new Transcript('main');
    transcript.append([{ type: 'user.message', id: 'e0', content: 'go', processed_at: null }, thought]);
    transcript.change([{ type: 'user.message', id: 'e0', content: 'go', processed_at: '2026-11-21T09:00:01.500Z' }]);
    assert.deepEqual(
      transcript.rows.map(row => row.kind === 'thinking' && row.durationMs),
      [false, 4000],
    );
  });

  it('gives an interrupted call the time of the interrupt', () => {
    const at = (ms: number) => new Date(Date.UTC(2026, 10, 21) + ms).toISOString();
    const call = { type: 'agent.tool_use', id: 'e0', name: 'bash', input: {}, tool_use_id: 'toolu_0', evaluated_permission: 'ask' };
    const events = [
      { ...call, processed_at: at(0) },
      { type: 'user.interrupt', id: 'e1', processed_at: at(0) },
    ];
    const changed = { type: 'user.interrupt', id: 'e1', processed_at: at(1) };
    const transcript = new Transcript('main');
    transcript.append(events);
    transcript.change([changed]);
    const whole = new Transcript('main');
    whole.append([events[0] ?? assert.fail(), changed]);
    assert.deepEqual(transcript.rows, whole.rows);
  });

  it('knows when a queued message was processed', () => {
    const message = (id: string, ms: number | undefined): TranscriptEvent => ({
      type: 'user.message',
      id,
      content: [{ type: 'text', text: 'words' }],
      processed_at: ms === undefined ? null : new Date(ms).toISOString(),
    });
    const transcript = new Transcript('main');
    transcript.append([message('e0', 1000), message('e1', undefined)]);
    transcript.change([message('e1', 61_000)]);
    const { facts } = transcript.state();
    assert.equal(facts.lastAt?.ms, 61_000);
    assert.equal(facts.progress.lastAt, 61_000);
  });

  it('changes many events in one pass over the log', () => {
    let reads = 0;
    const counted = (event: TranscriptEvent): TranscriptEvent =>
      Object.defineProperty({ ...event }, 'type', {
        enumerable: true,
        get: () => {
          reads++;
          return event.type;
        },
      });
    const readsFor = (count: number) => {
      const messages = Array.from({ length: count }, (_, index) => message(`e${index}`, 'go', { processed_at: null }));
      const transcript = new Transcript('main');
      transcript.append(messages.map(counted));
      reads = 0;
      transcript.change(messages.map(({ id }) => counted(message(String(id), 'go'))));
      return reads;
    };
    const once = readsFor(500);
    assert.ok(once > 0);
    assert.ok(readsFor(1000) < 2.2 * once);
  });

  it('ends with the last content of an event that changed twice at once', () => {
    const transcript = new Transcript('main');
    transcript.append([message('e0', 'one')]);
    transcript.change([message('e0', 'two'), message('e0', 'one')]);
    assert.deepEqual(transcript.events, [message('e0', 'one')]);
  });

  it('starts with the current words of its first message', () => {
    const message = (text: string): TranscriptEvent => ({ type: 'user.message', id: 'u1', content: [{ type: 'text', text }] });
    const transcript = new Transcript('main');
    transcript.append([message('before')]);
    transcript.change([message('now')]);
    assert.equal(transcript.state().facts.firstWords, 'now');
  });

  it('keeps its result while the log grows', () => {
    const transcript = new Transcript('main');
    transcript.append([{ type: 'session.thread_created', id: 'a', session_thread_id: 't1', agent_name: 'one' }]);
    const { facts } = transcript.state();
    transcript.append([{ type: 'session.thread_created', id: 'b', session_thread_id: 't2', agent_name: 'two' }]);
    assert.deepEqual([...facts.threads.keys()], ['t1']);
    assert.deepEqual([...transcript.state().facts.threads.keys()], ['t1', 't2']);
  });

  it('returns the same object for a row until it changes', () => {
    const transcript = new Transcript('main');
    transcript.append([message('e1', 'one'), { type: 'agent.tool_use', id: 'c', name: 'bash', input: {} }]);
    const [one, call] = transcript.rows;
    transcript.append([{ type: 'agent.tool_result', id: 'r', tool_use_id: 'c', content: [] }, message('e2', 'two')]);
    assert.equal(transcript.rows[0], one);
    assert.notEqual(transcript.rows[1], call);
  });

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

  it('treats a repeated event as a change', () => {
    const transcript = new Transcript();
    transcript.append([message('e1', 'one'), { type: 'session.updated', id: 'u', title: 'old' }]);
    transcript.append([message('e1', 'uno'), { type: 'session.updated', id: 'u', title: 'new' }, message('e2', 'two')]);
    assert.deepEqual(
      transcript.rows.map(({ summary }) => summary),
      ['uno', 'new', 'two'],
    );
    assert.equal(transcript.state().facts.title?.value, 'new');
    assert.equal(transcript.events.length, 3);
  });

  it('keeps several gaps apart, each with its latest problem', () => {
    const transcript = new Transcript();
    transcript.gap('a', 'first');
    transcript.append([message('e1', 'one')]);
    transcript.gap('b', 'second');
    transcript.gap('a', 'still');
    transcript.append([message('e3', 'three')]);
    const summaries = () => transcript.rows.map(({ summary }) => summary);
    assert.deepEqual(summaries(), ['still', 'one', 'second', 'three']);
    transcript.correct([message('e0', 'zero'), message('e1', 'one'), message('e2', 'two'), message('e3', 'three')]);
    assert.deepEqual(summaries(), ['zero', 'one', 'two', 'three']);
  });

  it('orders events despite gaps, with what it knows of them', () => {
    const transcript = new Transcript();
    const rows = () => transcript.rows.map(({ key, summary }) => [key, summary]);
    transcript.append([message('e1', 'one'), message('e3', 'three')]);
    transcript.gap('g', 'no');
    transcript.append([message('e6', 'six'), message('e5', 'five'), message('e9', 'nine')]);
    transcript.correct([message('e3', 'an older copy'), message('e4', 'four'), message('e5', 'five'), message('e6', 'six')]);
    assert.deepEqual(rows(), [
      ['e1', 'one'],
      ['e3', 'three'],
      ['e4', 'four'],
      ['e5', 'five'],
      ['e6', 'six'],
      ['e9', 'nine'],
    ]);
  });

  it('orders events without an ID like the log', () => {
    const transcript = new Transcript();
    const plain = (text: string) => ({ type: 'agent.message', content: [{ type: 'text', text }] });
    transcript.gap('g', 'no');
    transcript.append([plain('two')]);
    transcript.correct([plain('one'), plain('two')]);
    assert.deepEqual(
      transcript.rows.map(({ summary }) => summary),
      ['one', 'two'],
    );
  });

  it('marks rows of other threads, but not of the shown one on a server that stamps all events', () => {
    const transcript = new Transcript();
    transcript.append([
      { type: 'agent.tool_use', id: 'a', name: 'bash', session_thread_id: 'main' },
      { type: 'session.status_idle', id: 'b', session_thread_id: 'main' },
      { type: 'agent.tool_use', id: 'c', name: 'bash', session_thread_id: 'child' },
    ]);
    assert.deepEqual(
      transcript.rows.map(({ thread }) => thread),
      [undefined, undefined, 'child'],
    );
    assert.equal(transcript.shownThread, 'main');
    const other = new Transcript();
    other.append([{ type: 'agent.tool_use', id: 'a', name: 'bash', session_thread_id: 'main' }]);
    assert.equal(other.rows[0]?.thread, 'main');
    other.setShownThread('main');
    assert.equal(other.rows[0]?.thread, undefined);
  });

  it('cuts long content between characters, and returns all of it on request', () => {
    const text = `${'x'.repeat(3999)}😀 and the needle at the end`;
    const input = { command: 'y'.repeat(5000) };
    const transcript = new Transcript();
    transcript.append([
      message('m', text),
      { type: 'agent.tool_use', id: 'call', name: 'bash', input, evaluated_permission: 'ask' },
      {
        type: 'agent.tool_result',
        id: 'r',
        tool_use_id: 'call',
        content: [
          { type: 'text', text: 'short' },
          { type: 'text', text },
        ],
      },
    ]);
    const [user, tool] = transcript.rows;
    assert.ok(user?.kind === 'user' && tool?.kind === 'tool');
    assert.deepEqual(user.parts, [{ type: 'text', text: 'x'.repeat(3999), cut: text.length }]);
    assert.deepEqual(transcript.partOf('m', 'parts.0'), { type: 'text', text });
    assert.deepEqual(transcript.partOf('call', 'input'), { type: 'json', text: JSON.stringify(input, null, 2) });
    assert.deepEqual(transcript.partOf('call', 'ask'), { type: 'json', text: JSON.stringify(input, null, 2) });
    assert.deepEqual(transcript.partOf('call', 'result.1'), { type: 'text', text });
    assert.deepEqual(transcript.partOf('r', 'result.0'), { type: 'text', text: 'short' });
    for (const [key, path] of [
      ['m', 'parts.1'],
      ['m', 'rubric'],
      ['nobody', 'parts.0'],
      ['m', 'constructor'],
    ] as const) {
      assert.equal(transcript.partOf(key, path), undefined);
    }
    assert.deepEqual(transcript.search('NEEDLE'), ['m', 'call']);
    assert.deepEqual(transcript.search('needle', { keysOnlyCut: true }), ['m', 'call']);
    assert.deepEqual(transcript.search('a.*z('), []);
    assert.deepEqual(transcript.search('-/[]{}()^$|\\?*+.,&#~`'), []);
    assert.deepEqual(transcript.search(''), []);
    assert.deepEqual(
      transcript.eventsOf('call').map(({ id }) => id),
      ['call', 'r'],
    );
  });

  it('never puts inlined data into a row, and returns it on request', () => {
    const transcript = new Transcript();
    const data = Buffer.from('an image').toString('base64');
    transcript.append([
      {
        type: 'user.message',
        id: 'm',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
          { type: 'image', source: { type: 'url', url: 'https://example.com/\u202ea.png' } },
          { type: 'image', source: { type: 'file', file_id: 'file_1' } },
          { type: 'document', title: 'notes', source: { type: 'base64', media_type: 'application/pdf', data } },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain words' } },
          { type: 'redacted' },
          { type: 'hologram', depth: 3 },
        ],
      },
    ]);
    const [row] = transcript.rows;
    assert.ok(row?.kind === 'user');
    assert.ok(!JSON.stringify(row).includes(data));
    assert.deepEqual(row.parts, [
      { type: 'image', source: 'base64', mediaType: 'image/png', bytes: 8, name: 'image/png' },
      { type: 'image', source: 'url', name: 'https://example.com/\\u{202e}a.png' },
      { type: 'image', source: 'file', name: 'file_1' },
      { type: 'document', title: 'notes', source: 'application/pdf', bytes: 8 },
      { type: 'document', title: 'text/plain', source: 'text/plain', text: 'plain words' },
      { type: 'redacted' },
      { type: 'json', text: '{\n  "type": "hologram",\n  "depth": 3\n}' },
    ]);
    assert.deepEqual(transcript.partOf('m', 'parts.0'), { type: 'image', text: '', mediaType: 'image/png', data });
    assert.deepEqual(transcript.partOf('m', 'parts.1'), { type: 'image', text: 'https://example.com/\u202ea.png' });
    assert.deepEqual(transcript.partOf('m', 'parts.3'), { type: 'document', text: '', mediaType: 'application/pdf', data });
    assert.deepEqual(transcript.partOf('m', 'parts.4'), { type: 'document', text: 'plain words' });
  });

  it('keeps hostile characters in content and out of summaries', () => {
    const text = 'a\u202eb\u001b[31m\u0000c\n  d';
    const [row] = rowsOf([message('m', text)]);
    assert.ok(row?.kind === 'user');
    assert.deepEqual(row.parts, [{ type: 'text', text }]);
    assert.equal(row.summary, 'a\\u{202e}b\\u{1b}[31m\\u{0}c d');
  });

  it('accepts events of any shape', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...oddTypes), fc.dictionary(fc.constantFrom(...oddFields), fc.jsonValue()))), list => {
        const transcript = new Transcript();
        transcript.append(list.map(([type, fields]) => ({ ...fields, type }) as TranscriptEvent));
        assert.equal(new Set(transcript.rows.map(({ key }) => key)).size, transcript.rows.length);
        for (const { key } of transcript.rows) {
          assert.ok(transcript.eventOf(key) !== undefined);
        }
        transcript.state();
        transcript.search('x');
      }),
    );
  });
});

const oddTypes = [...knownEventTypes, '', 'constructor', '__proto__', 'workflow_run.created'];
const oddFields = [
  'id',
  'message_id',
  'content',
  'message',
  'input',
  'name',
  'tool_use_id',
  'custom_tool_use_id',
  'result',
  'error',
  'usage',
  'model_usage',
  'stop_reason',
  'requires_action_details',
  'session_thread_id',
  'processed_at',
  'created_at',
  'outcome_id',
  'rubric',
  'agent',
  'budget',
];
