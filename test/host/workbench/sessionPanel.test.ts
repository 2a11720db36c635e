import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { dialects } from '../../../src/client/dialect';
import { createServiceClient, type ServiceClient } from '../../../src/client/serviceClient';
import type { Emulator } from '../../../src/emulator/emulator';
import { startEmulator } from '../../../src/emulator/server';
import { tidyUp } from './tidyUp';
import { Workbench } from './workbench';

const port = 41_000 + (process.pid % 9_000);
const key = 'local-test-key-0007';
const names = ['talk', 'operate', 'shop', 'reload'] as const;
type Name = (typeof names)[number];

describe('the session panel', function () {
  this.timeout(60_000);
  let emulator: Emulator;
  let client: ServiceClient;
  let workbench: Workbench;
  const ids = new Map<Name, string>();

  before('start a service with sessions, and VS Code', async function () {
    this.timeout(120_000);
    emulator = await startEmulator({ port, key, scenario: { sessionPause: 0 } });
    client = createServiceClient({
      baseUrl: emulator.url,
      auth: 'x-api-key',
      dialect: dialects.contract,
      credential: async () => ({ key, origin: new URL(emulator.url).origin }),
    });
    const agents = new Map((await client.agents.list()).items.map(({ name, id }) => [name ?? '', id]));
    const [environment] = (await client.environments.list()).items;
    const agentOf: Record<Name, string> = { talk: 'Researcher', operate: 'Careful Operator', shop: 'Shopkeeper', reload: 'Researcher' };
    for (const name of names) {
      const { data } = await client.sessions.create({
        agent: agents.get(agentOf[name]),
        environment_id: environment?.id,
        title: `Session ${name}`,
      });
      ids.set(name, data.id);
    }
    workbench = await Workbench.start({
      settings: {
        'managedAgents.connections': { Lab: { baseUrl: emulator.url } },
        'managedAgents.connection': 'Lab',
      },
      keybindings: names.map((name, index) => ({
        key: `ctrl+alt+${index + 1}`,
        command: 'managedAgents.session.open',
        args: { connection: 'Lab', sessionId: ids.get(name) },
      })),
    });
    await workbench.runCommand('Managed Agents: Set API Key');
    await workbench.inputBox(key);
  });
  after(() => client.close());
  tidyUp(() => ({ workbench, emulator }));

  const say = async (name: Name, text: string) => {
    await client.sessions.send(ids.get(name) ?? '', [{ type: 'user.message', content: [{ type: 'text', text }] }]);
    await emulator.advanceClock(0);
  };
  const open = async (name: Name): Promise<Frame> => {
    await workbench.press(`Control+Alt+${names.indexOf(name) + 1}`);
    await workbench.waitFor(`.tab.active[aria-label*="Session ${name}"]`);
    return await workbench.webview('main.panel .timelineArea');
  };

  it('opens, shows what was said, and what is said while it is open', async () => {
    await say('talk', 'markdown');
    const frame = await open('talk');
    await frame.getByText('markdown', { exact: false }).first().waitFor();
    await workbench.screenshot('session-panel-talk');
    await say('talk', 'hello again');
    await frame.getByText('hello again').first().waitFor();
    assert.equal((await frame.locator('.connection').count()) >= 0, true);
    await workbench.screenshot('session-panel-live');
  });
});
