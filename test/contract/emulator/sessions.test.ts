import assert from 'node:assert/strict';
import type { Emulator } from '../../../src/emulator/emulator';
import { startEmulator } from '../../../src/emulator/server';
import { call } from '../../helpers/emulatorClient';

describe('src/emulator/routes/sessions', () => {
  let emulator: Emulator;

  beforeEach(async () => {
    emulator = await startEmulator({ scenario: { sessionPause: 0 } });
  });
  afterEach(() => emulator.stop());

  it('has sample agents whose sessions answer at once', async () => {
    const agents = (await call(emulator, 'GET', '/v1/agents?beta=true')).json.data;
    const environments = (await call(emulator, 'GET', '/v1/environments?beta=true')).json.data;
    for (const agent of agents) {
      const session = await call(emulator, 'POST', '/v1/sessions?beta=true', { agent: agent.id, environment_id: environments[0].id });
      assert.equal(session.status, 200, session.text);
      const sent = await call(emulator, 'POST', `/v1/sessions/${session.json.id}/events?beta=true`, {
        events: [{ type: 'user.message', content: [{ type: 'text', text: 'hello there' }] }],
      });
      assert.equal(sent.status, 200, sent.text);
      await emulator.advanceClock(0);
      const events = await call(emulator, 'GET', `/v1/sessions/${session.json.id}/events?beta=true`);
      const types: string[] = events.json.data.map((event: { type: string }) => event.type);
      assert.deepEqual(types.slice(0, 3), ['user.message', 'session.thread_status_running', 'session.status_running']);
      assert.deepEqual(types.slice(-2), ['session.usage', 'session.status_idle']);
    }
  });
});
