import assert from 'node:assert/strict';
import { dialects } from '../../../src/client/dialect';
import { createServiceClient, type ServiceClient } from '../../../src/client/serviceClient';
import { shortId as short } from '../../../src/common/presentation';
import type { Emulator } from '../../../src/emulator/emulator';
import { startEmulator } from '../../../src/emulator/server';
import { useWorkbench } from './workbench';

const port = 41_000 + (process.pid % 9_000);

/** A create body of `count` small requests. */
function bodyOf(count: number, name: string): { byteLength: number; open(): AsyncIterable<Uint8Array> } {
  const requests = Array.from({ length: count }, (_, index) => ({
    custom_id: `${name}-${index}`,
    params: { model: 'vendor-haiku-4-5', max_tokens: 32, messages: [{ role: 'user', content: `${name} ${index}` }] },
  }));
  const bytes = Buffer.from(JSON.stringify({ requests }));
  return {
    byteLength: bytes.length,
    open: async function* () {
      yield bytes;
    },
  };
}

describe('the Batches view', () => {
  let emulator: Emulator;
  let client: ServiceClient;
  const key = 'local-test-key-0001';
  const start = async () => {
    emulator = await startEmulator({ port, key, scenario: { batchDuration: 600_000 } });
    client = createServiceClient({
      baseUrl: emulator.url,
      auth: 'x-api-key',
      dialect: dialects.contract,
      credential: async () => ({ key, origin: new URL(emulator.url).origin }),
    });
  };

  before(start);
  after(async () => {
    await client.close();
    await emulator.stop();
  });

  const workbench = useWorkbench({
    settings: {
      'managedAgents.connections': { Local: { baseUrl: `http://127.0.0.1:${port}` } },
      'managedAgents.connection': 'Local',
    },
  });

  it('asks for the key that is missing, in its welcome content', async () => {
    const w = workbench();
    await w.openViewContainer('Managed Agents');
    await w.showOnlyView('Batches');
    assert.match(await w.welcomeText(), /no API key on this machine/);
    await w.screenshot('batches-welcome-no-key');
    await w.welcomeButton('Set API Key');
    await w.inputBox(key);
    await w.page.getByText('No batches yet').waitFor();
    await w.screenshot('batches-welcome-empty');
  });

  it('lists batches with state, count and age, a page at a time', async () => {
    const w = workbench();
    for (let number = 1; number <= 25; number++) {
      await client.batches.create(bodyOf(number, `b${number}`));
    }
    await w.runCommand('Managed Agents: Refresh Batches');
    await w.page.getByRole('treeitem', { name: /25 requests/ }).waitFor();
    const rows = await w.treeRows();
    assert.equal(rows.length, 21, rows.join('\n'));
    assert.match(rows.at(-1) ?? '', /Load More/);
    assert.match(rows[0] ?? '', /in progress · 25 requests/);
    await w.screenshot('batches-list');
    await w.page.keyboard.press('End');
    await w.clickTreeRow('Load More');
    await w.page.getByRole('treeitem', { name: /in progress, 1 request,/ }).waitFor();
    await w.waitForNone('.pane-body .monaco-list-row:has-text("Load More")');
  });

  it('opens a batch as a page and as JSON', async () => {
    const w = workbench();
    const { data } = await client.batches.create(bodyOf(7, 'page'));
    await w.runCommand('Managed Agents: Refresh Batches');
    await w.page
      .getByRole('treeitem', { name: /7 requests/ })
      .first()
      .waitFor();
    await w.clickTreeRow(short(data.id));
    const frame = await w.webview('h2');
    await frame.getByText('The service counts the outcomes only when').first().waitFor();
    await w.screenshot('batches-page');
    await w.treeMenu(short(data.id), 'Show Batch as JSON');
    await w.page.locator('.view-lines', { hasText: '"processing_status": "in_progress"' }).waitFor();
    await client.batches.cancel(data.id);
    await w.runCommand('Managed Agents: Refresh Batches');
    await w.page.locator('.view-lines', { hasText: /"cancel_initiated_at":\s"20/ }).waitFor();
  });

  it('cancels after a modal question, and says so in the row', async () => {
    const w = workbench();
    const { data } = await client.batches.create(bodyOf(3, 'cancel'));
    await w.runCommand('Managed Agents: Refresh Batches');
    await w.treeRow(short(data.id));
    await w.treeMenu(short(data.id), 'Cancel Batch');
    assert.match(await w.dialogText(), /Requests that already run are still finished/);
    await w.screenshot('batches-cancel');
    await w.dialogButton('Cancel Batch');
    await w.page.getByRole('treeitem', { name: new RegExp(`${data.id}.*(canceling|ended after cancel)`) }).waitFor();
  });

  it('deletes an ended batch after a modal question', async () => {
    const w = workbench();
    const { data } = await client.batches.create(bodyOf(4, 'delete'));
    await emulator.advanceClock(600_001);
    await w.runCommand('Managed Agents: Refresh Batches');
    await w.page.getByRole('treeitem', { name: new RegExp(`${data.id}.*ended.*4 succeeded`) }).waitFor();
    await w.screenshot('batches-ended');
    await w.treeMenu(short(data.id), 'Delete Batch');
    assert.match(await w.dialogText(), /This cannot be undone/);
    await w.dialogButton('Delete Batch');
    await w.waitForNone(`.pane-body .monaco-list-row:has-text("${short(data.id)}")`);
    await assert.rejects(client.batches.retrieve(data.id), { kind: 'not_found' });
  });

  it('keeps the rows and says why when the service goes away, and recovers', async () => {
    const w = workbench();
    emulator.setScenario({ faults: [{ name: 'html', route: 'batches.list' }] });
    await w.runCommand('Managed Agents: Refresh Batches');
    await w.page.locator('.pane-body', { hasText: 'Could not refresh' }).first().waitFor();
    assert.ok((await w.treeRows()).length > 10);
    await w.screenshot('batches-refresh-failed');
    emulator.setScenario({ faults: [] });
    await w.runCommand('Managed Agents: Refresh Batches');
    await w.waitForNone('.pane-body :text("Could not refresh")');
  });

  it('says what to do when the key is refused or the service is down', async () => {
    const w = workbench();
    await client.close();
    await emulator.stop();
    await w.reloadWindow();
    await w.openViewContainer('Managed Agents');
    assert.match(await w.welcomeText(), /cannot be reached/);
    await w.screenshot('batches-welcome-unreachable');
    await start();
    await w.welcomeButton('Try Again');
    await w.page.getByText('No batches yet').waitFor();
  });

  it('is drawn in light and high contrast', async () => {
    const w = workbench();
    await client.batches.create(bodyOf(5, 'theme'));
    await w.runCommand('Managed Agents: Refresh Batches');
    await w.page
      .getByRole('treeitem', { name: /5 requests/ })
      .first()
      .waitFor();
    for (const theme of ['light', 'highContrast'] as const) {
      await w.theme(theme);
      await w.screenshot(`batches-${theme}`);
    }
    await w.theme('dark');
  });
});
