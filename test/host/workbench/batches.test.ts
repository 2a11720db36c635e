import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { shortId as short } from '../../../src/common/text/presentation';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { contractClient } from '../../helpers/emulatorClient';
import { picker } from '../page/quickInputs';
import { createBatch } from './batchSteps';
import { connectedTo } from './emulator';
import { tabOf, useWorkbench } from './workbench';

const key = 'local-test-key-0001';
const keyBox = `${picker} input[type="password"]`;
const dialog = '.monaco-dialog-box';
const welcome = (words: string) => `.part.sidebar .welcome-view-content:visible:has-text(${JSON.stringify(words)})`;

/** Returns a create body of `count` small requests. */
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

/** Returns a request file with `count` requests. The answer to the first one is cut short. */
const evals = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const messages = [{ role: 'user', content: index === 0 ? '[emulate: max_tokens]' : `Say ${index}.` }];
    return `${JSON.stringify({ custom_id: `e${index}`, params: { model: 'vendor-haiku-4-5', max_tokens: 32, messages } })}\n`;
  }).join('');

/**
 * Starts an emulator on a port that the system never assigns to other processes, so that the port stays free while the emulator is stopped.
 */
async function startAtOwnPort(): Promise<Emulator> {
  for (let port = 20_000 + (process.pid % 10_000); ; port++) {
    try {
      return await startEmulator({ port, key, scenario: { batchDuration: 600_000 } });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') {
        throw error;
      }
    }
  }
}

describe('the Batches view @ci', () => {
  let emulator: Emulator;
  let client: ServiceClient;

  before('start a service', async () => {
    emulator = await startAtOwnPort();
    client = contractClient(emulator);
  });
  after('stop the service', async () => {
    await client.close();
    await emulator.stop();
  });

  const workbench = useWorkbench(() => ({
    files: { 'evals.jsonl': evals(3) },
    settings: { ...connectedTo(emulator), 'managedAgents.results.fetchWhenEnded': false },
  }));

  /** Returns the row of the view with this accessible name. */
  const spoken = (name: RegExp) => workbench().page.getByRole('treeitem', { name });
  /** Refreshes the batches until `effect` is visible. */
  const refresh = (effect: Parameters<ReturnType<typeof workbench>['untilSeen']>[0]) =>
    workbench().beginCommand(effect, 'managedAgents.refresh');

  it('asks for a missing key, and lists batches with status, count and age, page by page', async () => {
    const w = workbench();
    await w.openViewContainer('Managed Agents');
    await w.showOnlyView('Batches');
    await w.waitFor(welcome('no API key on this machine'));
    await w.screenshot('batches-welcome-no-key');
    await w.welcomeButton('Set API Key', keyBox);
    await w.inputBox(key);
    await w.waitFor(welcome('No batches yet'));
    await w.screenshot('batches-welcome-empty');
    for (let number = 1; number <= 25; number++) {
      await client.batches.create(bodyOf(number, `b${number}`));
    }
    await w.runCommand('Managed Agents: Refresh', spoken(/25 requests/));
    await w.treeRow('Load More');
    const rows = await w.treeRows();
    assert.equal(rows.length, 22, rows.join('\n'));
    assert.match(rows[0] ?? '', /Other Batches.*20 listed so far/);
    assert.match(rows.at(-1) ?? '', /Load More/);
    assert.match(rows[1] ?? '', /running for .* · 25 requests/);
    await w.screenshot('batches-list');
    await w.clickTreeRow('Load More', spoken(/ · 1 request$/));
    await w.waitForNone('.pane-body .monaco-list-row:has-text("Load More")');
  });

  it('opens a batch as a page and as JSON', async () => {
    const w = workbench();
    const { data } = await client.batches.create(bodyOf(7, 'page'));
    await refresh(w.row(short(data.id)));
    await w.clickTreeRow(short(data.id), `.tab.active[aria-label*="${data.id}"]`);
    const page = await w.webview('body:has(h2):has-text("The service reports counts when")');
    await w.screenshot('batches-page');
    await w.click(page.getByRole('link', { name: 'Cancel...' }), dialog);
    assert.match(await w.dialogText(), /Requests that are already running still finish/);
    await w.untilGone(dialog, () => w.page.keyboard.press('Escape'));
    await w.click(page.getByRole('link', { name: 'Show as JSON' }), tabOf(`${data.id}.json`));
    await w.page.locator('.view-lines', { hasText: '"processing_status": "in_progress"' }).waitFor();
  });

  it('cancels a batch, and deletes it after it has ended, each after a modal question', async () => {
    const w = workbench();
    const { data } = await client.batches.create(bodyOf(3, 'cancel'));
    await refresh(w.row(short(data.id)));
    await w.treeMenu(short(data.id), 'Cancel Run', dialog);
    assert.match(await w.dialogText(), /Requests that are already running still finish/);
    await w.screenshot('batches-cancel');
    await w.dialogButton('Cancel Batch');
    await spoken(new RegExp(`${data.id}.*(canceling|ended after cancel)`)).waitFor();
    await emulator.advanceClock(600_001);
    await refresh(spoken(new RegExp(`${data.id}.*ended`)));
    await w.treeMenu(short(data.id), 'Delete...', dialog);
    assert.match(await w.dialogText(), /This can't be undone/);
    await w.dialogButton('Delete Batch');
    await w.waitForNone(`.pane-body .monaco-list-row:has-text("${short(data.id)}")`);
    await assert.rejects(client.batches.retrieve(data.id), { kind: 'not_found' });
  });

  it('says what to do when the service is down or rejects the key', async () => {
    const w = workbench();
    const port = Number(new URL(emulator.url).port);
    await client.close();
    await emulator.stop();
    await w.reloadWindow();
    await w.openViewContainer('Managed Agents');
    await w.waitFor(welcome("can't be reached"));
    await w.statusBarItem(': unreachable');
    await w.screenshot('batches-welcome-unreachable');
    emulator = await startEmulator({ port, key: 'another-key' });
    await w.welcomeButton('Try Again', welcome('The service rejected the API key'));
    await w.statusBarItem(': key rejected');
    await emulator.stop();
    emulator = await startEmulator({ port, key, scenario: { batchDuration: 600_000 } });
    await refresh(welcome('No batches yet'));
    await w.waitForNone('.statusbar-item:has-text(": key rejected")');
  });

  it('shows the runs of a file below it, each with its next action', async () => {
    const w = workbench();
    const batchId = await createBatch(w, 'evals.jsonl');
    await emulator.advanceClock(600_001);
    await refresh(w.row('evals.jsonl').filter({ hasText: 'Fetch Results · 3 answered' }));
    await w.treeAction('evals.jsonl', 'Fetch Results', w.row('2 succeeded, 1 cut short'));
    w.writeFile('evals.jsonl', evals(4));
    assert.notEqual(await createBatch(w, 'evals.jsonl'), batchId);
    await w.unfold('evals.jsonl', w.row('All 3'));
    // The file's row shows the status of its latest run.
    await spoken(/^evals\.jsonl, All 4, running for /)
      .nth(1)
      .waitFor();
    await spoken(/^evals\.jsonl, All 3, 2 succeeded, 1 cut short/).waitFor();
    assert.deepEqual((await w.entriesOf(w.row('All 3'))).slice(0, 2), ['Show Results', 'Open Batch']);
    for (const [width, height] of [
      [1440, 900],
      [1024, 700],
    ] as const) {
      await w.page.setViewportSize({ width, height });
      await w.screenshot(`batches-runs-${width}`);
    }
  });
});
