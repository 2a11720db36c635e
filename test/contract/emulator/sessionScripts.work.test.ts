import assert from 'node:assert/strict';
import type { Scenario } from '../../../src/emulator/scenarios';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { call, type ReadEvent, SessionOnEmulator } from '../../helpers/emulatorClient';

type Stop = { readonly type: string; readonly event_ids?: readonly string[] };

describe('emulator/sessions/scripts (outcomes, budgets, workflows, styles)', () => {
  let emulator: Emulator;

  beforeEach(async () => {
    emulator = await startEmulator({ scenario: { sessionPause: 0 } });
  });
  afterEach(() => emulator.stop());

  const start = (agent = 'Researcher', params: object = {}) => SessionOnEmulator.start(emulator, agent, params);
  const stopOf = async (session: SessionOnEmulator) => (await session.last('session.status_idle')).stop_reason as Stop;
  const textOf = (event: ReadEvent | undefined) => ((event?.content ?? []) as { text?: string }[]).map(({ text }) => text ?? '').join('\n');
  const allow = (id: string | undefined) => ({ type: 'user.tool_confirmation', tool_use_id: id, result: 'allow' });

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
