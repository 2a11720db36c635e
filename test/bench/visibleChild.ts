// One round of the row `visible`: writes events of a session in an emulator, and detects in the panel of a real VS Code when they are
// rendered.
import { setTimeout as wait } from 'node:timers/promises';
import { startEmulator } from '../../src/emulator/server';
import { contractClient } from '../helpers/emulatorClient';
import { Workbench } from '../host/workbench/workbench';

const key = 'bench-key-0001';
const steady = { events: 300, everyMs: 20 };
const storm = { events: 50_000, perSecond: 5000, batch: 100 };

const emulator = await startEmulator({ key, scenario: { sessionPause: 0 } });
const client = contractClient(emulator);
const [agent] = (await client.agents.list()).items;
const [environment] = (await client.environments.list()).items;
const { data: session } = await client.sessions.create({ agent: agent?.id ?? '', environment_id: environment?.id, title: 'Measured' });
const workbench = await Workbench.start({
  settings: { 'managedAgents.connections': { Lab: { baseUrl: emulator.url } }, 'managedAgents.connection': 'Lab' },
});
const say = (text: string) => ({ type: 'agent.message', content: [{ type: 'text', text }] });

/**
 * Runs in the page. Records the delay between writing and rendering of each `tick N TIME`. The writer's clock is the same, because it runs
 * on this machine.
 */
function watchTicks(): void {
  const seen = new Map<string, number>();
  const look = () => {
    for (const [, number = '', written] of document.body.innerText.matchAll(/tick (\d+) (\d{13})/g)) {
      if (!seen.has(number)) {
        seen.set(number, Date.now() - Number(written));
      }
    }
  };
  new MutationObserver(() => requestAnimationFrame(look)).observe(document.body, { subtree: true, childList: true, characterData: true });
  Object.assign(globalThis, { seenTicks: seen });
}

try {
  await workbench.setKey(key);
  await workbench.command('managedAgents.session.open', { connection: 'Lab', sessionId: session.id });
  const frame = await workbench.webview('main.panel .timelineArea');
  await frame.getByText('Live', { exact: true }).first().waitFor();
  await frame.evaluate(watchTicks);
  for (let index = 0; index < steady.events; index++) {
    await emulator.appendEvents(session.id, [say(`tick ${index} ${Date.now()}`)]);
    await wait(steady.everyMs);
  }
  await frame
    .getByText(`tick ${steady.events - 1} `)
    .first()
    .waitFor();
  const times = await frame.evaluate(() => [...(globalThis as unknown as { seenTicks: Map<string, number> }).seenTicks.values()]);
  times.sort((a, b) => a - b);

  const began = performance.now();
  for (let index = 0; index < storm.events; index += storm.batch) {
    await emulator.appendEvents(
      session.id,
      Array.from({ length: storm.batch }, (_, place) => say(`storm ${index + place}`)),
    );
    await wait(Math.max(0, began + ((index + storm.batch) / storm.perSecond) * 1000 - performance.now()));
  }
  const written = performance.now();
  await frame
    .getByText(`storm ${storm.events - 1}`, { exact: true })
    .first()
    .waitFor();
  const painted = performance.now();
  console.log(
    JSON.stringify({
      seen: times.length,
      medianMs: times[Math.floor(times.length / 2)],
      p99Ms: times[Math.floor(times.length * 0.99)],
      stormEvents: storm.events,
      stormWrittenMs: written - began,
      stormBehindMs: painted - written,
      paintedPerSecond: storm.events / ((painted - began) / 1000),
    }),
  );
} finally {
  await workbench.close();
  await client.close();
  await emulator.stop();
  // Ends the shared VS Code too.
  process.exit();
}
