import assert from 'node:assert/strict';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { batchOf, call, SessionOnEmulator } from '../../helpers/emulatorClient';

const hello = { model: 'vendor-opus-4-6', max_tokens: 2000, messages: [{ role: 'user', content: 'Hello' }] };
const hour = 60 * 60 * 1000;

/** Params that the contract allows or leaves open, but a vendor's service refuses. */
const messages = {
  'a thinking budget equal to max_tokens': { thinking: { type: 'enabled', budget_tokens: 2000 } },
  'no messages': { messages: [] },
  'tool_choice any without tools': { tool_choice: { type: 'any' } },
  'tool_choice tool without a name': { tool_choice: { type: 'tool' } },
  'tool_choice tool with a name that no tool has': { tool_choice: { type: 'tool', name: 'gone' } },
  'tool_choice auto with fields of any type': { tool_choice: { type: 'auto', name: 5, disable_parallel_tool_use: 'no' } },
  'an input_schema without a type': { tools: [{ name: 'a', input_schema: {} }] },
  'an input_schema of an array': { tools: [{ name: 'a', input_schema: { type: 'array', items: { type: 'string' } } }] },
  'an input_schema with odd keywords': { tools: [{ name: 'a', input_schema: { type: ['object', 'null'], properties: 5 } }] },
  'an input_schema that is true': { tools: [{ name: 'a', input_schema: true }], tool_choice: { type: 'any' } },
} as const;

describe("src/emulator in the contract's dialect", () => {
  let emulator: Emulator;

  beforeEach(async () => {
    emulator = await startEmulator({ scenario: { batchDuration: hour, sessionPause: 0 } });
  });
  afterEach(() => emulator.stop());

  for (const [what, change] of Object.entries(messages)) {
    it(`accepts ${what}, which the vendor's dialect rejects`, async () => {
      const taken = await call(emulator, 'POST', '/v1/messages', { ...hello, ...change });
      assert.equal(taken.status, 200, taken.text);
      for (const { type, input } of taken.json.content) {
        assert.ok(type !== 'tool_use' || JSON.stringify(input).startsWith('{'), taken.text);
      }
      const vendor = await startEmulator({ dialect: 'anthropic-2026' });
      try {
        const headers = { 'anthropic-version': '2026-10-21' };
        const body = { ...hello, ...change, model: 'claude-opus-4-6' };
        assert.equal((await call(vendor, 'POST', '/v1/messages', body, headers)).status, 400);
      } finally {
        await vendor.stop();
      }
    });
  }

  it('still rejects what the contract rules out', async () => {
    for (const [change, field] of [
      [{ thinking: { type: 'enabled', budget_tokens: 2001 } }, 'max_tokens'],
      [{ tool_choice: { type: 'some' } }, 'tool_choice.type'],
      [{ tool_choice: 'auto' }, 'tool_choice'],
      [{ tools: [{ name: 'a' }] }, 'tools.0.input_schema'],
      [{ tools: [{ name: 'a', input_schema: 'object' }] }, 'tools.0.input_schema'],
    ] as const) {
      const { status, json } = await call(emulator, 'POST', '/v1/messages', { ...hello, ...change });
      assert.deepEqual([status, json.error.message.split(':')[0]], [400, field]);
    }
  });

  it('archives a session or an agent without a beta header, a batch only with one', async () => {
    const { id } = await SessionOnEmulator.start(emulator, 'Shopkeeper');
    const headers = { 'vendor-beta': '' };
    assert.equal((await call(emulator, 'POST', `/v1/sessions/${id}/archive?beta=true`, undefined, headers)).status, 200);
    assert.equal((await call(emulator, 'GET', '/v1/agents?beta=true', undefined, headers)).status, 200);
    assert.equal((await call(emulator, 'GET', '/v1/agents', undefined, headers)).status, 400);
    assert.equal((await call(emulator, 'POST', '/v1/messages/batches?beta=true', batchOf('x'), headers)).status, 400);
  });

  it('accepts any version', async () => {
    for (const version of ['1999-01-01', '2030-12-31', 'next']) {
      assert.equal((await call(emulator, 'GET', '/v1/models', undefined, { 'vendor-version': version })).status, 200);
    }
  });

  it('accepts define_outcome as an event, and evaluates the outcome once', async () => {
    const session = await SessionOnEmulator.start(emulator, 'Researcher');
    const sent = await session.send({ type: 'define_outcome', description: 'Works at the first try' });
    assert.equal(sent.status, 200, sent.text);
    const { outcome_evaluations: outcomes } = await session.retrieve();
    assert.deepEqual(
      outcomes.map((one: { description: string; result: string }) => [one.description, one.result]),
      [['Works at the first try', 'satisfied']],
    );
    const started = await SessionOnEmulator.start(emulator, 'Researcher', {
      initial_events: [{ type: 'define_outcome', description: 'Works at the first try' }],
    });
    assert.equal((await started.retrieve()).outcome_evaluations.length, 1);
  });

  it('accepts unknown top-level keys when a batch is created, before and after the requests', async () => {
    const { requests } = batchOf('x', 'y');
    const body = { note: 'a "]}" b', deep: { list: [1, { requests: [] }] }, n: -1.5e3, requests, none: null, text: 'requests' };
    const { status, json, text } = await call(emulator, 'POST', '/v1/messages/batches?beta=true', body);
    assert.equal(status, 200, text);
    assert.equal(json.request_counts.processing, 2);
  });

  it('accepts user_profile_id: null beside the header, and rejects another profile', async () => {
    const headers = { 'vendor-beta': 'message-batches-2024-09-24, user-profiles', 'vendor-user-profile-id': 'profile_1' };
    const create = (profile: string | null) => {
      const [request] = batchOf('x').requests;
      const body = { requests: [{ custom_id: 'a', params: { ...request?.params, user_profile_id: profile } }] };
      return call(emulator, 'POST', '/v1/messages/batches?beta=true', body, headers);
    };
    assert.equal((await create(null)).status, 200);
    assert.equal((await create('profile_1')).status, 200);
    assert.equal((await create('profile_2')).status, 400);
  });

  it('accepts stream in the params of a batch and ignores it', async () => {
    const body = { requests: [{ custom_id: 'a', params: { ...hello, stream: true } }] };
    const { status, json, text } = await call(emulator, 'POST', '/v1/messages/batches?beta=true', body);
    assert.equal(status, 200, text);
    await emulator.advanceClock(hour);
    const results = await call(emulator, 'GET', `/v1/messages/batches/${json.id}/results`);
    assert.equal(results.json.result.message.content[0].text, 'Emulated answer to: Hello');
  });
});
