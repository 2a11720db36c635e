import assert from 'node:assert/strict';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { scripts } from '../../../src/emulator/sessions/scripts/runScript';
import { call, openStream, type ReadEvent, SessionOnEmulator } from '../../helpers/emulatorClient';

type Stop = { readonly type: string; readonly event_ids?: readonly string[] };

describe('emulator/sessions/scripts', () => {
  let emulator: Emulator;

  beforeEach(async () => {
    emulator = await startEmulator({ scenario: { sessionPause: 0 } });
  });
  afterEach(() => emulator.stop());

  const start = (agent = 'Researcher', params: object = {}) => SessionOnEmulator.start(emulator, agent, params);
  const stopOf = async (session: SessionOnEmulator) => (await session.last('session.status_idle')).stop_reason as Stop;
  const textOf = (event: ReadEvent | undefined) => ((event?.content ?? []) as { text?: string }[]).map(({ text }) => text ?? '').join('\n');
  const allow = (id: string | undefined) => ({ type: 'user.tool_confirmation', tool_use_id: id, result: 'allow' });

  it('answers a message without a trigger word in steps, and lists the words', async () => {
    const session = await start();
    await session.say('Good morning to you');
    assert.deepEqual(await session.types(), [
      'user.message',
      'session.thread_status_running',
      'session.status_running',
      'span.model_request_start',
      'agent.thinking',
      'agent.message',
      'span.model_request_end',
      'span.model_request_start',
      'agent.message',
      'span.model_request_end',
      'session.thread_status_idle',
      'session.usage',
      'session.status_idle',
    ]);
    const text = textOf(await session.last('agent.message'));
    for (const word of Object.keys(scripts)) {
      assert.ok(text.includes(`\`${word}\``), word);
    }
    const [first] = (await session.events()).filter(({ type }) => type === 'agent.message');
    assert.ok(textOf(first).includes('Good morning to you'));
  });

  it('counts tokens, money and time of the session and its threads', async () => {
    emulator.setScenario({ sessionPause: 1000 });
    const session = await start();
    await session.say('think');
    await emulator.advanceClock(60_000);
    const { usage, stats } = await session.retrieve();
    const end = await session.last('span.model_request_end');
    const starts = (await session.events()).filter(({ type }) => type === 'span.model_request_start');
    assert.equal(end.model_request_start_id, starts.at(-1)?.id);
    assert.equal((end.model_usage as { output_tokens: number }).output_tokens, usage.output_tokens);
    assert.ok(usage.output_tokens > 0 && usage.cache_creation.ephemeral_5m_input_tokens > 1000);
    assert.ok(
      usage.active_seconds >= 4 && usage.active_seconds < 30 && stats.active_seconds === usage.active_seconds,
      JSON.stringify(usage),
    );
    assert.deepEqual((await session.last('session.usage')).usage, usage);
    const [thread] = (await call(emulator, 'GET', `/v1/sessions/${session.id}/threads?beta=true`)).json.data;
    assert.deepEqual([thread.usage.output_tokens, thread.parent_thread_id, thread.status], [usage.output_tokens, null, 'idle']);
  });

  it('is the same every time', async () => {
    const recordedEvents = async () => {
      const session = await start();
      await session.say('steps 3');
      return (await session.events()).map(({ id: _, processed_at: __, ...event }) =>
        JSON.stringify(event).replace(/(?:sevt|sthr)_\w+|"active_seconds":[\d.]+/g, 'VARIES'),
      );
    };
    assert.deepEqual(await recordedEvents(), await recordedEvents());
  });

  it('runs an allowed tool', async () => {
    const session = await start();
    await session.say('bash ls -l');
    const use = await session.last('agent.tool_use');
    const result = await session.last('agent.tool_result');
    assert.deepEqual([use.name, use.input, use.evaluated_permission], ['bash', { command: 'ls -l' }, 'allow']);
    assert.deepEqual([result.tool_use_id, result.is_error], [use.id, false]);
    assert.ok(textOf(result).includes('README.md'));
    assert.deepEqual(await stopOf(session), { type: 'end_turn' });
  });

  it("asks as the agent's permissions require, and continues when allowed", async () => {
    const session = await start('Careful Operator');
    await session.say('bash make clean');
    const use = await session.last('agent.tool_use');
    assert.equal(use.evaluated_permission, 'ask');
    assert.deepEqual(await stopOf(session), { type: 'requires_action', event_ids: [use.id] });
    assert.ok(!(await session.types()).includes('agent.tool_result'));
    assert.equal((await session.send(allow(use.id))).status, 200);
    assert.deepEqual([(await session.last('agent.tool_result')).tool_use_id, await stopOf(session)], [use.id, { type: 'end_turn' }]);
    const again = await session.send(allow(use.id));
    assert.match(again.json.error.message, /^events.0.tool_use_id: no call with the id sevt_\w+ waits for this/);
  });

  it('accepts a denial with its reason', async () => {
    const session = await start();
    await session.say('ask rm -rf /');
    const use = await session.last('agent.tool_use');
    await session.send({ type: 'user.tool_confirmation', tool_use_id: use.id, result: 'deny', deny_message: 'Far too dangerous' });
    const result = await session.last('agent.tool_result');
    assert.equal(result.is_error, true);
    assert.ok(textOf(result).includes('Far too dangerous'));
    assert.ok(textOf(await session.last('agent.message')).includes('Far too dangerous'));
    assert.deepEqual(await stopOf(session), { type: 'end_turn' });
  });

  it('asks for two calls at once and waits for both', async () => {
    const session = await start();
    await session.say('two');
    const asked = (await stopOf(session)).event_ids ?? [];
    assert.equal(asked.length, 2);
    await session.send(allow(asked[1]));
    assert.equal((await session.retrieve()).status, 'idle');
    assert.ok(!(await session.types()).includes('agent.tool_result'));
    await session.send({ ...allow(asked[0]), result: 'deny' });
    const results = (await session.events()).filter(({ type }) => type === 'agent.tool_result');
    assert.deepEqual(
      results.map(({ tool_use_id, is_error }) => [tool_use_id, is_error]),
      [
        [asked[0], true],
        [asked[1], false],
      ],
    );
  });

  it('calls a tool of an MCP server', async () => {
    const session = await start();
    await session.say('mcp open bugs');
    const use = await session.last('agent.mcp_tool_use');
    assert.deepEqual([use.mcp_server_name, use.evaluated_permission], ['issues', 'allow']);
    assert.equal((await session.last('agent.mcp_tool_result')).mcp_tool_use_id, use.id);
    const other = await start('Shopkeeper');
    await other.say('mcp');
    assert.equal((await other.last('agent.mcp_tool_use')).evaluated_permission, 'ask');
    assert.equal((await stopOf(other)).type, 'requires_action');
  });

  it('idles until a custom tool has its result', async () => {
    const session = await start('Shopkeeper');
    await session.say('What is the price of tea?');
    const use = await session.last('agent.custom_tool_use');
    assert.deepEqual([use.name, Object.keys(use.input as object)], ['get_price', ['item']]);
    assert.deepEqual(await stopOf(session), { type: 'requires_action', event_ids: [use.id] });
    const result = { type: 'user.custom_tool_result', custom_tool_use_id: use.id, content: [{ type: 'text', text: '3 EUR' }] };
    assert.equal((await session.send({ ...result, custom_tool_use_id: 'sevt_other' })).status, 400);
    assert.equal((await session.send(result)).status, 200);
    assert.ok(textOf(await session.last('agent.message')).includes('3 EUR'));
    assert.equal((await session.send(result)).status, 400);
  });

  it('runs a message after an answer that arrived in between', async () => {
    const session = await start();
    await session.say('ask ls');
    const [asked] = (await stopOf(session)).event_ids ?? [];
    const sent = (await session.say('think')).json.data[0];
    assert.equal(sent.processed_at, null);
    assert.equal((await session.last('user.message')).processed_at, null);
    await session.send(allow(asked));
    const types = await session.types();
    assert.ok(types.lastIndexOf('agent.thinking') > types.indexOf('agent.tool_result'));
    assert.notEqual((await session.last('user.message')).processed_at, null);
  });

  it('delegates work to a sub-agent on its own thread', async () => {
    const session = await start('Coordinator');
    await session.say('delegate look for bugs');
    const created = await session.last('session.thread_created');
    const child = String(created.session_thread_id);
    assert.equal(created.agent_name, 'Researcher');
    assert.equal((await session.last('agent.thread_message_sent')).to_session_thread_id, child);
    assert.equal((await session.last('agent.thread_message_received')).from_session_thread_id, child);
    assert.deepEqual(
      (await session.types(child)).filter(type => type.startsWith('agent.')),
      [
        'agent.thread_message_received',
        'agent.thinking',
        'agent.message',
        'agent.tool_use',
        'agent.tool_result',
        'agent.message',
        'agent.thread_message_sent',
      ],
    );
    assert.ok(!(await session.types()).includes('agent.tool_use'));
    const threads = (await call(emulator, 'GET', `/v1/sessions/${session.id}/threads?beta=true`)).json.data;
    assert.deepEqual(
      threads.map((thread: { status: string; agent: { name: string } }) => [thread.agent.name, thread.status]),
      [
        ['Coordinator', 'idle'],
        ['Researcher', 'idle'],
      ],
    );
    assert.equal((await session.retrieve()).status, 'idle');
  });

  it("lets a sub-agent ask, also on the session's log", async () => {
    const session = await start('Coordinator');
    await session.say('delegate both ask');
    const asks = (await session.events()).filter(({ type }) => type === 'agent.tool_use');
    assert.deepEqual(
      asks.map(({ session_thread_id }) => typeof session_thread_id),
      ['string', 'string'],
    );
    assert.deepEqual(
      (await stopOf(session)).event_ids,
      asks.map(({ id }) => id),
    );
    await session.send({ ...allow(asks[1]?.id), session_thread_id: asks[1]?.session_thread_id });
    assert.deepEqual(await stopOf(session), { type: 'requires_action', event_ids: [asks[0]?.id] });
    await session.send({ ...allow(asks[0]?.id), session_thread_id: asks[0]?.session_thread_id });
    assert.deepEqual(await stopOf(session), { type: 'end_turn' });
    for (const { id, session_thread_id: thread } of asks) {
      const events = await session.events('order=asc', String(thread));
      assert.ok(events.some(event => event.id === id) && events.some(({ tool_use_id }) => tool_use_id === id));
    }
  });

  it('archives an idle sub-agent thread, and never the main one', async () => {
    const session = await start('Coordinator');
    await session.say('delegate');
    const child = String((await session.last('session.thread_created')).session_thread_id);
    const archive = (id: string) => call(emulator, 'POST', `/v1/sessions/${session.id}/threads/${id}/archive?beta=true`);
    const first = await archive(child);
    assert.ok(first.json.archived_at);
    assert.deepEqual((await archive(child)).json, first.json);
    const [primary] = (await call(emulator, 'GET', `/v1/sessions/${session.id}/threads?beta=true`)).json.data;
    assert.equal((await archive(primary.id)).status, 400);
    assert.equal((await archive('sthr_nowhere')).status, 404);
  });

  it('is interrupted: open calls get an error, and it becomes idle', async () => {
    const session = await start();
    await session.say('two');
    const asked = (await stopOf(session)).event_ids ?? [];
    await session.send({ type: 'user.interrupt' });
    const results = (await session.events()).filter(({ type }) => type === 'agent.tool_result');
    assert.deepEqual(
      results.map(({ tool_use_id, is_error }) => [tool_use_id, is_error]),
      asked.map(id => [id, true]),
    );
    assert.deepEqual(await stopOf(session), { type: 'end_turn' });
    assert.equal((await session.send(allow(asked[0]))).status, 400);
  });

  it('continues with the message that came with an interrupt', async () => {
    emulator.setScenario({ sessionPause: 100 });
    const session = await start();
    await session.say('slow 30');
    assert.equal((await session.retrieve()).status, 'running');
    await session.send({ type: 'user.interrupt' }, { type: 'user.message', content: [{ type: 'text', text: 'think' }] });
    await emulator.advanceClock(60_000);
    const types = await session.types();
    assert.deepEqual(
      types.filter(type => type.startsWith('session.status') || type === 'agent.message'),
      ['session.status_running', 'session.status_idle', 'session.status_running', 'agent.message', 'session.status_idle'],
    );
  });

  it('interrupts one thread alone', async () => {
    const session = await start('Coordinator');
    await session.say('delegate both ask');
    const asks = (await session.events()).filter(({ type }) => type === 'agent.tool_use');
    await session.send({ type: 'user.interrupt', session_thread_id: asks[0]?.session_thread_id });
    assert.deepEqual((await stopOf(session)).event_ids, [asks[1]?.id]);
    await session.send(allow(asks[1]?.id));
    assert.deepEqual(await stopOf(session), { type: 'end_turn' });
    const received = (await session.events()).filter(({ type }) => type === 'agent.thread_message_received').map(textOf);
    assert.ok(received[0]?.includes('interrupted') && received[1]?.includes('done'), received.join(', '));
  });

  it('is rescheduled after a retryable error', async () => {
    const session = await start();
    await session.say('retry');
    const types = await session.types();
    const story = types.filter(type => /error|status_(?!.*thread)/.test(type) && !type.includes('thread'));
    assert.deepEqual(story, [
      'session.status_running',
      'session.error',
      'session.status_rescheduled',
      'session.status_running',
      'session.status_idle',
    ]);
    const { error } = await session.last('session.error');
    assert.deepEqual((error as { retry_status: object }).retry_status, { type: 'retrying' });
  });

  it('gives up in the middle of a message, and can be used again', async () => {
    const session = await start();
    const stream = await openStream(emulator, `/v1/sessions/${session.id}/events/stream?beta=true&event_deltas[]=agent.message`);
    await session.say('fail');
    await stream.until(({ events }) => events.at(-1)?.type === 'session.status_idle');
    stream.close();
    const previewed = stream.events.find(({ type }) => type === 'event_start')?.event as { id: string };
    assert.ok((await session.events()).every(({ id }) => id !== previewed.id));
    assert.deepEqual(await stopOf(session), { type: 'retries_exhausted' });
    assert.equal((await session.last('span.model_request_end')).is_error, true);
    await session.say('think');
    assert.deepEqual(await stopOf(session), { type: 'end_turn' });
  });

  it('is terminated permanently', async () => {
    const session = await start();
    await session.say('terminate');
    assert.equal((await session.types()).at(-1), 'session.status_terminated');
    assert.equal((await session.retrieve()).status, 'terminated');
    assert.equal((await session.say('hello')).status, 400);
  });
});
