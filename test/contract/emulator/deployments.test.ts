import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { call } from '../../helpers/emulatorClient';

const minute = 60_000;
const hour = 60 * minute;
const events = [{ type: 'user.message', content: [{ type: 'text', text: 'Say hello' }] }];
const hourly = { type: 'cron', expression: '0 * * * *', timezone: 'Europe/Berlin' };

describe('emulator/deployments', () => {
  let emulator: Emulator;
  let agent: { readonly id: string; readonly version: number };
  let environment: string;

  const ask = async (method: string, target: string, body?: object) => {
    const beta = { 'vendor-beta': 'managed-agents-2026-04-01, agent-memory-2026-07-22' };
    const { status, json, text } = await call(emulator, method, `/v1/${target}${target.includes('?') ? '&' : '?'}beta=true`, body, beta);
    assert.equal(status, 200, text);
    return json;
  };
  const refused = async (method: string, target: string, body?: object) => {
    const { status, json } = await call(emulator, method, `/v1/${target}?beta=true`, body);
    return [status, json.error.message];
  };
  const deploy = (fields: object = {}) =>
    ask('POST', 'deployments', { name: 'Nightly', agent: agent.id, environment_id: environment, initial_events: events, ...fields });
  /** Advances the clock past the next run times, including the delay that a session may have. */
  const passTimes = async (id: string, count: number) => {
    const { schedule } = await ask('GET', `deployments/${id}`);
    const { json } = await call(emulator, 'GET', '/_emulator/clock');
    await emulator.advanceClock(Date.parse(schedule.upcoming_runs_at[count - 1]) + 9 * minute - Date.parse(json.now));
  };
  const runsOf = async (id: string) => (await ask('GET', `deployment_runs?deployment_id=${id}`)).data;

  async function begin(stateFolder?: string): Promise<void> {
    emulator = await startEmulator({ scenario: { sessionPause: 0 }, ...(stateFolder === undefined ? {} : { stateFolder }) });
    agent = (await ask('GET', 'agents?limit=1')).data[0];
    environment = (await ask('GET', 'environments?limit=1')).data[0].id;
  }

  beforeEach(() => begin());
  afterEach(() => emulator.stop());

  it('creates, changes and archives one, in the recorded shape', async () => {
    const made = await deploy({ schedule: { type: 'cron', expression: '0 20 * * 5', timezone: 'America/New_York' }, metadata: { a: '1' } });
    const { id, created_at: created, updated_at: updated, schedule, ...rest } = made;
    assert.match(id, /^depl_\w{24}$/);
    assert.equal(created, updated);
    assert.deepEqual(rest, {
      type: 'deployment',
      name: 'Nightly',
      description: '',
      agent: { type: 'agent', id: agent.id, version: agent.version },
      environment_id: environment,
      vault_ids: [],
      initial_events: events,
      resources: [],
      metadata: { a: '1' },
      status: 'active',
      paused_reason: null,
      budget: null,
      archived_at: null,
    });
    assert.equal(schedule.last_run_at, null);
    assert.equal(schedule.upcoming_runs_at.length, 5);
    for (const time of schedule.upcoming_runs_at) {
      assert.match(new Date(time).toLocaleString('en', { timeZone: 'America/New_York', weekday: 'short', hour: 'numeric' }), /^Fri.*8 PM$/);
    }
    const changed = await ask('POST', `deployments/${id}`, { description: 'x', schedule: null, metadata: { a: null, b: '2' } });
    assert.deepEqual([changed.description, changed.schedule, changed.metadata, changed.name], ['x', null, { b: '2' }, 'Nightly']);
    const archived = await ask('POST', `deployments/${id}/archive`);
    assert.ok(archived.archived_at !== null && archived.status === 'active');
    assert.deepEqual(await ask('POST', `deployments/${id}/archive`), archived);
    for (const [verb, what] of [
      ['', 'updated'],
      ['/pause', 'paused'],
      ['/unpause', 'unpaused'],
      ['/run', 'run'],
    ]) {
      assert.deepEqual(await refused('POST', `deployments/${id}${verb}`, {}), [400, `archived deployments cannot be ${what}`]);
    }
  });

  it('lists by agent, state and archive', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      ids.unshift((await deploy({ name })).id);
    }
    const [c, b, a] = ids;
    await ask('POST', `deployments/${b}/pause`);
    await ask('POST', `deployments/${a}/archive`);
    const listed = async (query: string) => (await ask('GET', `deployments?${query}`)).data.map((one: { id: string }) => one.id);
    assert.deepEqual(await listed('limit=5'), [c, b]);
    assert.deepEqual(await listed('include_archived=true'), [c, b, a]);
    assert.deepEqual(await listed('status=paused'), [b]);
    assert.deepEqual(await listed(`agent_id=${agent.id}&status=active`), [c]);
    assert.deepEqual(await listed('agent_id=agent_none'), []);
    assert.equal((await refused('GET', 'deployments?status=asleep'))[0], 400);
    assert.equal((await call(emulator, 'GET', '/v1/deployments?beta=true&status=paused&include_archived=true')).status, 400);
    assert.equal((await call(emulator, 'GET', '/v1/deployments?beta=true&limit=101')).status, 400);
  });

  for (const [what, fields, message] of [
    [
      'an expression of one field',
      { schedule: { ...hourly, expression: 'nope' } },
      'schedule.expression expected exactly 5 fields, found 1: [nope]',
    ],
    ['a minute that no hour has', { schedule: { ...hourly, expression: '61 * * * *' } }, 'schedule.expression failed to parse: 61'],
    ['a zone that is none', { schedule: { ...hourly, timezone: 'Mars/Base' } }, 'schedule.timezone unknown time zone Mars/Base'],
    ['an unknown agent', { agent: 'agent_x' }, 'agent: agent not found: agent_x'],
    ['an unknown environment', { environment_id: 'env_x' }, 'environment_id: environment not found: env_x'],
    ['no first events', { initial_events: [] }, /^initial_events/],
    ['an event that begins nothing', { initial_events: [{ type: 'user.interrupt' }] }, /^initial_events\.0/],
    ['a resource of another shape', { resources: [{ type: 'file' }] }, 'resources.0.file_id: Field required'],
    ['a name that is too long', { name: 'n'.repeat(257) }, /^name/],
    [
      'a budget in no money',
      { budget: { type: 'limit', max_list_cost: { amount: '1.5', currency: 'USD' } } },
      /^budget\.max_list_cost\.amount/,
    ],
  ] as const) {
    it(`rejects ${what}`, async () => {
      const body = { name: 'n', agent: agent.id, environment_id: environment, initial_events: events, ...fields };
      const [status, errorMessage] = await refused('POST', 'deployments', body);
      assert.equal(status, 400);
      assert.ok(typeof message === 'string' ? errorMessage === message : message.test(errorMessage), errorMessage);
    });
  }

  it('starts a session soon after each scheduled time', async () => {
    const { id, schedule } = await deploy({
      schedule: hourly,
      budget: { type: 'limit', max_list_cost: { amount: '500', currency: 'USD' } },
    });
    const [first, second] = schedule.upcoming_runs_at;
    await passTimes(id, 2);
    const runs = await runsOf(id);
    assert.deepEqual(
      runs.map((run: { trigger_context: object }) => run.trigger_context),
      [second, first].map(time => ({ type: 'schedule', scheduled_at: time })),
    );
    for (const run of runs) {
      const late = Date.parse(run.created_at) - Date.parse(run.trigger_context.scheduled_at);
      assert.ok(late >= 0 && late <= 9 * minute, `${late}`);
      assert.equal(run.error, null);
      assert.deepEqual(await ask('GET', `deployment_runs/${run.id}`), run);
      const session = await ask('GET', `sessions/${run.session_id}`);
      assert.deepEqual([session.deployment_id, session.budget.max_list_cost.amount], [id, '500']);
      const log = await ask('GET', `sessions/${run.session_id}/events?order=asc`);
      assert.ok(log.data.some((event: { type: string }) => event.type === 'user.message'));
    }
    const now = await ask('GET', `deployments/${id}`);
    assert.equal(now.schedule.last_run_at, runs[0].created_at);
    assert.ok(Date.parse(now.schedule.upcoming_runs_at[0]) > Date.parse(second));
    const sessions = await ask('GET', `sessions?deployment_id=${id}`);
    assert.deepEqual(
      sessions.data.map((one: { id: string }) => one.id),
      runs.map((run: { session_id: string }) => run.session_id),
    );
    await ask('POST', `deployments/${id}`, { budget: { type: 'limit', max_list_cost: { amount: '900', currency: 'USD' } } });
    assert.equal((await ask('GET', `sessions/${runs[0].session_id}`)).budget.max_list_cost.amount, '500');
  });

  it("doesn't run while it is paused, skips missed runs, and runs on request", async () => {
    const { id } = await deploy({ schedule: hourly });
    const paused = await ask('POST', `deployments/${id}/pause`);
    assert.deepEqual([paused.status, paused.paused_reason], ['paused', { type: 'manual' }]);
    assert.equal(paused.schedule.upcoming_runs_at.length, 5);
    await passTimes(id, 3);
    assert.deepEqual(await runsOf(id), []);
    const run = await ask('POST', `deployments/${id}/run`);
    assert.deepEqual([run.trigger_context, run.error, run.deployment_id], [{ type: 'manual' }, null, id]);
    assert.deepEqual(await runsOf(id), [run]);
    assert.equal((await ask('GET', `deployments/${id}`)).schedule.last_run_at, null);
    const unpaused = await ask('POST', `deployments/${id}/unpause`);
    assert.deepEqual([unpaused.status, unpaused.paused_reason], ['active', null]);
    await passTimes(id, 1);
    assert.deepEqual((await ask('GET', `deployment_runs?deployment_id=${id}&trigger_type=manual`)).data, [run]);
    assert.equal((await ask('GET', `deployment_runs?deployment_id=${id}&trigger_type=schedule&has_error=false`)).data.length, 1);
  });

  it('is paused by an error that would recur, and records the error on the run', async () => {
    const well = await deploy({ schedule: hourly });
    const other = await ask('POST', 'environments', { name: 'Other', config: { type: 'cloud' } });
    const { id } = await deploy({ schedule: hourly, environment_id: other.id });
    await ask('POST', `environments/${other.id}/archive`);
    await passTimes(id, 3);
    const [run, ...more] = await runsOf(id);
    assert.deepEqual([run.session_id, run.error.type, more], [null, 'environment_archived_error', []]);
    const { status, paused_reason: reason } = await ask('GET', `deployments/${id}`);
    assert.deepEqual([status, reason], ['paused', { type: 'error', error: { type: 'environment_archived_error' } }]);
    assert.deepEqual((await ask('GET', 'deployment_runs?has_error=true')).data, [run]);
    assert.equal((await runsOf(well.id)).length, 3);
    const byHand = await ask('POST', `deployments/${id}/run`);
    assert.equal(byHand.error.type, 'environment_archived_error');
  });

  it('reports an archived or deleted vault, memory store or environment, and is paused by it', async () => {
    const make = async (group: string, body: object) => (await ask('POST', group, body)).id as string;
    const store = (memory_store_id: string) => ({ resources: [{ type: 'memory_store', memory_store_id }] });
    const cases = [
      {
        group: 'vaults',
        body: { display_name: 'Keys' },
        uses: (id: string) => ({ vault_ids: [id] }),
        archived: 'vault_archived_error',
        gone: 'vault_not_found_error',
      },
      {
        group: 'memory_stores',
        body: { name: 'Notes' },
        uses: store,
        archived: 'memory_store_archived_error',
        gone: 'session_resource_not_found_error',
      },
    ];
    for (const { group, body, uses, archived, gone } of cases) {
      for (const [end, error] of [
        ['archive', archived],
        ['delete', gone],
      ]) {
        const thing = await make(group, body);
        const { id } = await deploy({ schedule: hourly, ...uses(thing) });
        await (end === 'archive' ? ask('POST', `${group}/${thing}/archive`) : ask('DELETE', `${group}/${thing}`));
        await passTimes(id, 1);
        const [run] = await runsOf(id);
        assert.deepEqual([run.session_id, run.error.type], [null, error]);
        assert.ok(run.error.message.includes(thing), run.error.message);
        assert.deepEqual((await ask('GET', `deployments/${id}`)).paused_reason, { type: 'error', error: { type: error } });
      }
    }
  });

  it('is archived with its agent, and records no run', async () => {
    const { id } = await deploy({ schedule: hourly });
    await ask('POST', `agents/${agent.id}/archive`);
    await emulator.advanceClock(2 * hour);
    const { archived_at: archived, schedule } = await ask('GET', `deployments/${id}`);
    assert.ok(archived !== null);
    assert.deepEqual([schedule.upcoming_runs_at, await runsOf(id)], [[], []]);
  });

  it('skips scheduled times when the scenario asks for it', async () => {
    const { id } = await deploy({ schedule: hourly });
    emulator.setScenario({ missesSchedules: true });
    await passTimes(id, 2);
    assert.deepEqual(await runsOf(id), []);
    emulator.setScenario({ missesSchedules: false });
    await passTimes(id, 1);
    assert.equal((await runsOf(id)).length, 1);
  });

  it('keeps deployments and runs across a restart, and their schedules continue', async () => {
    await emulator.stop();
    const folder = await mkdtemp(path.join(os.tmpdir(), 'deployments-'));
    try {
      await begin(folder);
      const { id } = await deploy({ schedule: hourly });
      const run = await ask('POST', `deployments/${id}/run`);
      await emulator.stop();
      await begin(folder);
      assert.deepEqual(await runsOf(id), [run]);
      await passTimes(id, 1);
      assert.equal((await runsOf(id)).length, 2);
    } finally {
      await emulator.stop();
      await rm(folder, { recursive: true, force: true });
      await begin();
    }
  });
});
