import assert from 'node:assert/strict';
import type { Scenario } from '../../../src/emulator/scenarios';
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
    for (const { word } of scripts) {
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

  it('evaluates an outcome until it is satisfied', async () => {
    const session = await start();
    const outcome = { type: 'user.define_outcome', description: 'All tests pass', rubric: { type: 'text', content: '# Rubric' } };
    const [sent] = (await session.send(outcome)).json.data;
    assert.match(sent.outcome_id, /^outc_/);
    assert.equal(sent.max_iterations, 3);
    const ends = (await session.events()).filter(({ type }) => type === 'span.outcome_evaluation_end');
    assert.deepEqual(
      ends.map(({ iteration, result, outcome_id }) => [iteration, result, outcome_id]),
      [
        [1, 'needs_revision', sent.outcome_id],
        [2, 'satisfied', sent.outcome_id],
      ],
    );
    const [entry] = (await session.retrieve()).outcome_evaluations;
    assert.deepEqual(
      [entry.type, entry.outcome_id, entry.description, entry.result, entry.iteration, entry.explanation],
      ['outcome_evaluation', sent.outcome_id, 'All tests pass', 'satisfied', 2, 'Every point of the rubric is met.'],
    );
    assert.ok(entry.completed_at);
  });

  it('runs out of iterations, fails to evaluate, and accepts one outcome at a time', async () => {
    const session = await start();
    const outcome = (description: string, more: object = {}) => ({
      type: 'user.define_outcome',
      description,
      rubric: { type: 'text', content: 'x' },
      ...more,
    });
    await session.send(outcome('never good enough', { max_iterations: 2 }));
    await session.send(outcome('fails'));
    assert.deepEqual(
      (await session.retrieve()).outcome_evaluations.map((entry: { result: string; iteration: number }) => [entry.result, entry.iteration]),
      [
        ['max_iterations_reached', 2],
        ['failed', 1],
      ],
    );
    assert.equal((await session.send(outcome('one'), outcome('two'))).status, 400);
    assert.match((await session.send(outcome('x', { max_iterations: 21 }))).json.error.message, /^events.0.max_iterations: /);
    assert.match(
      (await session.send(outcome('x', { rubric: { type: 'file', file_id: 'file_x' } }))).json.error.message,
      /^events.0.rubric.file_id/,
    );
  });

  it('marks an interrupted outcome', async () => {
    emulator.setScenario({ sessionPause: 1000 });
    const session = await start();
    await session.send({ type: 'user.define_outcome', description: 'x', rubric: { type: 'text', content: 'x' } });
    assert.equal((await session.retrieve()).outcome_evaluations[0].completed_at, null);
    await session.send({ type: 'user.interrupt' });
    assert.equal((await session.retrieve()).outcome_evaluations[0].result, 'interrupted');
  });

  it("closes an outcome whose turn fails, but not one that hasn't started", async () => {
    emulator.setScenario({ sessionPause: 1000 });
    const outcome = { type: 'user.define_outcome', description: 'first', rubric: { type: 'text', content: 'x' } };
    const busy = await start();
    await busy.say('slow 60');
    await busy.send({ type: 'user.interrupt' }, outcome);
    await emulator.advanceClock(120_000);
    assert.equal((await busy.retrieve()).outcome_evaluations[0].result, 'satisfied');
    const poor = await start('Researcher', { budget: { type: 'limit', max_list_cost: { amount: '50', currency: 'USD' } } });
    await poor.send({ type: 'user.message', content: [{ type: 'text', text: 'spend 60' }] }, outcome);
    await emulator.advanceClock(120_000);
    assert.deepEqual(await stopOf(poor), { type: 'budget_reached' });
    assert.equal((await poor.retrieve()).outcome_evaluations[0].result, 'failed');
  });

  it('stops at its budget, and continues when the budget is raised', async () => {
    const session = await start('Researcher', { budget: { type: 'limit', max_list_cost: { amount: '50', currency: 'USD' } } });
    await session.say('spend 60');
    assert.deepEqual(await stopOf(session), { type: 'budget_reached' });
    assert.match((await session.say('more')).json.error.message, /budget of the session is spent/);
    assert.equal((await session.send({ type: 'user.interrupt' })).status, 200);
    const budget = (amount: string) => ({ budget: { type: 'limit', max_list_cost: { amount, currency: 'USD' } } });
    assert.equal((await call(emulator, 'POST', `/v1/sessions/${session.id}?beta=true`, budget('55'))).status, 400);
    assert.equal((await call(emulator, 'POST', `/v1/sessions/${session.id}?beta=true`, budget('5000'))).status, 200);
    await session.say('think');
    assert.deepEqual(await stopOf(session), { type: 'end_turn' });
    const free = await start();
    assert.match((await call(emulator, 'POST', `/v1/sessions/${free.id}?beta=true`, budget('10'))).json.error.message, /^budget: /);
  });

  it('leaves built-in tools to the client in a self-hosted environment', async () => {
    const environment = { name: 'mine', config: { type: 'self_hosted' } };
    const { id } = (await call(emulator, 'POST', '/v1/environments?beta=true', environment)).json;
    const session = await start('Researcher', { environment_id: id });
    await session.say('bash hostname');
    assert.equal((await session.retrieve()).status, 'running');
    const use = await session.last('agent.tool_use');
    await session.send({ type: 'user.tool_result', tool_use_id: use.id, content: [{ type: 'text', text: 'workstation-7' }] });
    assert.ok(textOf(await session.last('agent.message')).includes('workstation-7'));
    assert.deepEqual(await stopOf(session), { type: 'end_turn' });
  });

  for (const word of [
    'markdown',
    'question',
    'compact',
    'unknown',
    'workflow',
    'image',
    'edit a.ts',
    'search x',
    'broken',
    'help',
    'limited',
    'long 300',
    'huge 1',
  ]) {
    it(`follows the script "${word}" and ends its turn`, async () => {
      const session = await start();
      await session.say(word);
      assert.deepEqual(await stopOf(session), { type: 'end_turn' });
      const events = await session.events();
      assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
      const proof: Record<string, (event: ReadEvent) => boolean> = {
        markdown: event => textOf(event).includes('```ts'),
        question: event => textOf(event).includes('?'),
        compact: ({ type }) => type === 'agent.thread_context_compacted',
        unknown: ({ type }) => type === 'vendor.future_event',
        workflow: ({ type }) => type === 'workflow_run.status_ended',
        image: ({ type, content }) => type === 'agent.tool_result' && JSON.stringify(content).includes('"image/png"'),
        edit: ({ input }) => (input as { file_path?: string } | undefined)?.file_path === 'a.ts',
        search: event => JSON.stringify(event).includes('"search_result"'),
        broken: ({ is_error: failed }) => failed === true,
        help: event => textOf(event).includes('| `storm RATE SECONDS` |'),
        limited: ({ error }) => (error as { mcp_server_name?: string } | undefined)?.mcp_server_name === 'issues',
        long: event => textOf(event).length === 300,
        huge: event => textOf(event).length === 1_000_000,
      };
      const isProved = proof[word.split(' ')[0] ?? ''];
      assert.ok(isProved !== undefined && events.some(isProved));
    });
  }

  it('runs a workflow with agents on their own threads, and ends each phase before the run', async () => {
    const session = await start();
    await session.say('workflow 3');
    assert.deepEqual(await stopOf(session), { type: 'end_turn' });
    const events = await session.events();
    const ofRun = events.filter(({ type }) => type.startsWith('workflow_run.')).map(({ type }) => type.slice('workflow_run.'.length));
    const phase = ['phase_started', 'phase_ended'];
    assert.deepEqual(ofRun, ['created', 'status_running', ...phase, 'status_idle', 'status_running', ...phase, 'status_ended']);
    const run = events.find(({ type }) => type === 'workflow_run.created')?.workflow_run_id;
    const creations = events.filter(({ type }) => type === 'session.thread_created');
    assert.deepEqual([creations.length, new Set(creations.map(event => event.workflow_run_id))], [6, new Set([run])]);
    const ended = events.find(({ type }) => type === 'workflow_run.status_ended');
    assert.deepEqual(ended?.result, { type: 'completed' });
    const { data } = (await call(emulator, 'GET', `/v1/sessions/${session.id}/threads?beta=true`)).json;
    assert.equal((data as { workflow_run_id?: string }[]).filter(thread => thread.workflow_run_id === run).length, 6);
  });

  it('stops an interrupted workflow, and ends a failed one with its error', async () => {
    const session = await start();
    await session.say('workflow ask 1');
    await session.send({ type: 'user.interrupt' });
    assert.deepEqual((await session.last('workflow_run.status_ended')).result, { type: 'stopped' });
    const other = await start();
    await other.say('workflow fail');
    const error = { type: 'timeout_error', message: 'The phase took too long.' };
    assert.deepEqual((await other.last('workflow_run.status_ended')).result, { type: 'error', error });
    assert.deepEqual((await other.last('workflow_run.error')).error, error);
  });

  it('decides calls itself: one runs, one is denied with an error, one asks', async () => {
    const session = await start();
    await session.say('judge');
    const [asked] = (await stopOf(session)).event_ids ?? [];
    await session.send(allow(asked));
    const events = await session.events();
    const calls = events.filter(({ type }) => type === 'agent.tool_use');
    assert.deepEqual(
      calls.map(({ evaluation }) => evaluation),
      [
        { type: 'auto', evaluated_permission: { type: 'allow' } },
        { type: 'auto', evaluated_permission: { type: 'deny', reason_code: 'high_risk' } },
        { type: 'auto', evaluated_permission: { type: 'ask', reason_code: 'indeterminate' } },
      ],
    );
    const results = events.filter(({ type }) => type === 'agent.tool_result');
    assert.deepEqual(
      results.map(({ is_error: isError }) => isError),
      [false, true, false],
    );
  });

  it('sends everything that could harm a viewer', async () => {
    const session = await start();
    await session.say('hostile');
    const [asked] = (await stopOf(session)).event_ids ?? [];
    await session.send(allow(asked));
    const all = JSON.stringify(await session.events());
    for (const needle of ['<script>', 'javascript:', 'command:', '\u202e', '\\u001b[31m', '\\u0000', '\\ud800', '__proto__']) {
      assert.ok(all.includes(needle), needle);
    }
  });

  it('sends a storm of events', async () => {
    const session = await start();
    await session.say('storm 0 2500');
    const events = await session.events();
    assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
    assert.ok(events.length >= 2500);
    await session.say('storm 1000 2');
    await emulator.advanceClock(5000);
    assert.ok(textOf(await session.last('agent.message')).includes('2000 events'));
  });

  describe('with the style of other servers', () => {
    const as = (serverStyle: Scenario['serverStyle']) => emulator.setScenario({ serverStyle });

    it('keeps running while a custom tool waits (serverB)', async () => {
      as('serverB');
      const session = await start('Shopkeeper');
      const sent = await session.say('price tea');
      assert.equal(sent.json.data[0].processed_at, null);
      assert.equal((await session.retrieve()).status, 'running');
      assert.ok(!(await session.types()).includes('session.status_idle'));
      const { id } = await session.last('agent.custom_tool_use');
      const answer = await session.send({
        type: 'user.custom_tool_result',
        custom_tool_use_id: id,
        content: [{ type: 'text', text: '2' }],
      });
      assert.equal(answer.json.data[0].processed_at, null);
      assert.deepEqual(await stopOf(session), { type: 'end_turn' });
    });

    it('is idle again with the remaining ask after one of two answers (serverB)', async () => {
      as('serverB');
      const session = await start();
      await session.say('two');
      const [first, second] = (await stopOf(session)).event_ids ?? [];
      await session.send(allow(first));
      assert.deepEqual(await stopOf(session), { type: 'requires_action', event_ids: [second] });
    });

    it('has times in whole seconds, two events for one ask, idle events between spans, newest first (serverA)', async () => {
      as('serverA');
      const session = await start();
      const sent = (await session.say('ask ls')).json.data[0];
      assert.match(sent.processed_at, /T\d\d:\d\d:\d\dZ$/);
      assert.equal(sent.created_at, sent.processed_at);
      const uses = (await session.events()).filter(({ type }) => type === 'agent.tool_use');
      assert.deepEqual(
        uses.map(({ evaluated_permission }) => evaluated_permission),
        [undefined, 'ask'],
      );
      assert.equal(uses[0]?.tool_use_id, uses[1]?.tool_use_id);
      assert.deepEqual((await stopOf(session)).event_ids, [uses[1]?.id]);
      assert.equal((await session.send(allow('sevt_unknown'))).status, 200);
      await session.send(allow(uses[1]?.id));
      assert.equal((await session.last('agent.tool_result')).tool_use_id, uses[0]?.tool_use_id);
      assert.deepEqual((await session.types()).slice(-3), ['span.model_request_start', 'session.status_idle', 'span.model_request_end']);
      assert.deepEqual(
        (await session.events('')).map(({ id }) => id),
        (await session.events('order=desc')).map(({ id }) => id),
      );
      const body = await session.retrieve();
      assert.ok(!('budget' in body) && !('deployment_id' in body));
      assert.deepEqual([body.usage, body.stats], [{}, {}]);
    });
  });
});
