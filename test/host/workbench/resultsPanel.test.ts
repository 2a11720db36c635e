import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import type { Emulator } from '../../../src/emulator/emulator';
import { startEmulator } from '../../../src/emulator/server';
import { tidyUp } from './tidyUp';
import { Workbench } from './workbench';

const ids = Array.from({ length: 60 }, (_, index) => `q${index + 1}`);
const requests = ids.map(custom_id => ({
  custom_id,
  params: { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: `Say hello to ${custom_id}.` }] },
}));

describe('panel of results', () => {
  let emulator: Emulator;
  let workbench: Workbench;

  before('start a service and VS Code, and fetch results', async function () {
    this.timeout(120_000);
    emulator = await startEmulator({
      key: 'key-of-the-tests',
      scenario: { batchDuration: 600_000, erroredPercent: 20, cutShortPercent: 20 },
    });
    workbench = await Workbench.start({
      files: { 'asked.jsonl': `${requests.map(request => JSON.stringify(request)).join('\n')}\n` },
      settings: {
        'managedAgents.connections': { Lab: { baseUrl: emulator.url } },
        'managedAgents.connection': 'Lab',
        'managedAgents.batches.notify': 'never',
      },
    });
    await workbench.openViewContainer('Managed Agents');
    await workbench.welcomeButton('Set API Key');
    await workbench.inputBox('key-of-the-tests');
    await workbench.waitFor('.welcome-view-content :text("No batches yet")');
    await workbench.openFile('asked.jsonl');
    await workbench.runCommand('Managed Agents: Create Batch...');
    await workbench.createFromSheet('asked.jsonl');
    await workbench.notification('created:');
    await workbench.clearNotifications();
    await emulator.advanceClock(700_000);
    await workbench.runCommand('Managed Agents: Refresh Batches');
    await workbench.row('asked.jsonl').filter({ hasText: 'succeeded' }).waitFor();
    await workbench.runCommand('Managed Agents: Fetch Results');
    await workbench.quickPick('asked.jsonl');
    await workbench.notification('Results of asked.jsonl: ');
    await workbench.clearNotifications();
  });

  tidyUp(() => ({ workbench, emulator }));

  const frameOf = async (): Promise<Frame> => await workbench.webview('main.panel [role="grid"]');
  const open = async (): Promise<Frame> => {
    await workbench.treeMenu('asked.jsonl', 'Show Results Table');
    const frame = await frameOf();
    await frame.locator('#row-0').filter({ hasText: 'q' }).waitFor();
    return frame;
  };
  const count = (frame: Frame) => frame.locator('.queryCount strong');

  it('opens from the batch of the view, filters, sorts, and opens a pair', async () => {
    const frame = await open();
    assert.equal(await count(frame).innerText(), '60 results');
    await frame.getByRole('button', { name: 'Errored' }).click();
    await frame.locator('.queryCount strong', { hasText: ' of 60 results' }).waitFor();
    const [, errored = 0] = /^(\d+) of 60/.exec(await count(frame).innerText()) ?? [];
    // The rows come after their number.
    await frame
      .locator('.extent > .mark-errored')
      .nth(Number(errored) - 1)
      .waitFor();
    assert.equal(await frame.locator('.extent > .mark-errored').count(), Number(errored));
    await frame.getByRole('columnheader', { name: 'Id' }).getByRole('button').click();
    await frame.locator('[role="columnheader"][aria-sort="ascending"]', { hasText: 'Id' }).waitFor();
    await frame.getByRole('combobox', { name: 'Filter results' }).fill('attention=cut_short or id~q7');
    await frame.locator('#row-0').filter({ hasNotText: '…' }).waitFor();
    await frame.getByRole('button', { name: 'All', exact: true }).click();
    await frame.locator('.queryCount strong', { hasText: /^60 results/ }).waitFor();
    await frame.getByRole('button', { name: 'Fine' }).click();
    await frame.locator('.queryCount strong', { hasText: ' of 60 results' }).waitFor();
    await frame.locator('.extent > .mark-succeeded').first().click();
    const pair = frame.getByRole('region', { name: /Request and answer of q/ });
    await pair
      .getByText(/Say hello to q\d+\./)
      .first()
      .waitFor();
    await workbench.pictures('results-panel');
    await frame.getByRole('button', { name: 'Show Summary' }).click();
    await frame.getByRole('button', { name: /^succeeded: / }).waitFor();
    await workbench.pictures('results-panel-summary');
    await frame.getByRole('button', { name: 'Hide Summary' }).click();
  });

  it('copies the ids of all rows', async () => {
    const frame = await open();
    await frame.getByRole('grid').focus();
    await frame.getByRole('grid').press('Control+a');
    await frame.getByRole('button', { name: 'Copy Ids' }).click();
    await workbench.page.waitForFunction(async text => (await navigator.clipboard.readText()).trim() === text, ids.join('\n'));
  });

  it('writes selected requests to a new file, and opens a request and its answer as documents', async () => {
    const frame = await open();
    await frame.getByRole('combobox', { name: 'Filter results' }).fill('id=q3,q8');
    await frame.locator('.queryCount strong', { hasText: '2 of 60 results' }).waitFor();
    await frame.getByRole('grid').focus();
    await frame.getByRole('grid').press('Control+a');
    await frame.getByRole('button', { name: 'Requests to New File…' }).click();
    await workbench.notification('Wrote 2 lines to asked.selected.jsonl.');
    assert.equal(
      workbench.fileText('asked.selected.jsonl'),
      [requests[2], requests[7]].map(request => `${JSON.stringify(request)}\n`).join(''),
    );
    await workbench.clearNotifications();
    await frame.locator('#row-0').click();
    await frame.getByRole('region', { name: 'Request and answer of q3' }).getByRole('button', { name: 'Open as Documents' }).click();
    await workbench.waitFor('.tab[data-resource-name^="Request q3"]');
    await workbench.waitFor('.tab.active[data-resource-name^="Answer to q3"]');
    await workbench.screenshot('results-panel-documents');
  });

  it('leads to the line of a request, and comes back with filter and pair when the window was reloaded', async () => {
    const frame = await open();
    await frame.getByRole('combobox', { name: 'Filter results' }).fill('id=q7');
    await frame.locator('.queryCount strong', { hasText: '1 of 60 results' }).waitFor();
    await frame.locator('#row-0').click();
    await frame.getByRole('region', { name: 'Request and answer of q7' }).getByRole('button', { name: 'Go to Line 7' }).click();
    await workbench.waitFor('.tab.active[data-resource-name="asked.jsonl"]');
    await workbench.waitFor('.statusbar-item :text("Ln 7,")');
    // A VS Code in a browser writes down every five seconds what is open, and nothing when it is left.
    await workbench.page.waitForTimeout(7000);
    await workbench.reloadWindow();
    await workbench.page.locator('.tab', { hasText: 'Results of asked.jsonl' }).click();
    const again = await frameOf();
    await again.getByRole('region', { name: 'Request and answer of q7' }).waitFor();
    assert.equal(await again.getByRole('combobox', { name: 'Filter results' }).inputValue(), 'id=q7');
  });

  it('says that the file is gone, and shows the results again when they were fetched', async () => {
    const frame = await open();
    rmSync(path.join(workbench.folder, 'asked.results.jsonl'));
    await frame.locator('#row-0').click();
    const all = await workbench.webview('main.panel .head');
    await all.getByText('The results file is not there any more.').waitFor();
    await all.getByRole('button', { name: 'Fetch Results' }).click();
    await workbench.notification('Results of asked.jsonl: ');
    const again = await frameOf();
    await again.locator('.queryCount strong', { hasText: /^60 results/ }).waitFor();
  });
});
